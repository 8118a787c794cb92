package ask_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"hermes/internal/ask"
	"hermes/internal/event"
	"hermes/internal/question"
)

func with(fields string) string { return strings.Replace(deploy, `{"title"`, `{`+fields+`,"title"`, 1) }

func TestParse_Terms(t *testing.T) {
	after := func(d time.Duration) *time.Duration { return &d }
	for fields, want := range map[string]event.Terms{
		`"context":""`:                        {},
		`"ttl":null,"idempotency_key":null`:   {},
		`"ttl":"5m"`:                          {TTL: after(5 * time.Minute)},
		`"ttl":90`:                            {TTL: after(90 * time.Second)},
		`"ttl":0.5`:                           {TTL: after(500 * time.Millisecond)},
		`"ttl":0,"on_timeout":"wait"`:         {TTL: after(0), OnExpiry: question.ExpireWait},
		`"ttl":"0","on_timeout":"reject"`:     {TTL: after(0), OnExpiry: question.ExpireReject},
		`"on_timeout":"accept-first"`:         {OnExpiry: question.ExpireAccept},
		`"chats":[42,"-1001234567890/5","7"]`: {Cards: []question.Card{{Chat: 42}, {Chat: -1001234567890, Topic: 5}, {Chat: 7}}},
		`"chats":[]`:                          {},
	} {
		got, err := ask.Parse([]byte(with(fields)))
		if err != nil || !reflect.DeepEqual(got.Terms, want) || got.Request.ID != "" || got.Request.Digest != "" {
			t.Errorf("%s: got %+v, %v, want %+v", fields, got.Terms, err, want)
		}
	}
}

func TestParse_ContextAndDefault(t *testing.T) {
	body := strings.Replace(with(`"context":"12 of 12 tests passed."`), `"id":"no"`, `"id":"no","default":true`, 1)
	got, err := ask.Parse([]byte(body))
	if err != nil || got.Request.Context != "12 of 12 tests passed." || !got.Request.Items[0].Options[2].Default || got.Terms.OnExpiry != question.ExpireAccept {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Who sends the same key and body again means the same ask; the form does not matter.
func TestParse_IdempotencyKeys(t *testing.T) {
	parse := func(body string) question.Request {
		t.Helper()
		a, err := ask.Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return a.Request
	}
	first := parse(with(`"idempotency_key":"build 7","chats":[9007199254740993]`))
	if !strings.HasPrefix(string(first.ID), "ask_") || len(first.ID) != 24 || strings.Contains(string(first.ID), "build") {
		t.Errorf("the id is %q", first.ID)
	}
	same := parse(strings.Replace(deploy, `{"title"`, `{ "chats": [9007199254740993], "idempotency_key" : "build 7" , "title"`, 1))
	if same.ID != first.ID || same.Digest != first.Digest {
		t.Errorf("sent again it is %q %q, before it was %q %q", same.ID, same.Digest, first.ID, first.Digest)
	}
	if other := parse(with(`"idempotency_key":"build 7","chats":[9007199254740992]`)); other.ID != first.ID || other.Digest == first.Digest {
		t.Errorf("another body has %q %q", other.ID, other.Digest)
	}
	if other := parse(with(`"idempotency_key":"build 8"`)); other.ID == first.ID {
		t.Error("another key has the same id")
	}
	d := ask.New(func(event.Event) {})
	if id := d.Submit(event.Ask{Request: first}); id != first.ID {
		t.Errorf("it was submitted as %q", id)
	}
}

func TestResultOf_Deadline(t *testing.T) {
	at := time.Date(2026, 11, 21, 14, 5, 0, 0, time.FixedZone("east", 3600))
	if d := ask.ResultOf(question.Thread{Deadline: at}).Deadline; d == nil || d.Format(time.RFC3339) != "2026-11-21T13:05:00Z" {
		t.Errorf("the deadline is %v", d)
	}
	for _, over := range []question.Thread{{}, {Deadline: at, Expired: true}, {Deadline: at, Outcome: &question.Outcome{}}} {
		if d := ask.ResultOf(over).Deadline; d != nil {
			t.Errorf("%+v has the deadline %v", over, d)
		}
	}
}
