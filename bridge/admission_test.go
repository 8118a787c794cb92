package bridge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
	"hermes/telegram/ui"
)

// posts are all messages of a chat that are a thread's.
func (p *phone) posts(chat chat.ID) []question.View {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []question.View
	for _, s := range p.screens[chat] {
		all = append(all, s.view)
	}
	return all
}

// door is Eve, who has opened a link and waits.
func (w *world) door(alter func(*storage.Invitation)) question.RequestID {
	w.t.Helper()
	w.open(eve, eveChat, w.invitation(alter))
	list, err := w.bridge.Admissions(w.t.Context())
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%d wait, %v", len(list), err)
	}
	return list[0].Request.ID
}

// admission is the thread of one who waits, or did.
func (w *world) admission(id question.RequestID) question.Thread {
	w.t.Helper()
	t, err := w.bridge.Thread(w.t.Context(), question.ID(strings.TrimPrefix(string(id), "pair_")))
	must(w.t, err)
	return t
}

// kinds are the journal's entries of these kinds, with who did it and the detail.
func (w *world) kinds(kinds ...storage.EntryKind) []string {
	w.t.Helper()
	var list []string
	err := w.store.Journal(1, func(l pending.Line) error {
		if slices.Contains(kinds, l.Entry.Kind) {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s%s %s", l.Entry.Kind, l.Entry.By.Name, l.Entry.By.Token, l.Entry.Detail)))
		}
		return nil
	})
	must(w.t, err)
	return list
}

// Who may let in somebody with these roles, by a tap; nobody does by a text, and no program
// at all.
func TestAdmissions_WhoLetsIn(t *testing.T) {
	const cleoToo = "\n[[person]]\nid = 15\nname = \"Cleo\"\nroles = [\"lead\", \"dev\"]\n"
	for name, test := range map[string]struct {
		rules bool
		roles []string
		by    chat.UserID
		alert ui.Line // nil: they may
	}{
		"anybody on the list":              {by: bob},
		"a stranger":                       {by: cleo, alert: ui.Stranger()},
		"Eve herself":                      {by: eve, alert: ui.Stranger()},
		"who has the role":                 {rules: true, roles: []string{"lead"}, by: ada},
		"who has another":                  {rules: true, roles: []string{"lead"}, by: bob, alert: ui.LacksRoles([]string{"lead"})},
		"who has none":                     {rules: true, roles: []string{"lead"}, by: dana, alert: ui.NoRole([]string{"lead"})},
		"who has both":                     {rules: true, roles: []string{"lead", "dev"}, by: cleo},
		"who has one of two":               {rules: true, roles: []string{"lead", "dev"}, by: ada, alert: ui.LacksRoles([]string{"lead", "dev"})},
		"with rules, Eve herself":          {rules: true, roles: []string{"dev"}, by: eve, alert: ui.Stranger()},
		"with rules, one that is not hers": {rules: true, roles: []string{"dev"}, by: ada, alert: ui.LacksRoles([]string{"dev"})},
	} {
		for _, lets := range []bool{true, false} {
			alter := func(c *bridge.Config) {
				if test.rules {
					c.Rules = team(t, cleoToo).WithDefault(policy.Target{Chat: teamChat})
				} else {
					c.Rules = policy.Everyone([]chat.UserID{ada, bob}, []policy.Target{{Chat: teamChat}})
				}
			}
			play(t, alter, func(w *world) {
				id := w.door(func(i *storage.Invitation) { i.Roles = test.roles })
				answers := question.Answers{{question.LetIn}}
				if !lets {
					answers = nil
				}
				if err := w.bridge.Answer(w.t.Context(), w.admission(id).ID, answers); !errors.Is(err, bridge.ErrAdmission) {
					t.Errorf("a program hears %v", err)
				}
				message, _, _ := w.chat.find(teamChat, id)
				w.say(teamChat, test.by, message, "Let in")
				w.say(teamChat, test.by, message, "1")
				w.wait(2 * time.Second)
				if w.admission(id).Outcome != nil {
					t.Errorf("%s: a text decided", name)
				}
				move := question.WizardInput{Action: question.Dismiss}
				if lets {
					move.Action = question.Send
				}
				w.pressAndWait(teamChat, test.by, id, move)
				o, guests := w.admission(id).Outcome, len(w.paired().Guests)
				alert := w.lastAlert()
				if decided := o != nil; alert != told(test.alert) || decided != (test.alert == nil) || (guests == 1) != (decided && lets) {
					t.Errorf("%s, lets in %v: %v, alert %q, %d are in", name, lets, o, alert, guests)
				}
			})
		}
	}
}

