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

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// pairThrough is what hermes pair prints beside the rig's daemon.
func pairThrough(r *rig, opts pairOptions) (string, error) {
	r.t.Helper()
	var out bytes.Buffer
	c := r.config
	c.HookToken = hookKey
	p := pairer{hermes: toRunning(c, roundTripper(r.roundTrip)), t: newTerminal(nil, &out)}
	err := errors.Join(opts.check(opts.remove != ""), p.run(context.Background(), opts))
	noCanary(r.t, "hermes pair", out.String()+fmt.Sprint(err))
	return out.String(), err
}

// pairingLink makes an invitation.
func pairingLink(r *rig, opts pairOptions) string {
	r.t.Helper()
	out, err := pairThrough(r, opts)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// open has somebody open a link; group is 0 for one of the private chat.
func (r *rig) openLink(user int64, link string, group int64) {
	r.t.Helper()
	if _, err := r.telegram.OpenLink(user, link, group); err != nil {
		r.t.Fatal(err)
	}
	r.wait(2 * time.Second)
}

// enter has somebody open a link, and Ada let them in.
func (r *rig) enter(user int64, link string, group int64) {
	r.t.Helper()
	r.openLink(user, link, group)
	r.tapIn(ada, ada, "✅ Let in")
	r.wait(2 * time.Second)
}

func (r *rig) pairings() question.Pairings {
	r.t.Helper()
	p, err := r.daemon.store.Pairings()
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// said is all that the bot wrote into a chat.
func (r *rig) said(chat int64) []string {
	var list []string
	for _, m := range r.telegram.Messages(chat) {
		if m.FromBot {
			list = append(list, m.Text)
		}
	}
	return list
}

func grouped() pairOptions { return pairOptions{apiInvite: apiInvite{Group: true}} }

const neutral = "🔒 This bot works only for people on its list. Your id is 66, this chat's id is 66."

func TestPairPerson(t *testing.T) {
	play(t, nil, func(r *rig) {
		link := pairingLink(r, pairOptions{apiInvite: apiInvite{Name: "Evelyn"}})
		r.openLink(eve, link, 0)
		if said := r.said(eve); len(said) != 1 || !strings.HasPrefix(said[0], "⏳ Waiting for somebody to let you in") || len(r.pairings().Guests) != 0 {
			t.Errorf("before Ada's tap Eve is told %q, and in are %+v", said, r.pairings().Guests)
		}
		r.tapIn(ada, ada, "✅ Let in")
		r.wait(2 * time.Second)
		if said := r.said(eve); len(said) != 2 || !strings.HasPrefix(said[0], "✅ You were let in") || said[1] != "👋 Hello, Eve. Questions from your agents come here." {
			t.Errorf("greeted with %q", said)
		}
		_, call := r.ask(database())
		r.tapIn(eve, eve, "2.")
		r.wait(2 * time.Second)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		r.screenIn(ada, "→ PostgreSQL (Recommended)", "Eve")
		made, used := r.journal(question.EntryInvited), r.journal(question.EntryPaired)
		if len(made) != 1 || len(used) != 1 || made[0].Thread != used[0].Thread || made[0].By != question.OverAPI() ||
			used[0].By != (question.Actor{Kind: question.Person, User: eve, Name: "Eve", Chat: eve}) || used[0].Detail != "person" {
			t.Errorf("the journal says %+v, %+v", made, used)
		}
		_, code, _ := strings.Cut(link, "?start=")
		if audit := runAudit(r, auditOptions{json: true}); strings.Contains(r.log.String()+audit, code) {
			t.Error("the link's code is in the log or the journal")
		}
	})
}

func TestPairGroup(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.addTeam(false)
		if err := r.telegram.Leave(bob, team); err != nil {
			t.Fatal(err)
		}
		link := pairingLink(r, grouped())
		if _, err := r.telegram.OpenLink(eve, link, 0); err == nil {
			t.Error("a link for groups opens a private chat")
		}
		r.enter(eve, link, team)
		if said := r.said(team); len(said) != 2 || !strings.HasPrefix(said[0], "✅ This group was let in") || said[1] != "👋 Hello, Eve. Questions from your agents come here." {
			t.Errorf("greeted with %q", said)
		}
		_, call := r.ask(database())
		if len(r.said(eve)) != 0 {
			t.Error("the private chat gets questions too")
		}
		r.tapIn(eve, team, "1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
		if p := r.pairings(); len(p.Guests) != 1 || p.Guests[0].Chat != 0 || len(p.Groups) != 1 || p.Groups[0].Chat != team || p.Groups[0].By != eve {
			t.Errorf("paired are %+v", p)
		}
	})
}

// The second to open a link is a stranger like all others: told so once, then not
// at all.
func TestLinkWorksOnce(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.telegram.AddUser(telegram.User{ID: 77, FirstName: "Dan", LanguageCode: "en"})
		link := pairingLink(r, pairOptions{})
		r.enter(77, link, 0)
		for range 3 {
			r.openLink(eve, link, 0)
		}
		r.openLink(eve, "https://t.me/hermes_bot?start=made-up", 0)
		r.sayIn(eve, eve, "/start", 0)
		r.sayIn(eve, eve, "hello?", 0)
		if said := r.said(eve); len(said) != 1 || said[0] != neutral {
			t.Errorf("Eve was told %q", said)
		}
		if p := r.pairings(); len(p.Guests) != 1 || p.Guests[0].User != 77 {
			t.Errorf("paired are %+v", p)
		}
		r.refused("invitation-used") // the others of the same day are counted
		if text := r.measured(); !strings.Contains(text, "hermes_strangers_total 6\n") {
			t.Errorf("strangers are not counted:\n%s", text)
		}
		r.openLink(77, link, 0)
		if said := r.said(77); len(said) != 3 || said[2] != said[1] {
			t.Errorf("who is in and opens it again is told %q", said)
		}
	})
}

