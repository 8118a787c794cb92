package ask_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/internal/ask"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

const deploy = `{"title":"Release 1.4","questions":[
	{"question_id":"go","question":"Deploy to production?","header":"Deploy","options":[
		{"id":"yes","label":"Yes","description":"at once"},{"id":"skip","label":"Not now"},{"id":"no","label":"Never","cancels":true}]},
	{"question_id":"where","question":"Which regions?","allow_multiple":true,"allow_text":true,"options":[{"id":"1","label":"EU"}]},
	{"question_id":"why","question":"Anything to add?","allow_text":true}]}`

func TestParse(t *testing.T) {
	got, err := ask.Parse([]byte(deploy))
	want := event.Ask{
		Place: session.Place{Title: "Release 1.4"},
		Request: question.Request{Items: []question.Item{
			{ID: "go", Header: "Deploy", Text: "Deploy to production?", Options: []question.Option{
				{ID: "yes", Label: "Yes", Description: "at once"},
				{ID: "skip", Label: "Not now", Cancels: true},
				{ID: "no", Label: "Never", Cancels: true},
			}},
			{ID: "where", Text: "Which regions?", Multiple: true, Custom: true, Options: []question.Option{{ID: "1", Label: "EU"}}},
			{ID: "why", Text: "Anything to add?", Custom: true, Options: []question.Option{}},
		}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// Everything that is refused, by the path of its fault.
func TestParse_Refuses(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(deploy, old, new, 1) }
	for _, test := range []struct{ title, body, path, reason string }{
		{"no JSON", `{"questions"`, "", "must be one JSON object"},
		{"two values", deploy + deploy, "", "must be one JSON object"},
		{"null", `null`, "", "must be one JSON object"},
		{"no questions", `{}`, "questions", "needs at least one"},
		{"null questions", `{"questions":null}`, "questions", "needs at least one"},
		{"questions that are no list", `{"questions":{}}`, "questions", "must be a list"},
		{"a question that is no object", `{"questions":["Deploy?"]}`, "questions[0]", "must be one JSON object"},
		{"a title that is no text", change(`"Release 1.4"`, `1.4`), "title", "must be text"},
		{"an unknown field", change(`"title"`, `"colour":"red","title"`), "colour", "is not a field that hermes knows"},
		{"a ttl that is none", change(`"title"`, `"ttl":"soon","title"`), "ttl", "must be a duration like"},
		{"a ttl that is over", change(`"title"`, `"ttl":-5,"title"`), "ttl", "must be a duration like"},
		{"a ttl without an end", change(`"title"`, `"ttl":1e300,"title"`), "ttl", "must be a duration like"},
		{"a ttl of another kind", change(`"title"`, `"ttl":["5m"],"title"`), "ttl", "must be a duration like"},
		{"an unknown end", change(`"title"`, `"on_timeout":"panic","title"`), "on_timeout", "must be " + question.Alternatives(question.Expiries(), `"`)},
		{"chats that are no list", change(`"title"`, `"chats":42,"title"`), "chats", "must be a list"},
		{"a chat that is none", change(`"title"`, `"chats":[42,"@ada"],"title"`), "chats[1]", "must be the id of a chat"},
		{"a chat without a number", change(`"title"`, `"chats":[4.2],"title"`), "chats[0]", "must be the id of a chat"},
		{"a topic that is none", change(`"title"`, `"chats":["-100/0"],"title"`), "chats[0]", "must be the id of a chat"},
		{"a chat that is null", change(`"title"`, `"chats":[null],"title"`), "chats[0]", "must be the id of a chat"},
		{"an empty key", change(`"title"`, `"idempotency_key":"","title"`), "idempotency_key", "must have 1 to 200"},
		{"a long key", change(`"title"`, `"idempotency_key":"`+strings.Repeat("é", 201)+`","title"`), "idempotency_key", "must have 1 to 200"},
		{"a key that is no text", change(`"title"`, `"idempotency_key":1,"title"`), "idempotency_key", "must be text"},
		{"two defaults", strings.NewReplacer(`"id":"yes"`, `"id":"yes","default":true`, `"id":"no"`, `"id":"no","default":true`).Replace(deploy), "questions[0].options[2].default", "is another option already"},
		{"a default without effect", strings.NewReplacer(`"title"`, `"on_timeout":"reject","title"`, `"id":"1"`, `"id":"1","default":true`).Replace(deploy), "questions[1].options[0].default", "has no effect unless"},
		{"a field in other letters", change(`"title"`, `"Title"`), "Title", "is not a field that hermes knows"},
		{"an unknown field of a question", change(`"header"`, `"heading"`), "questions[0].heading", "is not a field that hermes knows"},
		{"an unknown field of an option", change(`"description"`, `"hint"`), "questions[0].options[0].hint", "is not a field that hermes knows"},
		{"no question id", change(`"go"`, `""`), "questions[0].question_id", "is missing"},
		{"a question id twice", change(`"where"`, `"go"`), "questions[1].question_id", "is another question's already"},
		{"a question id that is no text", change(`"go"`, `7`), "questions[0].question_id", "must be text"},
		{"no question", change(`"Which regions?"`, `" \n"`), "questions[1].question", "is missing"},
		{"a flag that is none", change(`"allow_multiple":true`, `"allow_multiple":"yes"`), "questions[1].allow_multiple", "must be true or false"},
		{"nothing to answer", `{"questions":[{"question_id":"a","question":"A?"}]}`, "questions[0].options", "nothing could be answered"},
		{"no option id", change(`"id":"1",`, ``), "questions[1].options[0].id", "is missing"},
		{"an option id twice", change(`"id":"no"`, `"id":"yes"`), "questions[0].options[2].id", "is another option's already"},
		{"no label", change(`"EU"`, `" "`), "questions[1].options[0].label", "is missing"},
		{"a label twice", change(`"Never"`, `"Yes"`), "questions[0].options[2].label", "is another option's already"},
		{"cancels that is no flag", change(`"cancels":true`, `"cancels":1`), "questions[0].options[2].cancels", "must be true or false"},
	} {
		_, err := ask.Parse([]byte(test.body))
		var fault *ask.Fault
		if !errors.As(err, &fault) || fault.Path != test.path || !strings.HasPrefix(fault.Reason, test.reason) {
			t.Errorf("%s: got %v, want %s: %s", test.title, err, test.path, test.reason)
		}
	}
}

const leave = `{"title":"Claude Code","directory":"/home/ada/src","permission":{"kind":"bash","command":"rm -rf /srv","patterns":["rm -rf /srv"],` +
	`"details":{"timeout":"5","description":"clean"}},"on_timeout":"wait"}`

func TestParse_Permission(t *testing.T) {
	got, err := ask.Parse([]byte(leave))
	want := event.Ask{
		Place: session.Place{Title: "Claude Code"}, Directory: "/home/ada/src", Terms: event.Terms{OnExpiry: question.ExpireWait},
		Request: question.Request{Permission: &question.Permission{
			Kind: "bash", Command: "rm -rf /srv", Patterns: []string{"rm -rf /srv"},
			Details: []question.Detail{{Name: "description", Text: "clean"}, {Name: "timeout", Text: "5"}},
		}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	change := func(old, new string) string { return strings.Replace(leave, old, new, 1) }
	silent := slices.DeleteFunc(question.Expiries(), question.Expiry.Answers)
	for _, test := range []struct{ title, body, path, reason string }{
		{"questions too", change(`{"title"`, `{"questions":[],"title"`), "questions", "do not go with permission"},
		{"a context", change(`{"title"`, `{"context":"x","title"`), "context", "does not go with permission"},
		{"allowed by default", change(`"wait"`, `"accept-first"`), "on_timeout", "must be " + question.Alternatives(silent, `"`)},
		{"options", change(`"kind"`, `"options":[],"kind"`), "permission.options", "is not a field that hermes knows"},
		{"always", change(`"kind"`, `"always":["*"],"kind"`), "permission.always", "is not a field that hermes knows"},
		{"no object", `{"permission":"bash"}`, "permission", "must be one JSON object"},
		{"false", `{"permission":false}`, "permission", "must be one JSON object"},
		{"no kind", change(`"bash"`, `""`), "permission.kind", "must be a word"},
		{"a kind of several words", change(`"bash"`, `"read a file"`), "permission.kind", "must be a word"},
		{"a kind in other letters", change(`"bash"`, `"b\u0430sh"`), "permission.kind", "must be a word"},
		{"no command", change(`"rm -rf /srv",`, `" ",`), "permission.command", "is missing"},
		{"a diff beside a command line", change(`"kind"`, `"diff":"-a","kind"`), "permission.diff", "does not go with bash"},
		{"no command of another kind", `{"permission":{"kind":"edit"}}`, "permission", "needs a command, or patterns"},
		{"a pattern that is empty", change(`["rm -rf /srv"]`, `["a"," "]`), "permission.patterns[1]", "is empty"},
		{"a pattern that is no text", change(`["rm -rf /srv"]`, `[1]`), "permission.patterns", "must be a list of texts"},
		{"a detail that is no text", change(`"5"`, `5`), "permission.details", "must be an object of texts"},
		{"a detail without a name", change(`"timeout"`, `""`), "permission.details", "has an entry without a name"},
		{"too much", change(`"5"`, `"`+strings.Repeat("x", 20_000)+`"`), "permission", "has more than 20000"},
		{"a long path", change(`/home`, strings.Repeat("/x", 2100)), "directory", "must have at most 4096"},
	} {
		_, err := ask.Parse([]byte(test.body))
		var fault *ask.Fault
		if !errors.As(err, &fault) || fault.Path != test.path || !strings.HasPrefix(fault.Reason, test.reason) {
			t.Errorf("%s: got %v, want %s: %s", test.title, err, test.path, test.reason)
		}
	}
	if got, err := ask.Parse([]byte(`{"permission":null,"questions":[{"question_id":"a","question":"A?","allow_text":true}]}`)); err != nil || got.Request.Permission != nil {
		t.Errorf("null: got %+v, %v", got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(deploy)
	f.Add(leave)
	f.Add(`{"questions":[{"question_id":"\ud800","question":"?","options":[null]}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		a, err := ask.Parse([]byte(body))
		var fault *ask.Fault
		if err != nil && !errors.As(err, &fault) || err == nil && (len(a.Request.Items) == 0) == (a.Request.Permission == nil) {
			t.Errorf("%q gives %+v, %v", body, a, err)
		}
	})
}
