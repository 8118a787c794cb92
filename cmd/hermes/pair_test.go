package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

// pairThrough is what hermes pair prints beside the rig's daemon.
func pairThrough(r *rig.Rig, opts pairOptions) (string, error) {
	r.T.Helper()
	var out bytes.Buffer
	c := r.Config
	c.HookToken = rig.HookKey
	p := pairer{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), t: console.NewTerminal(nil, &out)}
	err := errors.Join(opts.check(opts.remove != ""), p.run(context.Background(), opts))
	rig.NoCanary(r.T, "hermes pair", out.String()+fmt.Sprint(err))
	return out.String(), err
}

// pairingLink makes an invitation.
func pairingLink(r *rig.Rig, opts pairOptions) string {
	r.T.Helper()
	out, err := pairThrough(r, opts)
	if err != nil {
		r.T.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func grouped() pairOptions { return pairOptions{Invite: api.Invite{Group: true}} }

const neutral = "🔒 This bot works only for people on its list. Your id is 66, this chat's id is 66."

func TestPair_Person(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		link := pairingLink(r, pairOptions{Invite: api.Invite{Name: "Evelyn"}})
		r.OpenLink(rig.Eve, link, 0)
		if said := r.MessagesTo(rig.Eve); len(said) != 1 || !strings.HasPrefix(said[0], "⏳ Waiting for somebody to let you in") || len(r.Pairings().Guests) != 0 {
			t.Errorf("before Ada's tap Eve is told %q, and in are %+v", said, r.Pairings().Guests)
		}
		r.TapIn(rig.Ada, rig.Ada, "✅ Let in")
		r.Wait(2 * time.Second)
		if said := r.MessagesTo(rig.Eve); len(said) != 2 || !strings.HasPrefix(said[0], "✅ You were let in") || said[1] != "👋 Hello, Eve. Questions from your agents come here." {
			t.Errorf("greeted with %q", said)
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		r.TapIn(rig.Eve, rig.Eve, "2.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		r.WantScreenIn(rig.Ada, "→ PostgreSQL (Recommended)", "Eve")
		made, used := r.Journal(storage.EntryInvited), r.Journal(storage.EntryPaired)
		if len(made) != 1 || len(used) != 1 || made[0].Thread != used[0].Thread || made[0].By != question.OverAPI() ||
			used[0].By != (question.Actor{Kind: question.Person, User: rig.Eve, Name: "Eve", Chat: rig.Eve}) || used[0].Detail != "person" {
			t.Errorf("the journal says %+v, %+v", made, used)
		}
		_, code, _ := strings.Cut(link, "?start=")
		if audit := runAudit(r, auditOptions{json: true}); strings.Contains(r.Log.String()+audit, code) {
			t.Error("the link's code is in the log or the journal")
		}
	})
}

func TestPair_Group(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.AddTeam(false)
		if err := r.Telegram.Leave(rig.Bob, rig.Team); err != nil {
			t.Fatal(err)
		}
		link := pairingLink(r, grouped())
		if _, err := r.Telegram.OpenLink(rig.Eve, link, 0); err == nil {
			t.Error("a link for groups opens a private chat")
		}
		r.EnterByLink(rig.Eve, link, rig.Team)
		if said := r.MessagesTo(rig.Team); len(said) != 2 || !strings.HasPrefix(said[0], "✅ This group was let in") || said[1] != "👋 Hello, Eve. Questions from your agents come here." {
			t.Errorf("greeted with %q", said)
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		if len(r.MessagesTo(rig.Eve)) != 0 {
			t.Error("the private chat gets questions too")
		}
		r.TapIn(rig.Eve, rig.Team, "1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
		if p := r.Pairings(); len(p.Guests) != 1 || p.Guests[0].Chat != 0 || len(p.Groups) != 1 || p.Groups[0].Chat != rig.Team || p.Groups[0].By != rig.Eve {
			t.Errorf("paired are %+v", p)
		}
	})
}

// The second to open a link is a stranger like all others: told so once, then not
// at all.
func TestPair_LinkWorksOnce(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Telegram.AddUser(telegram.User{ID: 77, FirstName: "Dan", LanguageCode: "en"})
		link := pairingLink(r, pairOptions{})
		r.EnterByLink(77, link, 0)
		for range 3 {
			r.OpenLink(rig.Eve, link, 0)
		}
		r.OpenLink(rig.Eve, "https://t.me/hermes_bot?start=made-up", 0)
		r.SayIn(rig.Eve, rig.Eve, "/start", 0)
		r.SayIn(rig.Eve, rig.Eve, "hello?", 0)
		if said := r.MessagesTo(rig.Eve); len(said) != 1 || said[0] != neutral {
			t.Errorf("Eve was told %q", said)
		}
		if p := r.Pairings(); len(p.Guests) != 1 || p.Guests[0].User != 77 {
			t.Errorf("paired are %+v", p)
		}
		r.WantRefusals("invitation-used") // the others of the same day are counted
		if text := r.Metrics(); !strings.Contains(text, "hermes_strangers_total 6\n") {
			t.Errorf("strangers are not counted:\n%s", text)
		}
		r.OpenLink(77, link, 0)
		if said := r.MessagesTo(77); len(said) != 3 || said[2] != said[1] {
			t.Errorf("who is in and opens it again is told %q", said)
		}
	})
}

