package telegram_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
	"hermes/telegram/outbox"
	"hermes/telegram/ui"
)

// group is where Ada and Bob are; see newWorld.
const group = -5

// sendNotes tells the chat n times that nothing is asked, and returns how many of these
// notes were sent so far.
func (w *world) sendNotes(chatID chat.ID, n int) func() int {
	var sent atomic.Int64
	for range n {
		w.bot.Tell(note(chatID), func(s outbound.MessageShown) {
			if s.Err == nil {
				sent.Add(1)
			}
		})
	}
	return func() int { return int(sent.Load()) }
}

// cardWithin shows a new card and fails the test if that takes longer.
func (w *world) cardWithin(chat chat.ID, limit time.Duration) outbound.Shown {
	w.t.Helper()
	began := time.Now()
	s := mustShow(w.t, w.show(post(chat, cardtest.Asks(cardtest.Database()))), 3)
	if took := time.Since(began); took > limit {
		w.t.Errorf("the card in chat %d came after %v, want %v at most", chat, took, limit)
	}
	return s
}

// Whatever waits in a chat, a card comes as soon as Telegram's own limits allow one more
// message there.
func TestQueue_CardsGoBeforeNotes(t *testing.T) {
	for _, chat := range []chat.ID{7, group} {
		t.Run(fmt.Sprint(chat), func(t *testing.T) {
			inWorld(t, func(w *world) {
				sent := w.sendNotes(chat, 300)
				s := w.cardWithin(chat, 2*time.Second)
				if sent() > 4 {
					t.Errorf("%d notes went before the card", sent())
				}
				// The minute of a group is spent by notes, but for what is kept for cards.
				time.Sleep(90 * time.Second)
				for range 5 {
					w.cardWithin(chat, 2*time.Second)
					time.Sleep(time.Second)
				}
				end := cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeStopped})
				began := time.Now()
				mustShow(t, w.show(post(chat, end, s.Messages...)), 3)
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("the end came after %v", took)
				}
			})
		})
	}
}

// A message about a session in many parts lets a card in between.
func TestQueue_CardsGoBetweenPartsOfALongMessage(t *testing.T) {
	inWorld(t, func(w *world) {
		words := strings.Repeat("word ", 7000) // nine messages
		told := make(chan []chat.MessageID, 4)
		for range 4 {
			turn := session.Turn{Text: words, Message: "m"}
			w.bot.Tell(outbound.Message{Chat: group, Text: ui.TurnEnded(session.Session{}, turn, false)}, func(s outbound.MessageShown) {
				if s.Err != nil {
					t.Error(s.Err)
				}
				told <- s.Messages
			})
		}
		for range 4 {
			time.Sleep(20 * time.Second)
			w.cardWithin(group, 2*time.Second)
		}
		time.Sleep(10 * time.Minute)
		for range 4 {
			if ids := <-told; len(ids) != 9 || ids[8]-ids[0] > 8+4 {
				t.Errorf("the parts are %v", ids)
			}
		}
	})
}

// A live message has what notes and cards leave.
func TestQueue_LiveMessagesAreLast(t *testing.T) {
	inWorld(t, func(w *world) {
		n := 0
		touch, end := w.bot.Follow(outbound.LiveMessage{Chat: group, Now: func() (ui.Text, bool) {
			n++
			return ui.Live(session.Session{}, remote.LiveWorks, session.Turn{}, fmt.Sprint(n)), false
		}, Shown: func(chat.MessageID, error) {}})
		ctx, stop := context.WithCancel(context.Background())
		go func() {
			for ctx.Err() == nil {
				touch()
				time.Sleep(time.Second)
			}
		}()
		time.Sleep(2 * time.Minute)
		w.cardWithin(group, 2*time.Second)
		sent := w.sendNotes(group, 9)
		time.Sleep(time.Minute)
		w.cardWithin(group, 2*time.Second)
		if sent() < 7 {
			t.Errorf("%d notes in a minute beside a live message", sent())
		}
		stop()
		end()
		time.Sleep(time.Minute)
	})
}