func TestLinkExpires(t *testing.T) {
	play(t, nil, func(r *rig) {
		late, inTime := pairingLink(r, pairOptions{}), pairingLink(r, pairOptions{})
		r.wait(question.InvitedFor - 30*time.Second)
		r.openLink(bob, inTime, 0) // who is configured uses it up all the same
		r.wait(time.Minute)
		r.openLink(eve, late, 0)
		if said := r.said(eve); len(said) != 1 || said[0] != neutral {
			t.Errorf("Eve was told %q", said)
		}
		if p := r.pairings(); len(p.Guests) != 0 {
			t.Errorf("paired are %+v", p)
		}
		r.refused("invitation-expired")
		if out, err := pairThrough(r, pairOptions{list: true}); err != nil || !strings.HasPrefix(out, "Nobody was let in") {
			t.Errorf("listed %q, %v", out, err)
		}
	})
}

// A link is opened while hermes is down, and hermes comes back after its time.
func TestLinkOpenedWhileHermesIsDown(t *testing.T) {
	play(t, nil, func(r *rig) {
		link := pairingLink(r, pairOptions{})
		r.halt()
		r.wait(time.Minute)
		if _, err := r.telegram.OpenLink(eve, link, 0); err != nil {
			t.Fatal(err)
		}
		r.wait(time.Hour)
		r.start()
		r.wait(5 * time.Second)
		r.tapIn(ada, ada, "✅ Let in")
		r.wait(2 * time.Second)
		_, call := r.ask(database())
		r.tapIn(eve, eve, "1.")
		r.wait(2 * time.Second)
		r.got(call, []string{"SQLite"})
	})
}