func TestPair_LinkExpires(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		late, inTime := pairingLink(r, pairOptions{}), pairingLink(r, pairOptions{})
		r.Wait(storage.InvitedFor - 30*time.Second)
		r.OpenLink(rig.Bob, inTime, 0) // who is configured uses it up all the same
		r.Wait(time.Minute)
		r.OpenLink(rig.Eve, late, 0)
		if said := r.MessagesTo(rig.Eve); len(said) != 1 || said[0] != neutral {
			t.Errorf("Eve was told %q", said)
		}
		if p := r.Pairings(); len(p.Guests) != 0 {
			t.Errorf("paired are %+v", p)
		}
		r.WantRefusals("invitation-expired")
		if out, err := pairThrough(r, pairOptions{list: true}); err != nil || !strings.HasPrefix(out, "Nobody was let in") {
			t.Errorf("listed %q, %v", out, err)
		}
	})
}

// A link is opened while hermes is down, and hermes comes back after its time.
func TestPair_LinkOpenedWhileHermesIsDown(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		link := pairingLink(r, pairOptions{})
		r.Halt()
		r.Wait(time.Minute)
		if _, err := r.Telegram.OpenLink(rig.Eve, link, 0); err != nil {
			t.Fatal(err)
		}
		r.Wait(time.Hour)
		r.Start()
		r.Wait(5 * time.Second)
		r.TapIn(rig.Ada, rig.Ada, "✅ Let in")
		r.Wait(2 * time.Second)
		_, call := r.Ask(rig.DatabaseQuestion())
		r.TapIn(rig.Eve, rig.Eve, "1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

// Hermes is killed at each operation from when the link is opened until Eve is in, with
// and without the effect of that one. With a webhook the update is stored before it is handled.
func TestPair_KilledWhilePairing(t *testing.T) {
	for _, hook := range []bool{false, true} {
		for _, after := range []bool{false, true} {
			killed := []string{}
			for at := 1; !t.Failed(); at++ {
				var what string
				synctest.Test(t, func(t *testing.T) { what = killedPairing(t, hook, &rig.Killer{At: -1, After: after}, at) })
				if killed = append(killed, what); what == "" {
					break
				}
			}
			// While polling, the next poll and the reply come in any order.
			if all := strings.Join(killed, ", "); !strings.Contains(all, "write, ") ||
				hook && (!strings.Contains(all, "write, write, ") || !strings.Contains(all, "POST sendMessage")) {
				t.Errorf("with a webhook: %v, killed only at %s", hook, all)
			}
		}
	}
}

// killedPairing kills hermes at one operation after the link was opened, and says
// what that was.
func killedPairing(t *testing.T, hook bool, k *rig.Killer, at int) string {
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		if hook {
			c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/hook", rig.HookSecret
		}
	})
	l := &rig.Life{Rig: r, Killer: k}
	r.Wrap = l.Around
	r.Start()
	if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	l.Pass(10 * time.Second)
	link := pairingLink(r, pairOptions{})
	l.Mu.Lock()
	l.At = l.Count + at
	l.Mu.Unlock()
	if _, err := r.Telegram.OpenLink(rig.Eve, link, 0); err != nil {
		t.Fatal(err)
	}
	l.Pass(5 * time.Second)
	l.PressWherever("✅ Let in")
	l.Pass(5 * time.Second)
	what := l.Killed()
	l.Rig.Wait(2 * time.Minute)
	if p := r.Pairings(); len(p.Guests) != 1 || p.Guests[0].User != rig.Eve || len(p.Invitations) != 1 || p.Invitations[0].Used.IsZero() {
		t.Errorf("paired are %+v", p)
	}
	for _, kind := range []storage.EntryKind{storage.EntryOpened, storage.EntryAnswered, storage.EntryPaired} {
		if n := len(r.Journal(kind)); n != 1 {
			t.Errorf("the journal has %q %d times", kind, n)
		}
	}
	for chat, end := range map[int64]string{rig.Ada: "Let in by Ada ·", rig.Eve: "You were let in ·"} {
		for _, m := range r.Telegram.Messages(chat) {
			if len(m.Rows) > 0 || strings.Contains(m.Text, "Waiting for somebody") {
				t.Errorf("in chat %d it still waits:\n%s", chat, r.Telegram.History(chat))
			}
		}
		if !strings.Contains(r.Telegram.Transcript(chat), end) {
			t.Errorf("chat %d does not say %q:\n%s", chat, end, r.Telegram.History(chat))
		}
	}
	if inbox, err := r.Daemon.Store.Inbox(); err != nil || len(inbox) > 0 {
		t.Errorf("%d updates wait, %v", len(inbox), err)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", at, what, k.After)
	}
	r.Stop()
	<-r.Ended
	r.Close()
	return what
}