// Notes to many chats at once leave room for a card in another.
func TestQueue_NotesToManyChatsDelayNoCard(t *testing.T) {
	inWorld(t, func(w *world) {
		for i := range 1000 {
			id := int64(1000 + i)
			w.tele.AddUser(telegramsim.User{ID: id, FirstName: "S"})
			if _, err := w.tele.Say(id, id, "/start"); err != nil {
				t.Fatal(err)
			}
		}
		sent := 0
		done := make(chan error, 1000)
		for i := range 1000 {
			w.bot.Tell(note(chat.ID(1000+i)), func(s outbound.MessageShown) { done <- s.Err })
		}
		for range 4 {
			w.cardWithin(7, 500*time.Millisecond)
			time.Sleep(5 * time.Second)
		}
		for range 1000 {
			if err := <-done; err != nil {
				t.Error(err)
			}
			sent++
		}
		if sent != 1000 {
			t.Errorf("%d notes", sent)
		}
	})
}

// Notes keep their order among themselves, as do cards.
func TestQueue_KeepsTheOrderOfAKind(t *testing.T) {
	inWorld(t, func(w *world) {
		var ids [2][]chat.MessageID
		done := make(chan bool, 20)
		for range 10 {
			w.bot.Tell(note(7), func(s outbound.MessageShown) {
				ids[0] = append(ids[0], s.Messages...)
				done <- true
			})
			w.bot.Show(post(7, cardtest.Asks(cardtest.Database())), func(s outbound.Shown) {
				ids[1] = append(ids[1], s.Messages...)
				done <- true
			})
		}
		for range 20 {
			<-done
		}
		synctest.Wait()
		for _, list := range ids {
			for i := 1; i < len(list); i++ {
				if list[i] < list[i-1] {
					t.Errorf("the messages are %v", ids)
				}
			}
		}
		if first := ids[0]; first[len(first)-1] < ids[1][9] {
			t.Errorf("the last note went before the last card: %v", ids)
		}
	})
}

// Answers to what people write, beyond a number that wait in a chat, are not sent, and
// whoever asked for them is told at once. What hermes owes is sent whatever waits.
func TestQueue_IsFull(t *testing.T) {
	inWorld(t, func(w *world) {
		var full atomic.Int64
		for range outbox.MaxReplies + 50 {
			w.bot.Tell(note(7), func(s outbound.MessageShown) {
				if s.Err != nil {
					mustFailWith(t, s.Err, botapi.Full)
					full.Add(1)
				}
			})
		}
		owed := make(chan error, 1)
		w.bot.Tell(outbound.Message{Chat: 7, Text: ui.TurnEnded(session.Session{}, session.Turn{}, false)}, func(s outbound.MessageShown) { owed <- s.Err })
		if err := <-owed; err != nil {
			t.Errorf("the end of a turn: %v", err)
		}
		synctest.Wait()
		if n := full.Load(); n < 50-3 || n > 50 { // some were sent at once
			t.Errorf("%d notes were refused", n)
		}
	})
}

// from is a card about an ask of a source.
func from(source string, chat chat.ID, n int) outbound.Post {
	p := post(chat, cardtest.Asks(cardtest.Database()))
	p.Source, p.Thread = source, question.ID(fmt.Sprint(source, n))
	return p
}

// One machine that asks without end does not keep another one's ask waiting, longer than Telegram's own limits make it wait.
func TestSources_TakeTurns(t *testing.T) {
	for _, chat := range []chat.ID{7, group} {
		t.Run(fmt.Sprint(chat), func(t *testing.T) {
			inWorld(t, func(w *world) {
				mustShow(t, w.show(from("link quiet", chat, -1)), 3) // it has asked before
				for n := range 200 {
					w.bot.Show(from("link noisy", chat, n), func(outbound.Shown) {})
				}
				for n, wait := range []time.Duration{0, 20 * time.Second, 70 * time.Second, 0, 3 * time.Second} {
					time.Sleep(wait)
					began := time.Now()
					mustShow(t, w.show(from("link quiet", chat, n)), 3)
					if took := time.Since(began); took > 4*time.Second {
						t.Errorf("card %d of the other machine came after %v", n, took)
					}
				}
			})
		})
	}
}

