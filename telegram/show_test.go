package telegram_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
)

func mustShow(t *testing.T, s outbound.Shown, rev int) outbound.Shown {
	t.Helper()
	if s.Err != nil || s.Rev != rev || len(s.Messages) == 0 {
		t.Fatalf("got %+v", s)
	}
	return s
}

func mustFailWith(t *testing.T, err error, want telegram.Reason) *telegram.Error {
	t.Helper()
	var e *telegram.Error
	if !errors.As(err, &e) || e.Reason != want {
		t.Fatalf("got %v, want reason %s", err, want)
	}
	return e
}

// inWorld runs a test in a bubble, with a bot that may write to Ada.
func inWorld(t *testing.T, f func(*world), change ...func(*telegram.Config)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, change...)
		w.startChatWithAda()
		f(w)
		w.stop()
		w.checkRules()
	})
}

func TestShow_PostsAndEdits(t *testing.T) {
	inWorld(t, func(w *world) {
		v := cardtest.Asks(cardtest.Database())
		s := mustShow(t, w.show(post(7, v)), 3)
		m := w.tele.Messages(7)[1]
		if len(s.Messages) != 1 || m.ID != int(s.Messages[0]) || m.Silent || strings.Join(m.Labels(), "|") != "1. SQLite|2. PostgreSQL (Recommended)|✏️ Type an answer|🚫 Dismiss" {
			t.Errorf("%+v %+v", s, m)
		}
		v = cardtest.After(v, cardtest.Typing(0))
		v.Rev = 4
		mustShow(t, w.show(post(7, v, s.Messages...)), 4)
		if m := w.tele.Messages(7)[1]; m.ForceReply || !strings.HasSuffix(strings.TrimSpace(m.Text), "Reply to this message with your answer.") {
			t.Errorf("%+v", m)
		}
		v = cardtest.Ended(v, question.Outcome{Kind: question.OutcomeStopped})
		mustShow(t, w.show(post(7, v, s.Messages...)), 4)
		if m := w.tele.Messages(7)[1]; len(m.Rows) != 0 || m.Edits != 2 || len(w.tele.Messages(7)) != 2 {
			t.Errorf("%+v", m)
		}
	})
}

func TestShow_EditsNothingTwice(t *testing.T) {
	inWorld(t, func(w *world) {
		v := cardtest.Asks(cardtest.Database())
		s := mustShow(t, w.show(post(7, v)), 3)
		mustShow(t, w.show(post(7, v, s.Messages...)), 3)
		if n := w.tele.Count("editMessageText"); n != 0 {
			t.Errorf("%d edits for nothing", n)
		}
		w.stop()
		w.renew() // what is on screen is forgotten: Telegram says that it is the same
		mustShow(t, w.show(post(7, v, s.Messages...)), 3)
		if n := w.tele.Count("editMessageText"); n != 1 {
			t.Errorf("%d edits after a restart", n)
		}
	})
}

// The view is taken when the post is sent: what changes while it waits is in it.
func TestShow_LatestView(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		for range 5 { // so that the chat has to rest
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(chat.MessageID, error) {})
		}
		var rev atomic.Int64
		p := post(7, question.View{}, s.Messages...)
		p.View = func() (question.View, bool) {
			next := cardtest.Asks(question.Item{Text: strings.Repeat("x", int(rev.Load()))})
			next.Rev = int(rev.Load())
			return next, true
		}
		told := make(chan int, 1)
		w.bot.Show(p, func(s outbound.Shown) { told <- s.Rev })
		rev.Store(53)
		settle()
		if last, n := <-told, w.tele.Count("editMessageText"); last != 53 || n != 1 {
			t.Errorf("last revision %d after %d edits", last, n)
		}
	})
}