// The ways in which it ends, in every chat that was asked, in Eve's, and in the journal.
func TestAdmissions_End(t *testing.T) {
	for name, test := range map[string]struct {
		end     func(*world)
		outcome question.OutcomeKind
		by      question.ActorKind
		journal []string
	}{
		"let in": {func(w *world) { w.admits(bob, true) }, question.OutcomeAnswered, question.Person, []string{"opened Eve person", "answered Bob", "paired Eve person"}},
		"refused": {
			func(w *world) { w.admits(bob, false) }, question.OutcomeDismissed, question.Person,
			[]string{"opened Eve person", "answered Bob", "unwanted Eve refused"},
		},
		"in time": {
			func(w *world) { w.wait(storage.InvitedFor) }, question.OutcomeDismissed, question.Deadline,
			[]string{"opened Eve person", "unwanted Eve expired"},
		},
		"taken back": {
			func(w *world) {
				list, _ := w.bridge.Admissions(w.t.Context())
				if _, err := w.bridge.Unpair(w.t.Context(), string(list[0].ID)); err != nil {
					w.t.Error(err)
				}
			}, question.OutcomeDismissed, question.Caller,
			[]string{"opened Eve person", "unpaired api invitation", "unwanted Eve withdrawn"},
		},
	} {
		for _, restarts := range []bool{false, true} {
			alter := func(c *bridge.Config) {
				c.Rules = policy.Everyone([]chat.UserID{ada, bob}, []policy.Target{{Chat: teamChat}, {Chat: chat.ID(bob)}})
			}
			play(t, alter, func(w *world) {
				id := w.door(nil)
				if restarts {
					w.restart()
					w.wait(time.Second)
				}
				test.end(w)
				if restarts {
					w.restart()
				}
				w.wait(2 * time.Second)
				for _, chat := range []chat.ID{chat.ID(ada), chat.ID(bob), teamChat, eveChat} {
					_, view, ok := w.chat.find(chat, id)
					if !ok || view.Outcome == nil || view.Outcome.Kind != test.outcome || view.Outcome.By.Kind != test.by {
						t.Errorf("%s: chat %d shows %+v", name, chat, view.Outcome)
					}
				}
				in := test.outcome == question.OutcomeAnswered
				if got := w.kinds(storage.EntryOpened, storage.EntryAnswered, storage.EntryPaired, storage.EntryUnwanted, storage.EntryUnpaired); !slices.Equal(got, test.journal) {
					t.Errorf("%s: the journal says %q", name, got)
				}
				if p := w.paired(); len(p.Guests) == 1 != in || w.answers(eve, eveChat) != in {
					t.Errorf("%s: paired are %+v", name, p)
				}
			})
		}
	}
}

