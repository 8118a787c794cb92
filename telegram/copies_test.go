package telegram_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
)

// firstIsStored makes the first message of Ada's chat a stored one.
func firstIsStored(c *telegram.Config) {
	c.LastMessage = func(chat.ID) chat.MessageID { return 1 }
}

// search looks for copies and waits for what becomes of that.
func (w *world) search(s outbound.Search) outbound.Searched {
	w.t.Helper()
	c := make(chan outbound.Searched, 1)
	w.bot.Search(s, func(s outbound.Searched) { c <- s })
	return <-c
}

// postWithLostAnswer posts a card whose sending takes effect, and whose answer is lost.
func (w *world) postWithLostAnswer(v question.View) outbound.Shown {
	w.t.Helper()
	w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.ResetAfter})
	s := w.show(post(7, v))
	if !s.Unknown {
		w.t.Fatalf("%+v", s)
	}
	return s
}

// sentTwice leaves Ada's chat with two messages of a card, the bot knows only of the
// second one; between them comes what is done there.
func (w *world) sentTwice(between func()) outbound.Search {
	w.t.Helper()
	first := w.postWithLostAnswer(cardtest.Asks(cardtest.Database()))
	between()
	s := mustShow(w.t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
	settle()
	return outbound.Search{Chat: 7, Span: chat.Span{After: first.After, Before: s.Messages[0]}, Card: s.Messages}
}

const twice = "↪ Probably sent twice. This copy does not count; use the other message."

// copies are the messages that say that they are, by their ids.
func (w *world) copies() string {
	var ids []string
	for _, m := range w.tele.Messages(7) {
		if m.Text == twice && len(m.Rows) == 0 {
			ids = append(ids, fmt.Sprint(m.ID))
		}
	}
	return strings.Join(ids, " ")
}

func (w *world) other() question.View {
	v := cardtest.Asks(cardtest.Languages())
	v.Thread = "otherthread1"
	return v
}

// What lies between a lost message and the one that was confirmed, and which of it the
// search changes. The lost message is 2.
func TestCopies_AreFoundAmongOthers(t *testing.T) {
	for name, c := range map[string]struct {
		between func(*world)
		search  func(*outbound.Search)
		want    string
	}{
		"nothing":               {func(*world) {}, nil, "2"},
		"what a person says":    {func(w *world) { w.say("hello"); w.say("are you there?") }, nil, "2"},
		"another card":          {func(w *world) { mustShow(w.t, w.show(post(7, w.other())), 3) }, nil, "2"},
		"another lost card":     {func(w *world) { w.postWithLostAnswer(w.other()) }, nil, "2 3"},
		"lost twice":            {func(w *world) { w.postWithLostAnswer(cardtest.Asks(cardtest.Database())) }, nil, "2 3"},
		"messages to others":    {func(w *world) { w.elsewhere(3) }, nil, "2"},
		"a card that is stored": {func(w *world) { w.postWithLostAnswer(w.other()) }, func(s *outbound.Search) { s.Spare = []chat.MessageID{3} }, "2"},
		"its own first message": {func(w *world) { w.postWithLostAnswer(w.other()) }, func(s *outbound.Search) { s.Card = append(s.Card, 3) }, "2"},
		"a note": {func(w *world) {
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(chat.MessageID, error) {})
			settle()
		}, nil, "2"},
		"a message that somebody deletes": {func(w *world) {
			if err := w.tele.Delete(7, 7, 2); err != nil {
				w.t.Fatal(err)
			}
		}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.start()
				s := w.sentTwice(func() { c.between(w) })
				if c.search != nil {
					c.search(&s)
				}
				before := w.tele.Messages(7)
				for {
					got := w.search(s)
					if got.Err != nil {
						t.Fatal(got.Err)
					}
					if len(got.Left) == 0 {
						break
					}
					s.Span = got.Left[0]
				}
				if got := w.copies(); got != c.want {
					t.Errorf("said to be copies: %q, want %q\n%s", got, c.want, w.tele.Transcript(7))
				}
				for i, m := range w.tele.Messages(7) {
					if !strings.Contains(c.want, fmt.Sprint(m.ID)) && (m.Text != before[i].Text || m.Edits != before[i].Edits) {
						t.Errorf("message %d was changed", m.ID)
					}
				}
			})
		})
	}
}