// Hermes is killed at each operation from when the link is opened until Eve is in, with
// and without the effect of that one. With a webhook the update is stored before it is handled.
func TestKilledWhilePairing(t *testing.T) {
	for _, hook := range []bool{false, true} {
		for _, after := range []bool{false, true} {
			killed := []string{}
			for at := 1; !t.Failed(); at++ {
				var what string
				synctest.Test(t, func(t *testing.T) { what = killedPairing(t, hook, &killer{at: -1, after: after}, at) })
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
func killedPairing(t *testing.T, hook bool, k *killer, at int) string {
	r := makeRig(t, opencode.VersionNew, func(c *config) {
		if hook {
			c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/hook", hookSecret
		}
	})
	l := &life{rig: r, killer: k}
	r.wrap = l.around
	r.start()
	if _, err := r.telegram.Say(ada, ada, "/start"); err != nil {
		t.Fatal(err)
	}
	l.pass(10 * time.Second)
	link := pairingLink(r, pairOptions{})
	l.mu.Lock()
	l.at = l.count + at
	l.mu.Unlock()
	if _, err := r.telegram.OpenLink(eve, link, 0); err != nil {
		t.Fatal(err)
	}
	l.pass(5 * time.Second)
	l.pressWherever("✅ Let in")
	l.pass(5 * time.Second)
	what := l.killed()
	l.rig.wait(2 * time.Minute)
	if p := r.pairings(); len(p.Guests) != 1 || p.Guests[0].User != eve || len(p.Invitations) != 1 || p.Invitations[0].Used.IsZero() {
		t.Errorf("paired are %+v", p)
	}
	for _, kind := range []question.EntryKind{question.EntryOpened, question.EntryAnswered, question.EntryPaired} {
		if n := len(r.journal(kind)); n != 1 {
			t.Errorf("the journal has %q %d times", kind, n)
		}
	}
	for chat, end := range map[int64]string{ada: "Let in by Ada ·", eve: "You were let in ·"} {
		for _, m := range r.telegram.Messages(chat) {
			if len(m.Rows) > 0 || strings.Contains(m.Text, "Waiting for somebody") {
				t.Errorf("in chat %d it still waits:\n%s", chat, r.telegram.History(chat))
			}
		}
		if !strings.Contains(r.telegram.Transcript(chat), end) {
			t.Errorf("chat %d does not say %q:\n%s", chat, end, r.telegram.History(chat))
		}
	}
	if inbox, err := r.daemon.store.Inbox(); err != nil || len(inbox) > 0 {
		t.Errorf("%d updates wait, %v", len(inbox), err)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v", at, what, k.after)
	}
	r.stop()
	<-r.ended
	r.close()
	return what
}

func TestPairListAndRemove(t *testing.T) {
	play(t, nil, func(r *rig) {
		r.addTeam(false)
		r.enter(eve, pairingLink(r, pairOptions{}), 0)
		r.enter(ada, pairingLink(r, grouped()), team)
		unused := pairingLink(r, pairOptions{apiInvite: apiInvite{Name: "Dan"}})
		_, call := r.ask(database())
		card := r.lastIn(eve)
		open := ""
		for _, i := range r.pairings().Invitations {
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
		if n := len(r.journal(question.EntryUnpaired)); n != 3 {
			t.Errorf("the journal has %d removals", n)
		}
		r.openLink(eve, unused, 0)
		r.wait(2 * time.Second)
		wantAlert(t, "a removed person's tap", r.forge(eve, eve, card.ID, r.data(card, "1.")), saysEve)
		r.unanswered(call)
		before := len(r.said(eve)) + len(r.said(team))
		r.ask(database())
		if p := r.pairings(); len(p.Guests)+len(p.Groups) != 0 || len(r.said(eve))+len(r.said(team)) != before {
			t.Errorf("paired are %+v", p)
		}
	})
}

func TestPairThatCannot(t *testing.T) {
	play(t, nil, func(r *rig) {
		if _, err := pairThrough(r, pairOptions{apiInvite: apiInvite{Roles: []string{"dev"}}}); err == nil || !strings.Contains(err.Error(), "roles mean nothing without a rules file") {
			t.Errorf("a role without rules: %v", err)
		}
		r.telegram.FailNext("getMe", telegram.Fault{Kind: telegram.BadGateway})
		if _, err := pairThrough(r, pairOptions{}); err == nil || !strings.Contains(err.Error(), "Telegram does not tell the bot's name now") {
			t.Errorf("without Telegram: %v", err)
		}
		for _, body := range []string{`{"group":1}`, `{"token":"x"}`, `{}{}`, ``, `{"name":"\u202e"}`, `{"roles":[""]}`, `{"name":" x"}`} {
			if code, text := r.request("POST", "/v1/pair", body); code != http.StatusBadRequest {
				t.Errorf("%s gave %d %s", body, code, text)
			}
		}
		for _, call := range [][2]string{{"POST", "/v1/pair"}, {"GET", "/v1/pair"}, {"DELETE", "/v1/pair/66"}} {
			if code, _ := r.request(call[0], call[1], "{}", "Authorization", ""); code != http.StatusUnauthorized {
				t.Errorf("%v without a token gave %d", call, code)
			}
		}
		if n := len(r.pairings().Invitations); n != 0 {
			t.Errorf("%d invitations were made", n)
		}
		p := pairer{hermes: toRunning(r.config, roundTripper(nobody)), t: newTerminal(nil, &bytes.Buffer{})}
		if err := p.run(context.Background(), pairOptions{}); err == nil || !strings.Contains(err.Error(), "no hermes runs at http://127.0.0.1:4097") {
			t.Errorf("without hermes: %v", err)
		}
	})
}

// In a terminal there is a picture, whose text is the link.
func TestPairInATerminal(t *testing.T) {
	play(t, nil, func(r *rig) {
		var out bytes.Buffer
		c := r.config
		c.HookToken = hookKey
		p := pairer{hermes: toRunning(c, roundTripper(r.roundTrip)), t: newTerminal(nil, &out), picture: true}
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
func TestPairWaits(t *testing.T) {
	for want, live := range map[string]func(*rig, string){
		"✓ Eve (66) is in.": func(r *rig, link string) { r.enter(eve, link, 0) },
		"! Eve (66) was not let in (refused).": func(r *rig, link string) {
			r.openLink(eve, link, 0)
			r.tapIn(ada, ada, "🚫 Refuse")
		},
		"! Eve (66) was not let in (expired).":                    func(r *rig, link string) { r.openLink(eve, link, 0); r.wait(question.InvitedFor) },
		"! Nobody opened the link in time, and it works no more.": func(r *rig, _ string) { r.wait(question.InvitedFor + time.Minute) },
	} {
		play(t, nil, func(r *rig) {
			var out lockedBuffer
			c := r.config
			c.HookToken = hookKey
			p := pairer{hermes: toRunning(c, roundTripper(r.roundTrip)), t: newTerminal(nil, &out), picture: true, waits: true}
			ended := make(chan error, 1)
			go func() { ended <- p.run(context.Background(), pairOptions{}) }()
			r.wait(2 * time.Second)
			_, link, _ := strings.Cut(out.String(), "https://")
			link, _, _ = strings.Cut("https://"+link, "\n")
			live(r, strings.TrimSpace(link))
			r.wait(2 * time.Second)
			if err := <-ended; err != nil || !strings.HasSuffix(out.String(), want+"\n") {
				t.Errorf("%v, %q is not the end of\n%s", err, want, out.String())
			}
			if opened := strings.Contains(out.String(), "Eve (66) has opened it, and waits until user 42 or user 43 lets them in."); opened == strings.Contains(want, "Nobody") {
				t.Errorf("it said\n%s", out.String())
			}
		})
	}
}

func TestPairFlags(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--list --remove 66", "--list: goes with no other flag"},
		{"--list --group", "--list: goes with no other flag"},
		{"--remove 66 --role dev", "--remove: goes with no other flag"},
		{"--remove=", "--remove: is empty"},
		{"--role=", "--name or --role: a role has"},
		{"--name=\u202e", "--name or --role: a name has"},
		{"extra", "unknown command"},
	} {
		isolate(t)
		var out, errs bytes.Buffer
		code := run(append([]string{"pair"}, strings.Fields(test.args)...), streams{in: strings.NewReader(""), out: &out, err: &errs})
		if code != exitUsage || !strings.Contains(errs.String(), test.want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %s%s", test.args, code, out.String(), errs.String())
		}
	}
}

func TestAuditTellsOfPairing(t *testing.T) {
	for _, c := range []struct {
		e    question.Entry
		want string
	}{
		{question.Entry{Kind: question.EntryInvited, Detail: "group", Note: "dev, ops"}, `for a group with roles "dev, ops"`},
		{question.Entry{Kind: question.EntryPaired, Detail: "person"}, "let in: person"},
		{question.Entry{Kind: question.EntryUnpaired, Detail: "person", Note: "Eve (66)"}, `removed: person "Eve (66)"`},
		{question.Entry{Kind: question.EntryRefused, Detail: "invitation-used"}, "without effect: invitation-used"},
	} {
		got := entryEvent(apiEntry{Kind: c.e.Kind, Detail: c.e.Detail, Note: c.e.Note})
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