// Any one commit fails, carried out or not, from when the link is opened until Eve is in, and hermes dies with it: then she is in once,
// and the journal has each step once.
func TestAdmissions_KilledWhileLettingIn(t *testing.T) {
	for _, applied := range []bool{false, true} {
		for n := range 12 {
			play(t, nil, func(w *world) {
				code := w.invitation(nil)
				w.killAt(n, applied)
				w.open(eve, eveChat, code)
				w.wait(2 * time.Second)
				decide := func() {
					if list, err := w.bridge.Admissions(w.t.Context()); err == nil && len(list) == 1 {
						w.press(chat.ID(ada), ada, list[0].Request.ID, question.WizardInput{Action: question.Send})
						w.wait(2 * time.Second)
					}
				}
				decide()
				w.kill()
				w.setFault(func(string) fate { return fine })
				w.start()
				w.wait(6 * time.Second)
				decide()
				w.wait(10 * time.Second)
				p := w.paired()
				got := w.kinds(storage.EntryOpened, storage.EntryAnswered, storage.EntryPaired)
				told := slices.ContainsFunc(w.chat.notes, func(n note) bool { return n.chat == eveChat })
				if len(p.Guests) != 1 || !told && !applied || !slices.Equal(got, []string{"opened Eve person", "answered Ada", "paired Eve person"}) {
					t.Errorf("commit %d failed, carried out %v: in are %+v, told: %v, the journal says %q", n, applied, p.Guests, told, got)
				}
			})
		}
	}
}

// A second person who opens the link, and one who opens another of its kind while Eve
// waits, come in no more than she does.
func TestAdmissions_LinksWhileSomebodyWaits(t *testing.T) {
	play(t, nil, func(w *world) {
		code, other := w.invitation(nil), w.invitation(nil)
		w.open(eve, eveChat, code)
		w.open(dana, chat.ID(dana), code)
		w.open(dana, chat.ID(dana), other)
		list, err := w.bridge.Admissions(w.t.Context())
		if err != nil || len(list) != 2 || list[1].Request.Admission.User.ID != dana || len(w.paired().Guests) != 0 {
			t.Errorf("%d wait, %v", len(list), err)
		}
		if e := w.refusals(); len(e) != 1 || e[0].Detail != "invitation-used" {
			t.Errorf("refused were %+v", e)
		}
	})
}

// As long as nobody may answer, the link alone lets in the first person; the links that
// were made then let in nobody else.
func TestAdmissions_FirstPerson(t *testing.T) {
	nobody := func(c *bridge.Config) { c.Rules = policy.Everyone(nil, nil) }
	play(t, nobody, func(w *world) {
		first, second := w.invitation(nil), w.invitation(nil)
		w.open(eve, eveChat, first)
		if p := w.paired(); len(p.Guests) != 1 || p.Guests[0].User != eve {
			t.Fatalf("paired are %+v", p)
		}
		w.open(dana, chat.ID(dana), second)
		if p := w.paired(); len(p.Guests) != 1 {
			t.Errorf("paired are %+v", p)
		}
		if _, err := w.bridge.Unpair(w.t.Context(), "14"); !errors.Is(err, bridge.ErrLastPerson) {
			t.Errorf("the last person was removed: %v", err)
		}
		w.admits(eve, true)
		if what, err := w.bridge.Unpair(w.t.Context(), "14"); err != nil {
			t.Errorf("not removed: %q, %v", what, err)
		}
	})
}

// While the records of who may answer cannot be read, nobody is let in as if they were the first.
func TestAdmissions_NoFirstPersonWithDamagedRecords(t *testing.T) {
	damaged := func(c *bridge.Config) { c.Rules, c.Damaged = policy.Everyone(nil, nil), true }
	play(t, damaged, func(w *world) {
		i, _ := storage.Invite(time.Now())
		if _, err := w.bridge.Invite(w.t.Context(), i); err == nil || !strings.Contains(err.Error(), "could not be read") {
			t.Errorf("a link was made: %v", err)
		}
	})
}

