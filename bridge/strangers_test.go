package bridge_test

import (
	"fmt"
	"slices"
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

func (w *world) taps(user chat.UserID) {
	w.input(inbound.Input{Kind: inbound.Tapped, Chat: chat.ID(user), Private: true, Callback: "cb", User: chat.User{ID: user, Name: "Mal"}})
}

// The journal names a stranger once a day, and so many strangers a day, whatever they do
// and however often hermes is started.
func TestStrangers_InTheJournal(t *testing.T) {
	counted := 0
	play(t, func(c *bridge.Config) { c.Strange = func() { counted++ } }, func(w *world) {
		for range 500 {
			w.command(1000, 1000, "/start junk")
			w.taps(1000)
		}
		if got := w.refusals(); len(got) != 1 || got[0].By.User != 1000 || got[0].Detail != "invitation-unknown" {
			t.Errorf("of one stranger the journal has %+v", got)
		}
		if counted != 1000 {
			t.Errorf("%d counted", counted)
		}
		for user := chat.UserID(1000); user < 1060; user++ {
			w.taps(user)
		}
		w.restart()
		for range 2 {
			for user := chat.UserID(1000); user < 1300; user++ {
				w.command(user, chat.ID(user), "/start junk")
			}
			w.restart()
		}
		got := w.refusals()
		if last := got[len(got)-1]; len(got) != 101 || last.Detail != "more-strangers" || last.By.User != 0 {
			t.Errorf("%d entries, the last is %+v", len(got), last)
		}
		w.wait(24 * time.Hour)
		w.taps(1000)
		if got := w.refusals(); len(got) != 102 || got[101].By.User != 1000 {
			t.Errorf("%d entries on the next day", len(got))
		}
	})
}

// Strangers are greeted at a pace of their own. Who was not is greeted later, and nothing
// is kept of them until then.
func TestStrangers_ManyAreGreetedSlowly(t *testing.T) {
	play(t, nil, func(w *world) {
		hello := func(user chat.UserID) { w.say(chat.ID(user), user, 0, "/start") }
		start := func(user chat.UserID) { w.command(user, chat.ID(user), "/start") }
		for user := chat.UserID(1000); user < 2000; user++ {
			hello(user)
			start(user)
		}
		if n := len(w.chat.notes); n != 20 {
			t.Errorf("%d strangers were greeted at once", n)
		}
		chats, err := w.store.Chats()
		if err != nil || len(chats) > 20+3 {
			t.Errorf("%d chats are kept, %v", len(chats), err)
		}
		w.wait(time.Minute)
		start(1999)
		start(1999)
		if n := len(w.chat.notes); n != 21 || w.chat.notes[20].chat != 1999 {
			t.Errorf("%d strangers were greeted a minute later", n)
		}
		for range 24 * 60 {
			for range 10 {
				start(w.stranger())
			}
			w.wait(time.Minute)
		}
		if n := len(w.chat.notes); n > 1100 {
			t.Errorf("%d strangers were greeted in a day", n)
		}
	})
}

func (w *world) stranger() chat.UserID { return chat.UserID(10_000 + w.update) }

// What happens in groups that are none of hermes' leaves nothing behind.
func TestStrangers_ForeignGroupsAreNotKept(t *testing.T) {
	play(t, nil, func(w *world) {
		before, err := w.store.Chats()
		must(t, err)
		for id := chat.ID(-5000); id > -5200; id-- {
			w.input(inbound.Input{Kind: inbound.Unblocked, Chat: id, User: chat.User{ID: eve}})
			w.input(inbound.Input{Kind: inbound.Typed, Chat: id, Text: "hello", Message: 5, User: chat.User{ID: ada, Lang: "zh"}})
			w.input(inbound.Input{Kind: inbound.Moved, Chat: id, NewChat: id - 10_000})
			w.input(inbound.Input{Kind: inbound.Blocked, Chat: id, User: chat.User{ID: eve}})
		}
		w.input(inbound.Input{Kind: inbound.Blocked, Chat: 5000, Private: true, User: chat.User{ID: 5000}})
		after, err := w.store.Chats()
		if err != nil || len(after) != len(before) {
			t.Errorf("%d chats are kept, there were %d, %v", len(after), len(before), err)
		}
		if inbox, err := w.store.Inbox(); err != nil || len(inbox) != 0 {
			t.Errorf("%d updates wait, %v", len(inbox), err)
		}
	})
}

// Who asks for much is not replied to for a while, and told so once. Their answers count.
func TestReplies_ToOnePersonArePaced(t *testing.T) {
	skipped := 0
	play(t, func(c *bridge.Config) { c.Skipped = func() { skipped++ } }, func(w *world) {
		id := w.askOne()
		before := len(w.chat.notes)
		for range 300 {
			w.command(ada, adaChat, "/start")
		}
		greeted, paced := w.wasNoted(ui.Greeting(chat.User{ID: ada, Name: "Eve"})), w.wasNoted(ui.Paced())
		if greeted != 10 || paced != 1 || len(w.chat.notes) != before+11 || skipped != 290 {
			t.Errorf("the notes are %v, skipped %d", w.chat.notes, skipped)
		}
		w.say(adaChat, ada, 0, "1")
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
	})
}

// People are called as the rules file has it, whatever they call themselves.
func TestAnswers_NamesAreThoseOfTheRules(t *testing.T) {
	rules := fmt.Sprintf("[[person]]\nid = %d\nname = \"Ada L.\"\nroles = \"lead\"\n[[rule]]\nname = \"all\"\nroles = \"lead\"\nchats = [%d]\n", ada, adaChat)
	book, err := policy.Parse("rules.toml", []byte(rules))
	must(t, err)
	play(t, func(c *bridge.Config) { c.Rules = book }, func(w *world) {
		id := w.askOne()
		w.input(inbound.Input{
			Kind: inbound.Typed, Chat: adaChat, Private: true, Message: 1 << 20, Text: "1", Sent: time.Now(),
			User: chat.User{ID: ada, Name: "Bob"},
		})
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
		if v := w.shows(id, question.PhaseEnded, question.OutcomeAnswered); v.Outcome.By.Name != "Ada L." || v.Outcome.By.User != ada {
			t.Errorf("answered by %+v", v.Outcome.By)
		}
	})
}

// Hermes is set up for the chats that are named, those that were let in, and the private
// chats of people on the list; a group that moves stays one.
func TestPlaces_Home(t *testing.T) {
	play(t, nil, func(w *world) {
		w.enter(ada, -77, w.invitation(func(i *storage.Invitation) { i.Group = true }))
		w.enter(500, 500, w.invitation(nil))
		w.input(inbound.Input{Kind: inbound.Moved, Chat: -77, NewChat: -10077})
		is := func(want ...chat.ID) {
			t.Helper()
			var got []chat.ID
			w.inLoop(func() {
				for _, id := range []chat.ID{adaChat, chat.ID(ada), 500, 501, -77, -78, -10077} {
					if w.bridge.Home(id) {
						got = append(got, id)
					}
				}
			})
			if !slices.Equal(got, want) {
				t.Errorf("it is set up for %v, want %v", got, want)
			}
		}
		is(adaChat, chat.ID(ada), 500, -77, -10077)
		w.restart()
		is(adaChat, chat.ID(ada), 500, -77, -10077)
		for _, id := range []string{"500", "-10077"} {
			if _, err := w.bridge.Unpair(w.t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		is(adaChat, chat.ID(ada))
	})
}
