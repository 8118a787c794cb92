package bridge_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

const eveChat = chat.ID(14)

// invitation makes an invitation and returns its code.
func (w *world) invitation(alter func(*storage.Invitation)) string {
	w.t.Helper()
	i, code := storage.Invite(time.Now())
	if alter != nil {
		alter(&i)
	}
	if _, err := w.bridge.Invite(w.t.Context(), i); err != nil {
		w.t.Fatal(err)
	}
	return code
}

// command is a command of somebody who calls themselves Eve, in their private chat or elsewhere.
func (w *world) command(user chat.UserID, in chat.ID, text string) {
	word, _, _ := strings.Cut(text[1:], " ")
	w.input(inbound.Input{
		Kind: inbound.Typed, Command: word, Text: text, Chat: in, Private: in > 0, Message: 900, Sent: time.Now(),
		User: chat.User{ID: user, Name: "Eve", Lang: "en"},
	})
}

// open is a person who opens the link of a code.
func (w *world) open(user chat.UserID, chatID chat.ID, code string) {
	w.command(user, chatID, "/start "+code)
	w.wait(time.Second)
}

// enter is a person who opens the link of a code and is let in by Ada.
func (w *world) enter(user chat.UserID, chat chat.ID, code string) {
	w.t.Helper()
	w.open(user, chat, code)
	w.admits(ada, true)
}

// admits has somebody decide, in their private chat, whether whoever waits comes in.
func (w *world) admits(by chat.UserID, in bool) {
	w.t.Helper()
	move := question.WizardInput{Action: question.Dismiss}
	if in {
		move.Action = question.Send
	}
	list, err := w.bridge.Admissions(w.t.Context())
	if err != nil || len(list) != 1 || !w.press(chat.ID(by), by, list[0].Request.ID, move) {
		w.t.Fatalf("%d are to be let in, %v", len(list), err)
	}
	w.wait(time.Second)
}

func (w *world) paired() storage.Pairings {
	w.t.Helper()
	p, err := w.bridge.Paired(w.t.Context())
	stored, err2 := w.store.Pairings()
	if err := errors.Join(err, err2); err != nil || len(p.Guests) != len(stored.Guests) || len(p.Groups) != len(stored.Groups) {
		w.t.Fatalf("in memory %+v, stored %+v, %v", p, stored, err)
	}
	return p
}

// answers has somebody tap the first option of a new question in a chat.
func (w *world) answers(user chat.UserID, chat chat.ID) bool {
	w.t.Helper()
	id := w.askOne()
	if _, _, ok := w.chat.find(chat, id); !ok {
		return false
	}
	w.pick(chat, user, id, 0)
	w.wait(5 * time.Second)
	thread, _, err := w.store.Find(storage.Key{Request: id})
	must(w.t, err)
	return thread.Outcome != nil && thread.Outcome.By.User == user
}

func TestAdmissions_PairedPersonAnswers(t *testing.T) {
	play(t, nil, func(w *world) {
		code := w.invitation(func(i *storage.Invitation) { i.Name = "Evelyn" })
		w.enter(eve, eveChat, code)
		p := w.paired()
		if len(p.Guests) != 1 || p.Guests[0].Name != "Evelyn" || p.Guests[0].Chat != eveChat || len(p.Invitations) != 0 {
			t.Fatalf("paired as %+v", p)
		}
		if n := w.chat.notes[len(w.chat.notes)-1]; w.wasNoted(ui.Greeting(chat.User{ID: eve, Name: "Eve"})) != 1 || n.chat != eveChat {
			t.Errorf("greeted with %+v", n)
		}
		if !w.answers(eve, eveChat) {
			t.Error("Eve's answer does not count")
		}
		w.restart()
		w.wait(time.Second)
		if !w.answers(eve, eveChat) {
			t.Error("Eve's answer does not count after a restart")
		}
		if what, err := w.bridge.Unpair(w.t.Context(), "14"); err != nil || what != "person Evelyn (14)" {
			t.Errorf("removed %q, %v", what, err)
		}
		if w.answers(eve, eveChat) {
			t.Error("questions still go to Eve")
		}
		if _, err := w.bridge.Unpair(w.t.Context(), "14"); !errors.Is(err, bridge.ErrNotPaired) {
			t.Errorf("removed twice: %v", err)
		}
	})
}