// elsewhere sends Bob as many messages, which count in private chats together with Ada's.
func (w *world) elsewhere(n int) {
	w.t.Helper()
	if _, err := w.tele.Say(8, 8, "/start"); err != nil {
		w.t.Fatal(err)
	}
	for i := range n {
		v := w.other()
		v.Thread = question.ID(fmt.Sprintf("elsewhere%03d", i))
		mustShow(w.t, w.show(post(8, v)), 3)
	}
}

// What another process sent is known by the store alone.
func TestCopies_StoredMessagesAreNone(t *testing.T) {
	inWorld(t, func(w *world) {
		s := w.sentTwice(func() { mustShow(w.t, w.show(post(7, w.other())), 3) })
		w.stop()
		w.renew()
		if got := w.search(s); got.Err != nil || len(got.Left) > 0 {
			t.Errorf("%+v", got)
		}
		if got := w.copies(); got != "2" {
			t.Errorf("said to be copies: %q\n%s", got, w.tele.Transcript(7))
		}
	}, func(c *telegram.Config) {
		c.Known = func(_ chat.ID, id chat.MessageID) (bool, error) { return id == 3, nil }
	})
}

// While the search waits for its turn, a tap can make a card of the copy.
func TestCopies_WhatBecomesACardIsNoCopy(t *testing.T) {
	looks := 0
	inWorld(t, func(w *world) {
		s := w.sentTwice(func() {})
		looks = 0
		if got := w.search(s); got.Err != nil || len(got.Left) > 0 {
			t.Errorf("%+v", got)
		}
		if got := w.copies(); got != "" {
			t.Errorf("said to be copies: %q\n%s", got, w.tele.Transcript(7))
		}
	}, firstIsStored, func(c *telegram.Config) {
		c.Known = func(chat.ID, chat.MessageID) (bool, error) { looks++; return looks > 1, nil }
	})
}

// Where it cannot be read whether a message is known, that message is left to be searched, and no copy's buttons stay for that.
func TestCopies_SearchWithoutAStoreGoesOn(t *testing.T) {
	for name, failing := range map[string]int{"at first": 1, "when it is its turn": 2} {
		t.Run(name, func(t *testing.T) {
			looks := 0
			inWorld(t, func(w *world) {
				s := w.sentTwice(func() {})
				looks = 0
				got := w.search(s)
				if want := []chat.Span{s.Span}; !slices.Equal(got.Left, want) || got.Err == nil || botapi.ReasonOf(got.Err) != botapi.Store || w.copies() != "" {
					t.Errorf("%+v, want %v left; said to be copies: %q", got, want, w.copies())
				}
				if got := w.search(s); got.Err != nil || len(got.Left) > 0 || w.copies() != "2" {
					t.Errorf("the second time: %+v, said to be copies: %q", got, w.copies())
				}
			}, firstIsStored, func(c *telegram.Config) {
				c.Known = func(chat.ID, chat.MessageID) (bool, error) {
					if looks++; looks == failing {
						return false, errDisk
					}
					return false, nil
				}
			})
		})
	}
}

// A call that fails leaves the rest of the span to be searched, and a second search does it.
func TestCopies_SearchThatFailsGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		fault telegramsim.Fault
		left  []chat.Span
		wait  time.Duration
	}{
		"reset before":      {telegramsim.Fault{Kind: telegramsim.ResetBefore}, []chat.Span{{After: 1, Before: 4}}, 0},
		"reset after":       {telegramsim.Fault{Kind: telegramsim.ResetAfter}, []chat.Span{{After: 1, Before: 4}}, 0},
		"bad gateway":       {telegramsim.Fault{Kind: telegramsim.BadGateway}, []chat.Span{{After: 1, Before: 4}}, 0},
		"bad gateway after": {telegramsim.Fault{Kind: telegramsim.BadGatewayAfter}, []chat.Span{{After: 1, Before: 4}}, 0},
		"internal error":    {telegramsim.Fault{Kind: telegramsim.Refuse}, []chat.Span{{After: 1, Before: 4}}, 0},
		"flood":             {telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 9}, []chat.Span{{After: 1, Before: 4}}, 9 * time.Second},
		"unauthorized":      {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 401}, []chat.Span{{After: 1, Before: 4}}, 0},
		"blocked":           {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 403, Description: "Forbidden: bot was blocked by the user"}, []chat.Span{{After: 1, Before: 4}}, 0},
		"refused":           {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: MESSAGE_AUTHOR_REQUIRED"}, []chat.Span{{After: 1, Before: 3}}, 0},
		"not modified":      {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: message is not modified"}, nil, 0},
		"not found":         {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: message to edit not found"}, nil, 0},
		"not editable":      {telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: message can't be edited"}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				s := w.sentTwice(func() { w.postWithLostAnswer(cardtest.Asks(cardtest.Database())) })
				w.tele.FailNext("editMessageText", c.fault)
				got := w.search(s)
				if !slices.Equal(got.Left, c.left) || (got.Err == nil) != (c.left == nil) || got.RetryAfter != c.wait {
					t.Errorf("%+v", got)
				}
				for _, left := range got.Left {
					s.Span = left
					if again := w.search(s); again.Err != nil || len(again.Left) > 0 {
						t.Errorf("the second time: %+v", again)
					}
				}
				if got := w.copies(); c.left != nil && got != "2 3" {
					t.Errorf("said to be copies: %q", got)
				}
			}, firstIsStored)
		})
	}
}