// What is sent, and that it is sent at all, is of one moment: an ask that ends behind it is
// shown as it was, never as the end of what nobody saw.
func TestShow_ViewIsOfOneMoment(t *testing.T) {
	inWorld(t, func(w *world) {
		asks := cardtest.Asks(cardtest.Database())
		end := cardtest.Ended(asks, question.Outcome{Kind: question.OutcomeStopped})
		var turns atomic.Int64
		p := post(7, asks)
		p.View = func() (question.View, bool) {
			if turns.Add(1) > 1 {
				return end, false
			}
			return asks, true
		}
		mustShow(t, w.show(p), 3)
		if m := w.tele.Messages(7); len(m) != 2 || len(m[1].Rows) == 0 || turns.Load() != 1 {
			t.Errorf("%+v, asked %d times", m, turns.Load())
		}
		if s := w.show(p); s.Err != nil || len(s.Messages) != 0 || len(w.tele.Messages(7)) != 2 {
			t.Errorf("it was not wanted any more, and was shown: %+v %+v", s, w.tele.Messages(7))
		}
	})
}

// After a crash a question may have two messages in a chat. Each is looked after.
func TestShow_TwoCardsOfOneQuestion(t *testing.T) {
	inWorld(t, func(w *world) {
		one := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		two := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		end := cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: cardtest.Ada()})
		for _, m := range [][]chat.MessageID{one.Messages, two.Messages} {
			w.bot.Show(post(7, end, m...), func(s outbound.Shown) {
				if s.Err != nil || !slices.Equal(s.Messages, m) {
					t.Errorf("messages %v became %+v", m, s)
				}
			})
		}
		settle()
		for _, m := range w.tele.Messages(7) {
			if m.FromBot && len(m.Rows) > 0 {
				t.Errorf("a message still asks:\n%s", m.Text)
			}
		}
	})
}

func TestPace_InAPrivateChat(t *testing.T) {
	inWorld(t, func(w *world) {
		began := time.Now()
		done := make(chan time.Duration, 100)
		for range 10 {
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(_ chat.MessageID, err error) {
				if err != nil {
					t.Error(err)
				}
				done <- time.Since(began)
			})
		}
		for range 10 {
			<-done
		}
		if took := time.Since(began); took < 6*time.Second || took > 8*time.Second {
			t.Errorf("10 messages took %v", took)
		}
	})
}

func TestPace_InAGroup(t *testing.T) {
	inWorld(t, func(w *world) {
		began := time.Now()
		done := make(chan error, 100)
		for range 40 {
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: -5}, func(_ chat.MessageID, err error) { done <- err })
		}
		for range 40 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took < 55*time.Second {
			t.Errorf("40 messages to a group took %v", took)
		}
	})
}

func TestFlood_ParksTheChat(t *testing.T) {
	inWorld(t, func(w *world) {
		if _, err := w.tele.Say(8, 8, "/start"); err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 30})
		s := w.show(post(7, cardtest.Asks(cardtest.Database())))
		if e := mustFailWith(t, s.Err, botapi.Flood); !e.Temporary() || s.RetryAfter != 30*time.Second || s.Unknown || len(s.Messages) != 0 {
			t.Errorf("%+v", s)
		}
		began := time.Now()
		mustShow(t, w.show(post(8, cardtest.Asks(cardtest.Database()))), 3)
		if took := time.Since(began); took > time.Second {
			t.Errorf("another chat waited %v", took)
		}
		mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		if took := time.Since(began); took < 30*time.Second || took > 32*time.Second {
			t.Errorf("the chat waited %v", took)
		}
	})
}

func TestFlood_OfTwoChatsDelaysNoOther(t *testing.T) {
	inWorld(t, func(w *world) {
		if _, err := w.tele.Say(8, 8, "/start"); err != nil {
			t.Fatal(err)
		}
		flood := telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 30}
		w.tele.FailNext("sendMessage", flood, flood)
		mustFailWith(t, w.show(post(7, cardtest.Asks(cardtest.Database()))).Err, botapi.Flood)
		mustFailWith(t, w.show(post(8, cardtest.Asks(cardtest.Database()))).Err, botapi.Flood)
		began := time.Now()
		mustShow(t, w.show(post(-5, cardtest.Asks(cardtest.Database()))), 3)
		if took := time.Since(began); took > time.Second {
			t.Errorf("a third chat waited %v", took)
		}
		mustShow(t, w.show(post(8, cardtest.Asks(cardtest.Database()))), 3)
		if took := time.Since(began); took < 30*time.Second {
			t.Errorf("a flooded chat waited %v", took)
		}
	})
}