func TestPair_ListAndRemove(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.AddTeam(false)
		r.EnterByLink(rig.Eve, pairingLink(r, pairOptions{}), 0)
		r.EnterByLink(rig.Ada, pairingLink(r, grouped()), rig.Team)
		unused := pairingLink(r, pairOptions{Invite: api.Invite{Name: "Dan"}})
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.LastIn(rig.Eve)
		open := ""
		for _, i := range r.Pairings().Invitations {
			if i.Used.IsZero() {
				open = string(i.ID)
			}
		}
		out, err := pairThrough(r, pairOptions{list: true})
		for _, want := range []string{"person     66              Eve, since 2000-01-01 00:", "group      -1001234567890  since 2000-01-01 00:", "by user 42", "open link  " + open + "    for a person Dan, until 2000-01-01 00:1"} {
			if err != nil || !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s%v", want, out, err)
			}
		}
		for id, want := range map[string]string{"66": "Removed: person Eve (66)\n", "-1001234567890": "Removed: group -1001234567890\n", open: "Removed: invitation " + open + "\n"} {
			if out, err := pairThrough(r, pairOptions{remove: id}); out != want || err != nil {
				t.Errorf("removing %s says %q, %v", id, out, err)
			}
		}
		for _, id := range []string{"66", "42", "../questions", "AAAAAAAAAAAA"} {
			if _, err := pairThrough(r, pairOptions{remove: id}); err == nil || !strings.Contains(err.Error(), "nobody of this id was paired") {
				t.Errorf("removing %s says %v", id, err)
			}
		}
		if n := len(r.Journal(storage.EntryUnpaired)); n != 3 {
			t.Errorf("the journal has %d removals", n)
		}
		r.OpenLink(rig.Eve, unused, 0)
		r.Wait(2 * time.Second)
		rig.WantAlert(t, "a removed person's tap", r.ForgeTap(rig.Eve, rig.Eve, card.ID, r.Data(card, "1.")), rig.SaysEve)
		r.WantNoAnswer(call)
		before := len(r.MessagesTo(rig.Eve)) + len(r.MessagesTo(rig.Team))
		r.Ask(rig.DatabaseQuestion())
		if p := r.Pairings(); len(p.Guests)+len(p.Groups) != 0 || len(r.MessagesTo(rig.Eve))+len(r.MessagesTo(rig.Team)) != before {
			t.Errorf("paired are %+v", p)
		}
	})
}

func TestPair_ThatCannot(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if _, err := pairThrough(r, pairOptions{Invite: api.Invite{Roles: []string{"dev"}}}); err == nil || !strings.Contains(err.Error(), "roles mean nothing without a rules file") {
			t.Errorf("a role without rules: %v", err)
		}
		r.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.BadGateway})
		if _, err := pairThrough(r, pairOptions{}); err == nil || !strings.Contains(err.Error(), "Telegram does not tell the bot's name now") {
			t.Errorf("without Telegram: %v", err)
		}
		for _, body := range []string{`{"group":1}`, `{"token":"x"}`, `{}{}`, ``, `{"name":"\u202e"}`, `{"roles":[""]}`, `{"name":" x"}`} {
			if code, text := r.Request("POST", "/v1/pair", body); code != http.StatusBadRequest {
				t.Errorf("%s gave %d %s", body, code, text)
			}
		}
		for _, call := range [][2]string{{"POST", "/v1/pair"}, {"GET", "/v1/pair"}, {"DELETE", "/v1/pair/66"}} {
			if code, _ := r.Request(call[0], call[1], "{}", "Authorization", ""); code != http.StatusUnauthorized {
				t.Errorf("%v without a token gave %d", call, code)
			}
		}
		if n := len(r.Pairings().Invitations); n != 0 {
			t.Errorf("%d invitations were made", n)
		}
		p := pairer{hermes: apiclient.New(r.Config, rig.RoundTripper(nobody)), t: console.NewTerminal(nil, &bytes.Buffer{})}
		if err := p.run(context.Background(), pairOptions{}); err == nil || !strings.Contains(err.Error(), "no hermes runs at http://127.0.0.1:4097") {
			t.Errorf("without hermes: %v", err)
		}
	})
}

