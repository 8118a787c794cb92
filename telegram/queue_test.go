package telegram_test

import (
	"context"
	"fmt"
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
)

// group is where Ada and Bob are; see newWorld.
const group = -5

// sendNotes tells the chat n times that nothing is asked, and returns how many of these
// notes were sent so far.
func (w *world) sendNotes(chatID chat.ID, n int) func() int {
	var sent atomic.Int64
	for range n {
		w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: chatID}, func(_ chat.MessageID, err error) {
			if err == nil {
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
			w.bot.Tell(remote.Message{Kind: remote.TellTurn, Chat: group, Turn: turn}, func(s remote.MessageShown) {
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
		touch, end := w.bot.Follow(remote.LiveMessage{Chat: group, Now: func() remote.Message {
			n++
			return remote.Message{Kind: remote.TellLive, Chat: group, Live: remote.LiveWorks, Text: fmt.Sprint(n)}
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
			w.bot.Note(outbound.Note{Kind: outbound.NoteStranger, Chat: chat.ID(1000 + i)}, func(_ chat.MessageID, err error) { done <- err })
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
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(id chat.MessageID, _ error) {
				ids[0] = append(ids[0], id)
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
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(_ chat.MessageID, err error) {
				if err != nil {
					mustFailWith(t, err, botapi.Full)
					full.Add(1)
				}
			})
		}
		owed := make(chan error, 1)
		w.bot.Tell(remote.Message{Kind: remote.TellTurn, Chat: 7}, func(s remote.MessageShown) { owed <- s.Err })
		if err := <-owed; err != nil {
			t.Errorf("the end of a turn: %v", err)
		}
		synctest.Wait()
		if n := full.Load(); n < 50-3 || n > 50 { // some were sent at once
			t.Errorf("%d notes were refused", n)
		}
	})
}