// An ask in one chat goes before reminders of what others were asked.
func TestShow_AsksGoFirst(t *testing.T) {
	inWorld(t, func(w *world) {
		for i := range 200 {
			id := int64(1000 + i)
			w.tele.AddUser(telegramsim.User{ID: id, FirstName: "S"})
			if _, err := w.tele.Say(id, id, "/start"); err != nil {
				t.Fatal(err)
			}
			w.bot.Note(outbound.Note{Kind: outbound.NoteRemind, Chat: chat.ID(id), View: cardtest.Asks(cardtest.Database())}, func(_ chat.MessageID, err error) {
				if err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("it waited %v", took)
		}
		settle()
	})
}

func TestShow_LostChats(t *testing.T) {
	for name, c := range map[string]struct {
		fault telegramsim.Fault
		lost  string
	}{
		"blocked":     {telegramsim.Fault{Code: 403, Description: "Forbidden: bot was blocked by the user"}, "blocked"},
		"not started": {telegramsim.Fault{Code: 403, Description: "Forbidden: bot can't initiate conversation with a user"}, "blocked"},
		"kicked":      {telegramsim.Fault{Code: 403, Description: "Forbidden: bot was kicked from the supergroup chat"}, "blocked"},
		"no chat":     {telegramsim.Fault{Code: 400, Description: "Bad Request: chat not found"}, "chat-not-found"},
		"no rights":   {telegramsim.Fault{Code: 400, Description: "Bad Request: not enough rights to send text messages to the chat"}, "no-rights"},
		"topic":       {telegramsim.Fault{Code: 400, Description: "Bad Request: message thread not found"}, "topic-gone"},
		"a bug":       {telegramsim.Fault{Code: 400, Description: "Bad Request: BUTTON_DATA_INVALID"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				c.fault.Kind = telegramsim.Refuse
				w.tele.FailNext("sendMessage", c.fault)
				s := w.show(post(7, cardtest.Asks(cardtest.Database())))
				var e *telegram.Error
				if s.Refused != c.lost || s.Unknown || !errors.As(s.Err, &e) || e.Temporary() {
					t.Errorf("%+v", s)
				}
			})
		})
	}
}

func TestShow_MovedGroup(t *testing.T) {
	inWorld(t, func(w *world) {
		to, err := w.tele.Upgrade(7, -5)
		if err != nil {
			t.Fatal(err)
		}
		s := w.show(post(-5, cardtest.Asks(cardtest.Database())))
		mustFailWith(t, s.Err, botapi.Moved)
		if s.MovedTo != chat.ID(to) || s.Refused != "" {
			t.Errorf("%+v", s)
		}
		mustShow(t, w.show(post(s.MovedTo, cardtest.Asks(cardtest.Database()))), 3)
	})
}

func TestShow_UnknownOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		fault   telegramsim.Fault
		unknown bool
	}{
		"reset after":       {telegramsim.Fault{Kind: telegramsim.ResetAfter}, true},
		"bad gateway after": {telegramsim.Fault{Kind: telegramsim.BadGatewayAfter}, true},
		"reset before":      {telegramsim.Fault{Kind: telegramsim.ResetBefore}, true},
		"hang":              {telegramsim.Fault{Kind: telegramsim.Hang}, true},
		"unreachable":       {telegramsim.Fault{Kind: telegramsim.Unreachable}, false},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.tele.FailNext("sendMessage", c.fault)
				s := w.show(post(7, cardtest.Asks(cardtest.Database())))
				var e *telegram.Error
				if s.Err == nil || s.Unknown != c.unknown || !errors.As(s.Err, &e) || !e.Temporary() {
					t.Errorf("%+v", s)
				}
			})
		})
	}
}

// A slow answer is an answer: near its limits Telegram takes 15 s.
func TestShow_SlowTelegram(t *testing.T) {
	inWorld(t, func(w *world) {
		w.tele.FailNext("sendMessage", telegramsim.Fault{Delay: 15 * time.Second})
		mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
	})
}

