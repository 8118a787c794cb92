package bridge_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/policy"
	"hermes/internal/question"
)

// junk is a stranger who opens a link that hermes did not make.
func (w *world) junk(user question.UserID) {
	w.input(question.Input{
		Kind: question.Typed, Command: "start", Text: "/start junk", Chat: question.ChatID(user), Private: true, Sent: time.Now(),
		User: question.User{ID: user, Name: "Mal"},
	})
}

func (w *world) taps(user question.UserID) {
	w.input(question.Input{Kind: question.Tapped, Chat: question.ChatID(user), Private: true, Callback: "cb", User: question.User{ID: user, Name: "Mal"}})
}

// The journal names a stranger once a day, and so many strangers a day, whatever they do
// and however often hermes is started.
func TestStrangers_InTheJournal(t *testing.T) {
	counted := 0
	play(t, func(c *bridge.Config) { c.Strange = func() { counted++ } }, func(w *world) {
		for range 500 {
			w.junk(1000)
			w.taps(1000)
		}
		if got := w.refusals(); len(got) != 1 || got[0].By.User != 1000 || got[0].Detail != "invitation-unknown" {
			t.Errorf("of one stranger the journal has %+v", got)
		}
		if counted != 1000 {
			t.Errorf("%d counted", counted)
		}
		for user := question.UserID(1000); user < 1060; user++ {
			w.taps(user)
		}
		w.restart()
		for range 2 {
			for user := question.UserID(1000); user < 1300; user++ {
				w.junk(user)
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
		hello := func(user question.UserID) {
			w.say(question.ChatID(user), user, 0, "/start")
		}
		start := func(user question.UserID) {
			w.input(question.Input{
				Kind: question.Typed, Command: "start", Text: "/start", Chat: question.ChatID(user), Private: true, Sent: time.Now(),
				User: question.User{ID: user, Name: "Mal"},
			})
		}
		for user := question.UserID(1000); user < 2000; user++ {
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
		if n := len(w.chat.notes); n != 21 || w.chat.notes[20].Chat != 1999 {
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

func (w *world) stranger() question.UserID { return question.UserID(10_000 + w.update) }

// What happens in groups that are none of hermes' leaves nothing behind.
func TestStrangers_ForeignGroupsAreNotKept(t *testing.T) {
	play(t, nil, func(w *world) {
		before, err := w.store.Chats()
		if err != nil {
			t.Fatal(err)
		}
		for id := question.ChatID(-5000); id > -5200; id-- {
			w.input(question.Input{Kind: question.Unblocked, Chat: id, User: question.User{ID: eve}})
			w.input(question.Input{Kind: question.Typed, Chat: id, Text: "hello", Message: 5, User: question.User{ID: ada, Lang: "zh"}})
			w.input(question.Input{Kind: question.Moved, Chat: id, NewChat: id - 10_000})
			w.input(question.Input{Kind: question.Blocked, Chat: id, User: question.User{ID: eve}})
		}
		w.input(question.Input{Kind: question.Blocked, Chat: 5000, Private: true, User: question.User{ID: 5000}})
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
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		before := len(w.chat.notes)
		for range 300 {
			w.input(question.Input{
				Kind: question.Typed, Command: "start", Text: "/start", Chat: adaChat, Private: true, Message: 9, Sent: time.Now(),
				User: question.User{ID: ada, Name: "Ada"},
			})
		}
		kinds := map[question.NoteKind]int{}
		for _, n := range w.chat.notes[before:] {
			kinds[n.Kind]++
		}
		if kinds[question.NoteGreeting] != 10 || kinds[question.NotePaced] != 1 || len(kinds) != 2 || skipped != 290 {
			t.Errorf("the notes are %v, skipped %d", kinds, skipped)
		}
		w.say(adaChat, ada, 0, "1")
		w.wait(5 * time.Second)
		w.got(id, question.Answers{{"SQLite"}})
	})
}

// What a person passes on is nothing that they say, whatever it reads like.
func TestIntake_ForwardedIsNoAnswer(t *testing.T) {
	given := 0
	alter := func(c *bridge.Config) {
		c.Else = func(question.Input, bool) bool { given++; return false }
	}
	play(t, alter, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		message, _, _ := w.chat.find(adaChat, id)
		for i, in := range []question.Input{
			{Kind: question.Typed, Text: "1"},
			{Kind: question.Typed, Text: "1", ReplyTo: message},
			{Kind: question.Typed, Text: "/sessions", Command: "sessions"},
			{Kind: question.Typed, Text: "/start " + w.invitation(nil), Command: "start"},
			{Kind: question.Attached, Text: "1", What: question.Photo, File: question.File{ID: "f"}},
			{Kind: question.Attached, What: question.Voice, File: question.File{ID: "f"}, Album: "a"},
		} {
			in.Chat, in.Private, in.Message, in.Sent, in.Forwarded = adaChat, true, question.PostedID(100+i), time.Now(), true
			in.User = question.User{ID: ada, Name: "Ada"}
			before := len(w.chat.notes)
			w.wait(61 * time.Second)
			w.input(in)
			w.input(in)
			if notes := w.chat.notes[before:]; len(notes) != 1 || notes[0].Kind != question.NoteForwarded || notes[0].ReplyTo != in.Message {
				t.Errorf("%+v: told %+v", in, notes)
			}
			in.User.ID, in.Chat = eve, eveChat
			w.input(in)
		}
		if given != 0 {
			t.Errorf("%d were given away", given)
		}
		thread, _, err := w.store.Find(question.Key{Request: id})
		if err != nil || thread.Decision != nil || len(w.refusals()) != 0 || len(w.paired().Guests) != 0 {
			t.Errorf("%+v, %v, %v", thread.Decision, w.refusals(), err)
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
	if err != nil {
		t.Fatal(err)
	}
	play(t, func(c *bridge.Config) { c.Rules = book }, func(w *world) {
		id := w.agent.ask(oneItem())
		w.wait(time.Second)
		w.input(question.Input{
			Kind: question.Typed, Chat: adaChat, Private: true, Message: 1 << 20, Text: "1", Sent: time.Now(),
			User: question.User{ID: ada, Name: "Bob"},
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
		w.enter(ada, -77, w.invitation(func(i *question.Invitation) { i.Group = true }))
		w.enter(500, 500, w.invitation(nil))
		w.input(question.Input{Kind: question.Moved, Chat: -77, NewChat: -10077})
		is := func(want ...question.ChatID) {
			t.Helper()
			var got []question.ChatID
			for _, id := range []question.ChatID{adaChat, question.ChatID(ada), 500, 501, -77, -78, -10077} {
				if w.bridge.Home(id) {
					got = append(got, id)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("it is set up for %v, want %v", got, want)
			}
		}
		is(adaChat, question.ChatID(ada), 500, -77, -10077)
		w.restart()
		is(adaChat, question.ChatID(ada), 500, -77, -10077)
		for _, id := range []string{"500", "-10077"} {
			if _, err := w.bridge.Unpair(w.context(), id); err != nil {
				t.Fatal(err)
			}
		}
		is(adaChat, question.ChatID(ada))
	})
}
