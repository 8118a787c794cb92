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

// A bot that was told to join no groups is in none: Telegram would not say why nobody can choose one.
func TestPair_GroupWhereNoneIsJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStoppedOn(t, opencode.VersionNew, telegram.Options{NoGroups: true}, nil)
		r.Start()
		defer r.End()
		if out, err := pairThrough(r, grouped()); err == nil || !strings.Contains(err.Error(), "send /setjoingroups to @BotFather, choose Enable") || out != "" {
			t.Errorf("%q, %v", out, err)
		}
		pairingLink(r, pairOptions{Invite: api.Invite{Name: "Evelyn"}})
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
			c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/hook", "webhook-canary"
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
	l.Pass(2 * time.Minute)
	if p := r.Pairings(); len(p.Guests) != 1 || p.Guests[0].User != rig.Eve || len(p.Invitations) != 1 || p.Invitations[0].Used.IsZero() {
		t.Errorf("paired are %+v", p)
	}
	for _, kind := range []storage.EntryKind{storage.EntryOpened, storage.EntryAnswered, storage.EntryPaired} {
		if n := len(r.Journal(kind)); n != 1 {
			t.Errorf("the journal has %q %d times", kind, n)
		}
	}
	l.TapCopies(rig.Ada, rig.Ada, l.MayCopy())
	for chat, end := range map[int64]string{rig.Ada: "Let in by Ada ·", rig.Eve: "You were let in ·"} {
		waits, copies := 0, 0
		for _, m := range r.Telegram.Messages(chat) {
			if len(m.Rows) > 0 || strings.Contains(m.Text, "Waiting for somebody") {
				waits++
			}
		}
		if chat == rig.Eve { // a copy of hers has no button to tap
			copies = l.MayCopy()
		}
		if waits > copies {
			t.Errorf("in chat %d it still waits:\n%s", chat, r.Telegram.History(chat))
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
		enterByLink(r, rig.Eve, pairingLink(r, pairOptions{}), 0)
		enterByLink(r, rig.Ada, pairingLink(r, grouped()), rig.Team)
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

// In a terminal hermes pair tells what becomes of its link.
func TestPair_Waits(t *testing.T) {
	for want, live := range map[string]func(*rig.Rig, string){
		"✓ Eve (66) is in.": func(r *rig.Rig, link string) { enterByLink(r, rig.Eve, link, 0) },
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

// enterByLink has somebody open a link, and Ada let them in.
func enterByLink(r *rig.Rig, user int64, link string, group int64) {
	r.T.Helper()
	r.OpenLink(user, link, group)
	r.TapIn(rig.Ada, rig.Ada, "✅ Let in")
	r.Wait(2 * time.Second)
}
