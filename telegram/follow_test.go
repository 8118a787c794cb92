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
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
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

func (s *stream) in(chatID chat.ID) outbound.LiveMessage {
	return outbound.LiveMessage{Chat: chatID, Now: s.now, Shown: func(id chat.MessageID, err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ids = append(s.ids, id)
		if err != nil {
			s.errs = append(s.errs, err)
		}
	}}
}

func (s *stream) now() (text ui.Text, remove bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ui.Live(session.Session{Title: "Big <plan>", Directory: "/src/shop", Busy: true}, remote.LiveWorks, session.Turn{Text: s.words.String()}, s.tool), false
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
			f.Message, f.Now = s.ids[0], func() (ui.Text, bool) {
				return ui.LiveEnded(session.Session{}, session.Turn{}), true
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

// gaps are the times between the edits of the chat's live message, by what it was asked to do meanwhile.
func (w *world) gaps(touch func(), during time.Duration) []time.Duration {
	began := time.Now()
	for time.Since(began) < during {
		touch()
		time.Sleep(100 * time.Millisecond)
	}
	var gaps []time.Duration
	var last time.Time
	for _, c := range w.tele.Calls() {
		if c.Method == "editMessageText" && c.At.After(began) {
			if !last.IsZero() {
				gaps = append(gaps, c.At.Sub(last).Round(time.Second))
			}
			last = c.At
		}
	}
	return gaps
}

// The longer a turn takes, the less often its message is edited, and half as often for a day after a flood wait. The end is told at once.
func TestFollow_Pace(t *testing.T) {
	for chatID, paces := range map[chat.ID][]time.Duration{7: {2, 3, 5, 10, 20}, group: {6, 6, 6, 10, 20}} {
		inWorld(t, func(w *world) {
			s := new(stream)
			touch, end := w.bot.Follow(s.in(chatID))
			grow := func() { s.add("x"); touch() }
			want := func(gaps []time.Duration, pace time.Duration) {
				t.Helper()
				for _, gap := range gaps {
					if gap != pace*time.Second {
						t.Errorf("in chat %d an edit came after %v, want %v s: %v", chatID, gap, int(pace), gaps)
						return
					}
				}
			}
			want(w.gaps(grow, 28*time.Second), paces[0])
			time.Sleep(10 * time.Second)
			want(w.gaps(grow, time.Minute), paces[1])
			time.Sleep(time.Minute)
			want(w.gaps(grow, 2*time.Minute), paces[2])
			time.Sleep(10 * time.Minute)
			want(w.gaps(grow, 2*time.Minute), paces[3])
			w.tele.FailNext("editMessageText", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 30})
			grow()
			time.Sleep(time.Hour)
			want(w.gaps(grow, 2*time.Minute), paces[4])
			s.add(" the end")
			end()
			time.Sleep(2 * time.Second)
			if all := w.tele.Messages(int64(chatID)); !strings.HasSuffix(all[len(all)-1].Text, "the end") {
				t.Errorf("the end is not told: %+v", all[len(all)-1])
			}
			next := new(stream)
			time.Sleep(25 * time.Hour)
			touch, end = w.bot.Follow(next.in(chatID))
			want(w.gaps(func() { next.add("x"); touch() }, 28*time.Second), paces[0])
			end()
			settle()
		})
	}
}

// A flood wait that a live message, or a note, has caused lets one question try. Telegram may take it, and what changes there, or say the
// same of it.
func TestFlood_OfALiveMessageLetsOneQuestionTry(t *testing.T) {
	const wait = 5 * time.Minute
	for _, ofAll := range []bool{false, true} {
		inWorld(t, func(w *world) {
			s := new(stream)
			touch, _ := w.bot.Follow(s.in(7))
			settle()
			until := time.Now().Add(wait)
			w.tele.SetFault(func(c telegramsim.Call) telegramsim.Fault {
				if left := time.Until(until); left > 0 && (c.Method == "editMessageText" || ofAll && c.Method == "sendMessage") {
					return telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: int(left/time.Second) + 1}
				}
				return telegramsim.Fault{}
			})
			s.add("x")
			touch()
			time.Sleep(10 * time.Second)
			note := w.sendNotes(7, 1)
			want := w.tele.Count("sendMessage") + 2
			first := w.show(post(7, cardtest.Asks(cardtest.Database())))
			if ofAll {
				want--
				mustFailWith(t, first.Err, botapi.Flood)
				w.bot.Show(post(7, cardtest.Asks(cardtest.Database())), func(outbound.Shown) {})
				time.Sleep(wait / 2)
			} else {
				mustShow(t, first, 3)
				mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3) // it takes more
			}
			if n := w.tele.Count("sendMessage"); n != want || note() != 0 {
				t.Errorf("%d messages were tried, want %d; %d notes", n, want, note())
			}
			time.Sleep(wait)
			if note() != 1 || ofAll && len(w.tele.Messages(7)) != 4 {
				t.Errorf("in the end there are:\n%s", w.tele.Transcript(7))
			}
		})
	}
}
