package telegram_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
)

// stream is a session whose words grow.
type stream struct {
	mu    sync.Mutex
	words strings.Builder
	tool  string
	ids   []chat.MessageID
	errs  []error
}

func (s *stream) add(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words.WriteString(words)
}

func (s *stream) in(chatID chat.ID) remote.LiveMessage {
	return remote.LiveMessage{Chat: chatID, Now: s.now, Shown: func(id chat.MessageID, err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ids = append(s.ids, id)
		if err != nil {
			s.errs = append(s.errs, err)
		}
	}}
}

func (s *stream) now() remote.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return remote.Message{
		Kind: remote.TellLive, Text: s.tool, Turn: session.Turn{Text: s.words.String()},
		Session: session.Session{Title: "Big <plan>", Directory: "/src/shop", Busy: true},
	}
}

// What waits in a chat goes before a live message, which is then up to date.
func TestFollow_GivesWay(t *testing.T) {
	inWorld(t, func(w *world) {
		s := new(stream)
		_, end := w.bot.Follow(s.in(7))
		for range 6 {
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(chat.MessageID, error) {})
		}
		_, endOther := w.bot.Follow(s.in(7)) // two of them do not wait for one another
		s.add("words")
		settle()
		all := w.tele.Messages(7)
		if len(all) != 9 || !strings.HasSuffix(all[7].Text, "words") || !strings.HasPrefix(all[8].Text, "⚙️") {
			t.Errorf("%s", w.tele.Transcript(7))
		}
		end()
		endOther()
		settle()
	})
}

func TestFollow_End(t *testing.T) {
	inWorld(t, func(w *world) {
		s, other := new(stream), new(stream)
		touch, end := w.bot.Follow(s.in(7))
		_, endOther := w.bot.Follow(other.in(7)) // its turn comes later
		endOther()
		settle()
		if n := len(w.tele.Messages(7)); n != 2 {
			t.Errorf("%d messages, though one ended before anything was shown", n)
		}
		s.add("done")
		end()
		settle()
		s.add(" and more")
		touch()
		end()
		settle()
		if m := w.tele.Messages(7)[1]; m.Edits != 1 || !strings.HasSuffix(m.Text, "done") {
			t.Errorf("%+v", m)
		}
		if len(other.ids) != 1 || other.ids[0] != 0 || len(s.ids) != 2 || s.ids[0] == 0 || s.ids[1] != s.ids[0] {
			t.Errorf("told of %v and %v", other.ids, s.ids)
		}
	})
}

// The last edit is made though some fail; what is in doubt or deleted is let be.
func TestFollow_Fails(t *testing.T) {
	inWorld(t, func(w *world) {
		s := new(stream)
		_, end := w.bot.Follow(s.in(7))
		settle()
		w.tele.FailNext("editMessageText", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 5}, telegramsim.Fault{Kind: telegramsim.BadGateway})
		s.add("done")
		end()
		settle()
		if m := w.tele.Messages(7)[1]; !strings.HasSuffix(m.Text, "done") || len(s.errs) != 2 {
			t.Errorf("%q after %v", m.Text, s.errs)
		}

		deleted := new(stream)
		touch, _ := w.bot.Follow(deleted.in(7))
		settle()
		if err := w.tele.Delete(7, 7, w.tele.Messages(7)[2].ID); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			deleted.add("x")
			touch()
			settle()
		}
		mustFailWith(w.t, deleted.errs[0], botapi.MessageGone)

		w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.ResetAfter})
		unknown := new(stream)
		touch, _ = w.bot.Follow(unknown.in(7))
		settle()
		unknown.add("x")
		touch()
		settle()
		if n := len(w.tele.Messages(7)); n != 4 || len(deleted.errs) != 1 || len(unknown.errs) != 1 {
			t.Errorf("%d messages, %v, %v", n, deleted.errs, unknown.errs)
		}

		w.tele.SetFault(func(telegramsim.Call) telegramsim.Fault { return telegramsim.Fault{Kind: telegramsim.Unreachable} })
		away := new(stream)
		touch, end = w.bot.Follow(away.in(7))
		settle()
		touch()
		settle()
		if n := len(away.errs); n != telegram.LiveTries+1 {
			t.Errorf("%d tries in two minutes", n)
		}
		w.tele.SetFault(nil)
		away.add("after all")
		end()
		settle()
		settle()
		if all := w.tele.Messages(7); len(all) != 4 {
			t.Errorf("what has ended is shown: %+v", all[4:])
		}
	})
}

// A message whose number would not be stored is not sent before it would: the next start could not tell how it ended.
func TestFollow_NewMessageNeedsTheStore(t *testing.T) {
	var away atomic.Bool
	inWorld(t, func(w *world) {
		s := new(stream)
		away.Store(true)
		w.bot.Follow(s.in(7))
		settle()
		if n := len(w.tele.Messages(7)); n != 1 || len(s.errs) == 0 {
			t.Errorf("%d messages without the store, %v", n, s.errs)
		}
		mustFailWith(w.t, s.errs[0], botapi.Store)
		away.Store(false)
		settle()
		settle()
		if n := len(w.tele.Messages(7)); n != 2 {
			t.Errorf("%d messages when the store is back", n)
		}
	}, func(c *telegram.Config) {
		c.Keeps = func() error {
			if away.Load() {
				return errors.New("the store is away")
			}
			return nil
		}
	})
}

// A Bot that is closed edits nothing more, and does not wait for what goes on.
func TestFollow_ClosedMeanwhile(t *testing.T) {
	inWorld(t, func(w *world) {
		s := new(stream)
		touch, end := w.bot.Follow(s.in(7))
		settle()
		s.add("more")
		touch()
		w.stop()
		end()
		settle()
		if m := w.tele.Messages(7)[1]; m.Edits > 1 {
			t.Errorf("%+v", m)
		}
	})
}

// A message that is to go is taken away; one that is too old for that says how it ended.
// A message of an earlier Bot is taken over.
func TestFollow_RemovesItsMessage(t *testing.T) {
	inWorld(t, func(w *world) {
		for age, goes := range map[time.Duration]bool{time.Hour: true, 49 * time.Hour: false} {
			before := len(w.tele.Messages(7))
			s := new(stream)
			w.bot.Follow(s.in(7))
			settle()
			time.Sleep(age)
			f := s.in(7)
			f.Message, f.Now = s.ids[0], func() remote.Message {
				return remote.Message{Kind: remote.TellLive, Live: remote.LiveEnded, Remove: true}
			}
			_, end := w.bot.Follow(f)
			end()
			settle()
			all := w.tele.Messages(7)[before:]
			if len(all) != 1 || len(s.errs) != 0 || all[0].Deleted != goes || strings.HasPrefix(all[0].Text, "💤") == goes {
				t.Errorf("after %v there are %+v, %v", age, all, s.errs)
			}
		}
	})
}