// A search lets others have their turn, and is gone on with where it was.
func TestCopies_SearchGoesInSteps(t *testing.T) {
	inWorld(t, func(w *world) {
		s := w.sentTwice(func() { w.elsewhere(7) })
		got := w.search(s)
		if want := []chat.Span{{After: 1 + telegram.SearchCalls, Before: s.Span.Before}}; got.Err != nil || !slices.Equal(got.Left, want) {
			t.Errorf("%+v, want %v", got, want)
		}
	}, firstIsStored)
}

// A file has a caption in place of a text.
func TestCopies_OfAFileSaySo(t *testing.T) {
	inWorld(t, func(w *world) {
		long := cardtest.Database()
		long.Text = strings.Repeat("long ", 10000)
		w.tele.FailNext("sendDocument", telegramsim.Fault{Kind: telegramsim.ResetAfter})
		first := w.show(post(7, cardtest.Asks(long)))
		s := mustShow(t, w.show(post(7, cardtest.Asks(long))), 3)
		settle()
		search := outbound.Search{Chat: 7, Span: chat.Span{After: first.After, Before: s.Messages[len(s.Messages)-1]}, Card: s.Messages}
		for range 2 { // the second time it is so already
			if got := w.search(search); got.Err != nil || len(got.Left) > 0 {
				t.Errorf("%+v", got)
			}
		}
		if all := w.tele.Messages(7); !first.Unknown || all[1].Document == nil || all[1].Text != twice || all[2].Edits != 0 {
			t.Errorf("%s", w.tele.Transcript(7))
		}
	})
}

// A card of a file may be shown without the file: a copy that somebody tapped. It is told from
// the file, which stays, by what Telegram says.
func TestShow_TappedCopyOfACardWithAFile(t *testing.T) {
	for name, of := range map[string]int{"the file": 1, "the card": 2} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				long := cardtest.Database()
				long.Text = strings.Repeat("long ", 10000)
				s := mustShow(t, w.show(post(7, cardtest.Asks(long))), 3)
				end := cardtest.Asks(long)
				end.Phase, end.Outcome = question.PhaseEnded, &question.Outcome{Kind: question.OutcomeStopped}
				mustShow(t, w.show(post(7, end, s.Messages[of-1])), 3)
				all := w.tele.Messages(7)
				want := 3 // /start, the file, the card
				if of == 1 {
					want = 4
				}
				if len(all) != want || all[1].Document == nil || all[1].Edits > 0 || len(all[want-1].Rows) > 0 {
					t.Errorf("%s", w.tele.Transcript(7))
				}
			})
		})
	}
}

// Before a further message of a card is sent, it is stored that it may be there. If it
// cannot be, nothing is sent.
func TestShow_MarksAFurtherMessageFirst(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		long := cardtest.Asks(cardtest.LongItem())
		grown := post(7, long, s.Messages...)
		var marked []chat.MessageID
		grown.Mark = func(after chat.MessageID) error {
			marked = append(marked, after)
			if n := len(w.tele.Messages(7)); n != 2 {
				t.Errorf("%d messages when it is marked", n)
			}
			return errDisk
		}
		if s := w.show(grown); s.Err == nil || s.Unknown || len(w.tele.Messages(7)) != 2 {
			t.Errorf("not stored: %+v", s)
		}
		grown.Mark = func(after chat.MessageID) error { marked = append(marked, after); return nil }
		mustShow(t, w.show(grown), 3)
		if want := []chat.MessageID{2, 2}; !slices.Equal(marked, want) {
			t.Errorf("marked with %v, want %v", marked, want)
		}
	})
}