func TestShow_DeletedMessage(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		if err := w.tele.Delete(7, 7, int(s.Messages[0])); err != nil {
			t.Fatal(err)
		}
		v := cardtest.After(cardtest.Asks(cardtest.Database()), cardtest.Typing(0))
		s = w.show(post(7, v, s.Messages...))
		mustFailWith(t, s.Err, botapi.MessageGone)
		if len(s.Messages) != 0 || s.Refused != "" || s.Unknown {
			t.Errorf("%+v", s)
		}
		mustShow(t, w.show(post(7, v)), 3)
	})
}

func TestShow_PartsThatWereSentStay(t *testing.T) {
	inWorld(t, func(w *world) {
		v := cardtest.Asks(cardtest.LongItem())
		w.tele.FailNext("sendMessage", telegramsim.Fault{}, telegramsim.Fault{}, telegramsim.Fault{Kind: telegramsim.Unreachable})
		s := w.show(post(7, v))
		if s.Err == nil || len(s.Messages) != 2 {
			t.Fatalf("%+v", s)
		}
		s = mustShow(t, w.show(post(7, v, s.Messages...)), 3)
		all := w.tele.Messages(7)[1:]
		if len(s.Messages) != 4 || len(all) != 4 || len(all[3].Rows) == 0 || len(all[2].Rows) != 0 || !all[0].Silent || all[3].Silent {
			t.Errorf("%+v\n%s", s, w.tele.Transcript(7))
		}
	})
}

// Steps of different length use the same messages; the last has the buttons.
func TestShow_MessagesGrowAndShrink(t *testing.T) {
	inWorld(t, func(w *world) {
		v := cardtest.Asks(cardtest.Languages(), cardtest.LongItem())
		s := mustShow(t, w.show(post(7, v)), 3)
		if len(s.Messages) != 1 {
			t.Fatalf("%+v", s)
		}
		long := cardtest.After(v, cardtest.Pick(0, 0), question.WizardInput{Action: question.Done})
		s = mustShow(t, w.show(post(7, long, s.Messages...)), 3)
		all := w.tele.Messages(7)[1:]
		if len(s.Messages) != 4 || len(all[0].Rows) != 0 || !strings.Contains(all[0].Text, "Some words") || len(all[3].Rows) == 0 {
			t.Fatalf("%+v\n%s", s, w.tele.Transcript(7))
		}
		time.Sleep(time.Minute)
		s = mustShow(t, w.show(post(7, v, s.Messages...)), 3)
		all = w.tele.Messages(7)[1:]
		if len(s.Messages) != 4 || len(all[3].Rows) == 0 || all[0].Text != "↓ Continues below." || !strings.Contains(all[3].Text, "1. Go") {
			t.Fatalf("%+v\n%s", s, w.tele.Transcript(7))
		}
	})
}

func TestShow_FileAndCard(t *testing.T) {
	inWorld(t, func(w *world) {
		item := cardtest.Database()
		item.Text = strings.Repeat("Some words to read. ", 5000)
		v := cardtest.Asks(item)
		s := mustShow(t, w.show(post(7, v)), 3)
		all := w.tele.Messages(7)[1:]
		if len(s.Messages) != 2 || all[0].Document == nil || len(all[1].Rows) == 0 {
			t.Fatalf("%+v\n%s", s, w.tele.Transcript(7))
		}
		mustShow(t, w.show(post(7, cardtest.Ended(v, question.Outcome{Kind: question.OutcomeStopped}), s.Messages...)), 3)
		if m := w.tele.Messages(7)[2]; len(m.Rows) != 0 || !strings.Contains(m.Text, "stopped") {
			t.Errorf("%+v", m)
		}
	})
}