// Between the messages of a long card go the cards of other machines, and the first messages of other asks of its own.
func TestSources_PassBetweenTheMessagesOfALongCard(t *testing.T) {
	for _, chat := range []chat.ID{7, group} {
		t.Run(fmt.Sprint(chat), func(t *testing.T) {
			inWorld(t, func(w *world) {
				mustShow(t, w.show(from("link quiet", chat, -1)), 3) // it has asked before
				long := make(chan outbound.Shown, 2)
				for n := range cap(long) {
					p := from("link long", chat, n)
					v := cardtest.Asks(cardtest.Database())
					v.Request.Items[0].Text = strings.Repeat("word ", 7000)
					p.View = func() (question.View, bool) { return v, true }
					w.bot.Show(p, func(s outbound.Shown) { long <- s })
				}
				for n, source := range []string{"link quiet", "link long", "link quiet", "link long"} {
					time.Sleep(time.Duration(n+1) * 4 * time.Second)
					began := time.Now()
					mustShow(t, w.show(from(source, chat, 10+n)), 3)
					if took := time.Since(began); took > 2*time.Second {
						t.Errorf("a card of %s came after %v", source, took)
					}
				}
				for range cap(long) {
					s := <-long
					mustShow(t, s, 3)
					if len(s.Messages) != 10 || !slices.IsSorted(s.Messages) {
						t.Errorf("the messages of a long card are %v", s.Messages)
					}
				}
			})
		})
	}
}

// The cards of one source come in the order in which they were asked for, and a noisy source gets all of its own in the end.
func TestSources_KeepTheirOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		var order []string
		done := make(chan string, 60)
		for n := range 20 {
			for _, source := range []string{"a", "b", "c"} {
				p := from(source, group, n)
				w.bot.Show(p, func(outbound.Shown) { done <- string(p.Thread) })
			}
		}
		for range 60 {
			order = append(order, <-done)
		}
		next := map[byte]int{}
		for at, name := range order {
			if want := fmt.Sprint(name[:1], next[name[0]]); name != want {
				t.Errorf("at %d it was the turn of %s, want %s", at, name, want)
			}
			next[name[0]]++
		}
		for at := 0; at+2 < len(order); at += 3 {
			if order[at][0] == order[at+1][0] || order[at+1][0] == order[at+2][0] {
				t.Errorf("a source had two turns at once: %v", order[at:at+3])
			}
		}
	})
}

// What a source may use of a group's minute holds nobody else up: notes go on meanwhile.
func TestSources_HoldNoNotesUp(t *testing.T) {
	inWorld(t, func(w *world) {
		mustShow(t, w.show(from("link quiet", group, 0)), 3)
		for n := range 60 {
			w.bot.Show(from("link noisy", group, n), func(outbound.Shown) {})
		}
		time.Sleep(40 * time.Second) // the noisy source had its share
		sent := w.sendNotes(group, 3)
		time.Sleep(10 * time.Second)
		if sent() != 3 {
			t.Errorf("%d of 3 notes were sent while the noisy source waits", sent())
		}
	})
}

func TestOrigin_Source(t *testing.T) {
	for want, o := range map[string]session.Origin{
		"token laptop":      {Way: session.Link, Process: "p", Directory: "/d", Token: "laptop"},
		"link p":            {Way: session.Link, Process: "p", Directory: "/d"},
		"direct http://h:1": {Way: session.Direct, Process: "http://h:1"},
		"ask ":              {Way: session.AskAPI, Directory: "/d"},
	} {
		if got := o.Source(); got != want {
			t.Errorf("the source of %+v is %q, want %q", o, got, want)
		}
	}
}