func TestAdmissions_LinksThatLetNobodyIn(t *testing.T) {
	play(t, nil, func(w *world) {
		group := w.invitation(func(i *storage.Invitation) { i.Group = true })
		person := w.invitation(nil)
		w.open(eve, eveChat, "no-such-code")
		w.open(eve, eveChat, group)
		w.open(101, 101, group)
		w.open(102, teamChat, person)
		w.open(eve, teamChat, "of-another-bot")
		code := w.invitation(nil)
		made := w.paired().Invitations
		revoked := made[slices.IndexFunc(made, func(i storage.Invitation) bool { return i.Hash == storage.HashCode(code) })].ID
		if what, err := w.bridge.Unpair(w.t.Context(), string(revoked)); err != nil || what != "invitation "+string(revoked) {
			t.Errorf("removed %q, %v", what, err)
		}
		w.open(105, 105, code)
		w.wait(storage.InvitedFor)
		w.open(103, 103, person)
		w.open(104, teamChat, group)
		if p := w.paired(); !p.Empty() {
			t.Errorf("paired are %+v", p)
		}
		var details []string
		for _, e := range w.refusals() {
			details = append(details, e.Detail)
		}
		// One entry for each stranger: that Eve tried a second code is only counted.
		want := []string{"invitation-unknown", "invitation-elsewhere", "invitation-elsewhere", "invitation-unknown", "invitation-expired", "invitation-expired"}
		if !slices.Equal(details, want) {
			t.Errorf("the journal says %v", details)
		}
		var told []chat.ID
		for _, n := range w.chat.notes {
			told = append(told, n.chat)
		}
		if !slices.Equal(told, []chat.ID{eveChat, 101, teamChat, 105, 103}) {
			t.Errorf("strangers were told in %v", told)
		}
	})
}

// Who is in the configuration has no second way in.
func TestAdmissions_KnownPersonOpensALink(t *testing.T) {
	alter := func(c *bridge.Config) { c.Rules = team(t, leads).WithDefault(policy.Target{Chat: teamChat}) }
	play(t, alter, func(w *world) {
		for _, roles := range [][]string{nil, {"boss"}} {
			i, _ := storage.Invite(time.Now())
			i.Roles = roles
			var invalid *bridge.Invalid
			if _, err := w.bridge.Invite(w.t.Context(), i); !errors.As(err, &invalid) {
				t.Errorf("roles %v: %v", roles, err)
			}
		}
		lead := func(i *storage.Invitation) { i.Roles = []string{"lead"} }
		w.open(bob, bobChat, w.invitation(lead))
		if p := w.paired(); len(p.Guests) != 0 {
			t.Errorf("Bob got roles by a link: %+v", p)
		}
		w.enter(eve, eveChat, w.invitation(lead))
		id := w.askOne()
		w.answersWith(teamChat, eve, id, 0, "SQLite")
		must(t, w.bridge.SetRules(w.t.Context(), team(t, "\n[[rule]]\nname = \"devs\"\nroles = \"dev\"\nchats = [-5]\n")))
		if w.answers(eve, teamChat) {
			t.Error("a guest's role outlived the rule that gave it a right")
		}
	})
}

func TestAdmissions_PairedGroup(t *testing.T) {
	play(t, nil, func(w *world) {
		group := func(i *storage.Invitation) { i.Group = true }
		w.enter(ada, teamChat, w.invitation(group))
		if p := w.paired(); len(p.Guests) != 0 || len(p.Groups) != 1 || p.Groups[0].By != ada {
			t.Errorf("paired as %+v", p)
		}
		if !w.answers(bob, teamChat) {
			t.Error("the group gets no questions")
		}
		w.input(inbound.Input{Kind: inbound.Moved, Chat: teamChat, NewChat: -1001})
		if !w.answers(bob, -1001) {
			t.Error("the supergroup gets no questions")
		}
		w.restart()
		w.wait(time.Second)
		if what, err := w.bridge.Unpair(w.t.Context(), "-1001"); err != nil || what != "group -1001" {
			t.Errorf("removed %q, %v", what, err)
		}
		if w.answers(bob, -1001) {
			t.Error("the group still gets questions")
		}
	})
}

// What the configuration sends to one topic of a group is not sent to another one too.
func TestAdmissions_ConfiguredGroupOpensALink(t *testing.T) {
	alter := func(c *bridge.Config) { c.Rules = c.Rules.WithDefault(policy.Target{Chat: teamChat, Topic: 5}) }
	play(t, alter, func(w *world) {
		w.enter(ada, teamChat, w.invitation(func(i *storage.Invitation) { i.Group = true }))
		id := w.askOne()
		thread, _, err := w.store.Find(storage.Key{Request: id})
		if err != nil || len(thread.Cards) != 1 || thread.Cards[0].Topic != 5 {
			t.Errorf("the cards are %+v, %v", thread.Cards, err)
		}
	})
}

// With rules a group needs no role. Who opens its link and is not on the list may answer nothing.
func TestAdmissions_GroupWithoutARole(t *testing.T) {
	alter := func(c *bridge.Config) { c.Rules = team(t, leads).WithDefault(policy.Target{Chat: teamChat}) }
	play(t, alter, func(w *world) {
		w.enter(eve, -77, w.invitation(func(i *storage.Invitation) { i.Group = true }))
		if p := w.paired(); len(p.Groups) != 1 || p.Groups[0].Chat != -77 {
			t.Fatalf("the group is not in: %+v", p)
		}
		if w.answers(eve, teamChat) {
			t.Error("who opened the link of a group may answer")
		}
	})
}