func TestShow_PlainTextWhereMarkupIsRefused(t *testing.T) {
	inWorld(t, func(w *world) {
		refusal := telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: `Bad Request: can't parse entities: Unsupported start tag "tg-time" at byte offset 9`}
		w.tele.FailNext("sendMessage", refusal)
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		if m := w.tele.Messages(7)[1]; len(m.Entities) != 0 || !strings.Contains(m.Text, "waits until") || len(m.Rows) == 0 {
			t.Errorf("%+v", m)
		}
		w.tele.FailNext("editMessageText", refusal)
		mustShow(t, w.show(post(7, cardtest.After(cardtest.Asks(cardtest.Database()), cardtest.Typing(0)), s.Messages...)), 3)
	})
}

// An address that Telegram does not take for a button costs that button, and nothing else.
func TestShow_WithoutAButtonWhoseAddressIsRefused(t *testing.T) {
	for _, said := range []string{"BUTTON_URL_INVALID", "inline keyboard button URL 'https://example.org/login' is invalid: Wrong HTTP URL"} {
		inWorld(t, func(w *world) {
			login := cardtest.FormOf(cardtest.Login("https://example.org/login"))
			rows := func(m telegramsim.Message) (links, all int) {
				for _, row := range m.Rows {
					for _, b := range row {
						if all++; b.URL != "" {
							links++
						}
					}
				}
				return links, all
			}
			refusal := telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: " + said}
			w.tele.FailNext("sendMessage", refusal)
			s := mustShow(t, w.show(post(7, login)), 3)
			if links, all := rows(w.tele.Messages(7)[1]); links != 0 || all < 2 {
				t.Errorf("%d buttons, %d with an address", all, links)
			}
			again := cardtest.After(login, cardtest.Say("what?"))
			mustShow(t, w.show(post(7, again, s.Messages...)), again.Rev)
			if links, _ := rows(w.tele.Messages(7)[1]); links != 1 {
				t.Errorf("%d buttons have an address where it is taken", links)
			}
			w.tele.FailNext("editMessageText", refusal)
			mustShow(t, w.show(post(7, login, s.Messages...)), 3)
			if links, all := rows(w.tele.Messages(7)[1]); links != 0 || all < 2 {
				t.Errorf("%d buttons, %d with an address", all, links)
			}
		})
	}
}

func TestShow_InTopics(t *testing.T) {
	inWorld(t, func(w *world) {
		w.tele.AddChat(telegramsim.Chat{ID: -1009, Type: telegramsim.Supergroup, Title: "Forum", Forum: true, Members: []int64{7}})
		topic := w.tele.AddTopic(-1009, "builds")
		for _, id := range []int{topic, botapi.GeneralTopic} {
			p := post(-1009, cardtest.Asks(cardtest.Database()))
			p.Topic = id
			mustShow(t, w.show(p), 3)
		}
		all := w.tele.Messages(-1009)
		if n := len(all); all[n-2].Topic != topic || all[n-1].Topic == topic {
			t.Errorf("%+v", all)
		}
	})
}

func TestClose_ReportsWhatWaits(t *testing.T) {
	inWorld(t, func(w *world) {
		done := make(chan error, 10)
		for range 10 {
			w.bot.Note(outbound.Note{Kind: outbound.NoteNothing, Chat: 7}, func(_ chat.MessageID, err error) { done <- err })
		}
		synctest.Wait()
		if err := w.stop(); err != nil {
			t.Error(err)
		}
		var failed []error
		for range 10 {
			if err := <-done; err != nil {
				mustFailWith(t, err, botapi.Stopping)
				failed = append(failed, err)
			}
		}
		if len(failed) != 10-2 {
			t.Errorf("%d of 10 were not sent", len(failed))
		}
		if s := w.show(post(7, cardtest.Asks(cardtest.Database()))); botapi.ReasonOf(s.Err) != botapi.Stopping {
			t.Errorf("%+v", s)
		}
	})
}

func TestShow_SilentParts(t *testing.T) {
	inWorld(t, func(w *world) {
		mustShow(t, w.show(post(7, cardtest.Asks(cardtest.LongItem()))), 3)
		loud := slices.DeleteFunc(w.tele.Messages(7)[1:], func(m telegramsim.Message) bool { return m.Silent })
		if len(loud) != 1 || len(loud[0].Rows) == 0 {
			t.Errorf("%d messages with sound", len(loud))
		}
	})
}