// An invitation that nobody could let anybody in by is not made.
func TestAdmissions_InvitationThatNobodyCouldConfirm(t *testing.T) {
	alter := func(c *bridge.Config) {
		c.Rules = team(t, "\n[[rule]]\nname = \"x\"\nroles = [\"lead\", \"dev\"]\n")
	}
	play(t, alter, func(w *world) {
		for roles, want := range map[string]string{"lead": "Ada", "dev": "Bob", "lead,dev": ""} {
			i, _ := storage.Invite(time.Now())
			i.Roles = strings.Split(roles, ",")
			by, err := w.bridge.Invite(w.t.Context(), i)
			var invalid *bridge.Invalid
			if strings.Join(by, " ") != want || errors.As(err, &invalid) != (want == "") {
				t.Errorf("%s: %q let in, %v", roles, by, err)
			}
		}
	})
}

// Nobody comes in under another's name, or one that looks like it: neither by the invitation, nor by what they are called in Telegram.
func TestAdmissions_Namesakes(t *testing.T) {
	play(t, func(c *bridge.Config) { c.Rules = team(t, "") }, func(w *world) {
		for name, refused := range map[string]bool{"Ada": true, " ada": true, "Аdа": true, "B\u043eb": true, "Adam": false, "": false} {
			i, _ := storage.Invite(time.Now())
			i.Name, i.Roles = name, []string{"lead"}
			_, err := w.bridge.Invite(w.t.Context(), i)
			var invalid *bridge.Invalid
			if errors.As(err, &invalid) != refused || !refused && err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
		lead := func(i *storage.Invitation) { i.Roles = []string{"lead"} }
		first, second := w.invitation(lead), w.invitation(lead)
		w.enter(eve, eveChat, first)
		w.enter(dana+40, chat.ID(dana+40), second)
		var names []string
		for _, g := range w.paired().Guests {
			names = append(names, g.Name)
		}
		slices.Sort(names)
		if want := []string{"Eve", fmt.Sprintf("Eve (%d)", dana+40)}; !slices.Equal(names, want) {
			t.Errorf("let in are %q, want %q", names, want)
		}
	})
}

// Who is removed, and everybody who may answer, is told, once.
func TestAdmissions_RemovalIsTold(t *testing.T) {
	play(t, nil, func(w *world) {
		w.enter(eve, eveChat, w.invitation(nil))
		before := len(w.chat.posts(eveChat))
		if _, err := w.bridge.Unpair(w.t.Context(), "14"); err != nil {
			t.Fatal(err)
		}
		w.wait(2 * time.Second)
		w.restart()
		w.wait(2 * time.Second)
		for _, chat := range []chat.ID{adaChat, bobChat, chat.ID(ada), chat.ID(bob), eveChat} {
			n := 0
			for _, v := range w.chat.posts(chat) {
				if a := v.Request.Admission; a != nil && a.Removed && a.User.ID == eve && v.Outcome.By == question.OverAPI() {
					n++
				}
			}
			if n != 1 {
				t.Errorf("chat %d was told %d times", chat, n)
			}
		}
		if len(w.chat.posts(eveChat)) != before+1 {
			t.Errorf("Eve sees %d messages, and saw %d", len(w.chat.posts(eveChat)), before)
		}
	})
}

// Whoever makes links cannot fill the chats: those that are open, or whose opening waits,
// are few at a time.
func TestAdmissions_FewInvitationsAtATime(t *testing.T) {
	play(t, nil, func(w *world) {
		made := 0
		for range 30 {
			i, code := storage.Invite(time.Now())
			_, err := w.bridge.Invite(w.t.Context(), i)
			var invalid *bridge.Invalid
			if err == nil {
				made++
				w.open(eve, eveChat, code)
			} else if !errors.As(err, &invalid) {
				t.Fatal(err)
			}
		}
		if made != 20 {
			t.Errorf("%d links were made", made)
		}
		w.wait(storage.InvitedFor + time.Minute)
		i, _ := storage.Invite(time.Now())
		if _, err := w.bridge.Invite(w.t.Context(), i); err != nil {
			t.Errorf("when those have run out: %v", err)
		}
	})
}