// In a terminal there is a picture, whose text is the link.
func TestPair_InATerminal(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		var out bytes.Buffer
		c := r.Config
		c.HookToken = rig.HookKey
		p := pairer{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), t: console.NewTerminal(nil, &out), picture: true}
		if err := p.run(context.Background(), grouped()); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"choose the group", "▄", "https://t.me/hermes_bot?startgroup=", "It works once, until 00:10"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in\n%s", want, out.String())
			}
		}
	})
}

// In a terminal hermes pair tells what becomes of its link.
func TestPair_Waits(t *testing.T) {
	for want, live := range map[string]func(*rig.Rig, string){
		"✓ Eve (66) is in.": func(r *rig.Rig, link string) { r.EnterByLink(rig.Eve, link, 0) },
		"! Eve (66) was not let in (refused).": func(r *rig.Rig, link string) {
			r.OpenLink(rig.Eve, link, 0)
			r.TapIn(rig.Ada, rig.Ada, "🚫 Refuse")
		},
		"! Eve (66) was not let in (expired).":                     func(r *rig.Rig, link string) { r.OpenLink(rig.Eve, link, 0); r.Wait(storage.InvitedFor) },
		"! Nobody opened the link in time, so it no longer works.": func(r *rig.Rig, _ string) { r.Wait(storage.InvitedFor + time.Minute) },
	} {
		rig.Play(t, nil, func(r *rig.Rig) {
			var out testenv.LockedBuffer
			c := r.Config
			c.HookToken = rig.HookKey
			p := pairer{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), t: console.NewTerminal(nil, &out), picture: true, waits: true}
			ended := make(chan error, 1)
			go func() { ended <- p.run(context.Background(), pairOptions{}) }()
			r.Wait(2 * time.Second)
			_, link, _ := strings.Cut(out.String(), "https://")
			link, _, _ = strings.Cut("https://"+link, "\n")
			live(r, strings.TrimSpace(link))
			r.Wait(2 * time.Second)
			if err := <-ended; err != nil || !strings.HasSuffix(out.String(), want+"\n") {
				t.Errorf("%v, %q is not the end of\n%s", err, want, out.String())
			}
			if opened := strings.Contains(out.String(), "Eve (66) has opened it, and waits until user 42 or user 43 lets them in."); opened == strings.Contains(want, "Nobody") {
				t.Errorf("it said\n%s", out.String())
			}
		})
	}
}

func TestPair_Flags(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--list --remove 66", "--list: goes with no other flag"},
		{"--list --group", "--list: goes with no other flag"},
		{"--remove 66 --role dev", "--remove: goes with no other flag"},
		{"--remove=", "--remove: is empty"},
		{"--role=", "--name or --role: a role has"},
		{"--name=\u202e", "--name or --role: a name has"},
		{"extra", `pair: takes no arguments, but was given "extra"`},
	} {
		testenv.Isolate(t)
		var out, errs bytes.Buffer
		code := run(append([]string{"pair"}, strings.Fields(test.args)...), streams{in: strings.NewReader(""), out: &out, err: &errs})
		if code != exitUsage || !strings.Contains(errs.String(), test.want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %s%s", test.args, code, out.String(), errs.String())
		}
	}
}

func TestPair_AuditTellsOfPairing(t *testing.T) {
	for _, c := range []struct {
		e    storage.Entry
		want string
	}{
		{storage.Entry{Kind: storage.EntryInvited, Detail: "group", Note: "dev, ops"}, `for a group with roles "dev, ops"`},
		{storage.Entry{Kind: storage.EntryPaired, Detail: "person"}, "let in: person"},
		{storage.Entry{Kind: storage.EntryUnpaired, Detail: "person", Note: "Eve (66)"}, `removed: person "Eve (66)"`},
		{storage.Entry{Kind: storage.EntryRefused, Detail: "invitation-used"}, "without effect: invitation-used"},
	} {
		got := entryEvent(api.Entry{Kind: c.e.Kind, Detail: c.e.Detail, Note: c.e.Note})
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
