package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
	"hermes/telegram/cardtest"
	"hermes/telegram/markup"
	"hermes/telegram/ui"
	"hermes/telegram/words"
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
			w.bot.Tell(note(7), func(outbound.MessageShown) {})
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

// What agents write tells nobody of the group, wherever it stands.
func TestShow_MentionsNobody(t *testing.T) {
	inWorld(t, func(w *world) {
		item := cardtest.Database()
		item.Header, item.Text = "@bobby", "Ask @bobby, or @bobby2?"
		item.Options[0] = question.Option{Label: "@bobby", Description: "as @bobby"}
		v := cardtest.Asks(item)
		v.Said, v.Project, v.Place.Title, v.Request.Context = "so @bobby", "@bobby", "@bobby", "by @bobby"
		per := cardtest.Permission(question.Permission{Kind: "@bobby", Patterns: []string{"@bobby"}, Details: []question.Detail{{Name: "@bobby", Text: "@bobby"}}})
		for _, v := range []question.View{v, per, cardtest.Ended(v, question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"@bobby"}}, By: cardtest.Ada()})} {
			mustShow(t, w.show(post(-5, v)), 3)
		}
		w.tell(outbound.Message{Chat: -5, Text: ui.LastTurn(session.Session{}, session.Turn{Message: "m", Text: "so @bobby", Error: "@bobby"})})
		names := 0
		for _, m := range w.tele.Messages(-5) {
			names += strings.Count(m.Text, "@bobby")
			for _, e := range m.Entities {
				if e.Type == "mention" {
					t.Errorf("it tells somebody: %s", m.Text)
				}
			}
		}
		if names < 15 {
			t.Errorf("only %d names are shown\n%s", names, w.tele.Transcript(-5))
		}
	})
}

func TestPace(t *testing.T) {
	for chatID, c := range map[chat.ID]struct {
		notes       int
		least, most time.Duration
	}{
		7:  {10, 6 * time.Second, 8 * time.Second},
		-5: {40, 55 * time.Second, 4 * time.Minute},
	} {
		inWorld(t, func(w *world) {
			began, done := time.Now(), make(chan error, 100)
			for range c.notes {
				w.bot.Tell(note(chatID), func(s outbound.MessageShown) { done <- s.Err })
			}
			for range c.notes {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(began); took < c.least || took > c.most {
				t.Errorf("in chat %d %d messages took %v", chatID, c.notes, took)
			}
		})
	}
}

// The edit of a card waits for no pace, until Telegram refuses one: then edits keep the pace of messages for a day.
func TestPace_EditsOfCards(t *testing.T) {
	for chatID, every := range map[chat.ID]time.Duration{7: 2 * time.Second, -5: 6 * time.Second} {
		inWorld(t, func(w *world) {
			asked, ended := cardtest.Asks(cardtest.Database()), cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeStopped})
			edit := func(s outbound.Shown) (took time.Duration) {
				began := time.Now()
				for _, v := range []question.View{ended, asked} {
					mustShow(t, w.show(post(chatID, v, s.Messages...)), 3)
				}
				return time.Since(began)
			}
			var s outbound.Shown
			for n := range 30 {
				s = mustShow(t, w.show(post(chatID, asked)), 3)
				if took := edit(s); took > 0 {
					t.Errorf("in chat %d the edits of card %d took %v", chatID, n, took)
				}
				time.Sleep(every)
			}
			w.tele.FailNext("editMessageText", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 5})
			mustFailWith(t, w.show(post(chatID, ended, s.Messages...)).Err, botapi.Flood)
			for _, slow := range []bool{true, false} {
				time.Sleep(23 * time.Hour)
				began := time.Now()
				for range 4 {
					edit(s)
				}
				if took := time.Since(began); took > 4*time.Second != slow {
					t.Errorf("in chat %d eight edits took %v; Telegram refused one within a day: %v", chatID, took, slow)
				}
			}
		})
	}
}

// Where edits count like messages, Telegram refuses one, and hermes meets the limit once in a day.
func TestPace_EditsThatCount(t *testing.T) {
	for _, chatID := range []chat.ID{7, -5} {
		inWorld(t, func(w *world) {
			w.tele.SetFlood(telegramsim.Flood{Burst: 3, GroupPerMinute: 20})
			asked, refused := cardtest.Asks(cardtest.Database()), 0
			for range 40 {
				s := mustShow(t, w.show(post(chatID, asked)), 3)
				for _, v := range []question.View{cardtest.Ended(asked, question.Outcome{Kind: question.OutcomeStopped}), asked} {
					if e := w.show(post(chatID, v, s.Messages...)); e.Err != nil {
						mustFailWith(t, e.Err, botapi.Flood)
						refused++
					}
				}
			}
			if refused != 1 {
				t.Errorf("in chat %d %d edits were refused", chatID, refused)
			}
		})
	}
}

// Many cards that change at once are not all edited at once.
func TestPace_EditsOfManyCards(t *testing.T) {
	for chatID, want := range map[chat.ID]time.Duration{7: 10 * time.Second, -5: 30 * time.Second} {
		inWorld(t, func(w *world) {
			var cards []outbound.Shown
			for range 20 {
				cards = append(cards, mustShow(t, w.show(post(chatID, cardtest.Asks(cardtest.Database()))), 3))
			}
			time.Sleep(2 * time.Minute)
			began, done := time.Now(), make(chan outbound.Shown)
			for _, s := range cards {
				ended := cardtest.Ended(cardtest.Asks(cardtest.Database()), question.Outcome{Kind: question.OutcomeStopped})
				w.bot.Show(post(chatID, ended, s.Messages...), func(s outbound.Shown) { done <- s })
			}
			for range cards {
				mustShow(t, <-done, 3)
			}
			if took := time.Since(began); took < want || took > want+time.Second {
				t.Errorf("in chat %d 20 edits took %v, want %v", chatID, took, want)
			}
		})
	}
}

func TestFlood_ParksTheChat(t *testing.T) {
	inWorld(t, func(w *world) {
		if _, err := w.tele.Say(8, 8, "/start"); err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 30})
		s := w.show(post(7, cardtest.Asks(cardtest.Database())))
		if e := mustFailWith(t, s.Err, botapi.Flood); !e.Temporary() || s.RetryAfter != 30*time.Second || e.Unknown || len(s.Messages) != 0 {
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
				if s.Refused != c.lost || !errors.As(s.Err, &e) || e.Unknown || e.Temporary() {
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
				if s.Err == nil || !errors.As(s.Err, &e) || e.Unknown != c.unknown || !e.Temporary() {
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
		if len(s.Messages) != 0 || s.Refused != "" {
			t.Errorf("%+v", s)
		}
		mustShow(t, w.show(post(7, v)), 3)
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
			w.bot.Tell(note(7), func(s outbound.MessageShown) { done <- s.Err })
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

// What replies to a message that somebody has deleted is sent all the same.
func TestNote_ReplyToWhatIsGone(t *testing.T) {
	inWorld(t, func(w *world) {
		say, err := w.tele.Say(7, 7, "what?")
		if err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: REPLY_MESSAGE_ID_INVALID"})
		done := make(chan error, 1)
		w.bot.Tell(outbound.Message{Text: ui.WhichAsk().Text(), Chat: 7, ReplyTo: chat.MessageID(say)}, func(s outbound.MessageShown) { done <- s.Err })
		if err := <-done; err != nil {
			t.Error(err)
		}
		all := w.tele.Messages(7)
		if last := all[len(all)-1]; !last.FromBot || last.ReplyTo != 0 || w.tele.Count("sendMessage") != 2 {
			t.Errorf("%+v after %d calls", last, w.tele.Count("sendMessage"))
		}
	})
}

// A tap is acknowledged at once, however full the chat's queue is.
func TestAnswer_DoesNotQueue(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		for range 20 {
			w.bot.Tell(note(7), func(outbound.MessageShown) {})
		}
		w.start()
		if _, err := w.tele.Tap(7, 7, int(s.Messages[0]), "1. SQLite"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		heard := w.handled()
		tap := heard[len(heard)-1]
		if tap.Kind != inbound.Tapped || tap.Thread != "abcdefghijkl" || tap.Move.Option != 0 {
			t.Fatalf("%+v", tap)
		}
		began := time.Now()
		w.bot.Answer(tap.Callback, ui.Stale(), "zh")
		synctest.Wait()
		if got := w.tele.Alerts(); len(got) != 1 || got[0].Text != words.For("en").Stale || time.Since(began) != 0 {
			t.Errorf("%+v after %v", got, time.Since(began))
		}
		settle()
	})
}

func TestAnswer_LateIsFine(t *testing.T) {
	inWorld(t, func(w *world) {
		s := mustShow(t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		id, err := w.tele.Tap(7, 7, int(s.Messages[0]), "1. SQLite")
		if err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("answerCallbackQuery", telegramsim.Fault{Kind: telegramsim.Unreachable}) // is tried again
		w.bot.Answer(id, nil, "")
		synctest.Wait()
		w.tele.FailNext("answerCallbackQuery", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: query is too old and response timeout expired or query ID is invalid"})
		w.bot.Answer(id, nil, "")
		synctest.Wait()
		if n := w.tele.Count("answerCallbackQuery"); n != 3 || strings.Contains(w.log.String(), "WARN") {
			t.Errorf("%d calls\n%s", n, w.log)
		}
	})
}

func TestNote_RepliesInTopic(t *testing.T) {
	inWorld(t, func(w *world) {
		id, _ := w.tele.Say(7, 7, "hm")
		done := make(chan chat.MessageID, 1)
		w.bot.Tell(outbound.Message{Text: ui.WhichAsk().Text(), Answer: true, Chat: 7, ReplyTo: chat.MessageID(id), Lang: "zh"}, func(s outbound.MessageShown) {
			if s.Err != nil {
				t.Error(s.Err)
			}
			done <- s.Messages[0]
		})
		sent := <-done
		all := w.tele.Messages(7)
		if m := all[len(all)-1]; m.ID != int(sent) || m.ReplyTo != id || m.Silent {
			t.Errorf("%+v", m)
		}
	})
}

func TestReact(t *testing.T) {
	inWorld(t, func(w *world) {
		w.react(7, 1, "👀")
		w.react(7, 1, "👍")
		if m := w.tele.Messages(7)[0]; m.Reaction != "👍" || w.tele.Count("setMessageReaction") != 2 {
			t.Errorf("%+v", m)
		}
		if err := w.react(7, 1, ""); err != nil || w.tele.Messages(7)[0].Reaction != "" {
			t.Errorf("%v: %+v", err, w.tele.Messages(7)[0])
		}
	})
}

// react sets a reaction, and waits for what becomes of it.
func (w *world) react(chat chat.ID, message chat.MessageID, emoji string) error {
	done := make(chan error, 1)
	w.bot.React(chat, message, emoji, func(err error) { done <- err })
	return <-done
}

// What cannot be reacted to is tried once and told, and stops nothing.
func TestReact_Fails(t *testing.T) {
	inWorld(t, func(w *world) {
		w.tele.FailNext("setMessageReaction", telegramsim.Fault{}, telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 300}, telegramsim.Fault{Kind: telegramsim.BadGateway})
		began := time.Now()
		for _, c := range []struct {
			message chat.MessageID
			want    telegram.Reason
		}{{99, botapi.Refused}, {1, botapi.Flood}, {1, botapi.Server}} {
			err := w.react(7, c.message, "👍")
			if err == nil || botapi.ReasonOf(err) != c.want {
				t.Errorf("message %d: %v, want %s", c.message, err, c.want)
			}
			leaks(t, "the error", fmt.Sprint(err))
		}
		mustShow(w.t, w.show(post(7, cardtest.Asks(cardtest.Database()))), 3)
		if d := time.Since(began); d > time.Second {
			t.Errorf("the question came after %v", d)
		}
		if n := w.tele.Count("setMessageReaction"); n != 3 {
			t.Errorf("%d tries", n)
		}
	})
}

// Reactions take no turn from messages: what one source may use of a group's minute is for those.
func TestReact_TakesNoTurn(t *testing.T) {
	inWorld(t, func(w *world) {
		say, err := w.tele.Say(7, -5, "/start@hermes_bot")
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			w.bot.React(-5, chat.MessageID(say), "👀", func(error) {})
		}
		began := time.Now()
		for range 15 {
			mustShow(w.t, w.show(post(-5, cardtest.Asks(cardtest.Database()))), 3)
		}
		if d := time.Since(began); d > 15*time.Second {
			t.Errorf("fifteen questions took %v", d)
		}
		time.Sleep(time.Second) // reactions go behind cards
		if n := w.tele.Count("setMessageReaction"); n != 30 {
			t.Errorf("%d reactions", n)
		}
	})
}

// lessRoom makes Telegram refuse texts of more than so many code points, in the words of a send or of an edit. It tells which texts came twice.
func (w *world) lessRoom(room int) (twice func() []string) {
	seen := map[string]int{}
	w.tele.SetFault(func(c telegramsim.Call) telegramsim.Fault {
		text := c.Params["text"]
		if seen[text]++; len([]rune(text)) <= room {
			return telegramsim.Fault{}
		}
		words := map[string]string{"sendMessage": "Bad Request: message is too long", "editMessageText": "Bad Request: MESSAGE_TOO_LONG"}[c.Method]
		return telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: words}
	})
	return func() (all []string) {
		for text, n := range seen {
			if n > 1 && len([]rune(text)) > room {
				all = append(all, text)
			}
		}
		return all
	}
}

// What Telegram calls too long is sent in smaller parts, and never as it was.
func TestShow_TooLongComesInSmallerParts(t *testing.T) {
	base64 := strings.Repeat("QUJD", 3000)
	item := cardtest.Database()
	item.Text = base64
	for name, view := range map[string]question.View{
		"a question":   cardtest.Asks(item),
		"a permission": cardtest.Permission(question.Permission{Kind: "bash", Command: strings.Repeat("QUJD", 490)}),
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				twice := w.lessRoom(1500)
				s := mustShow(t, w.show(post(7, view)), view.Rev)
				settle()
				whole, buttons := "", 0
				for _, m := range w.tele.Messages(7)[1:] {
					whole += strings.TrimPrefix(m.Text, markup.More)
					if len(m.Rows) > 0 {
						buttons++
					}
				}
				want := base64
				if view.Request.Permission != nil {
					want = view.Request.Permission.Command
				}
				if buttons != 1 || !strings.Contains(whole, want) || len(s.Messages) < 2 || len(twice()) > 0 {
					t.Errorf("%+v, twice %q\n%s", s, twice(), w.tele.Transcript(7))
				}
				end := cardtest.Ended(view, question.Outcome{Kind: question.OutcomeStopped})
				mustShow(t, w.show(post(7, end, s.Messages...)), view.Rev)
				for _, m := range w.tele.Messages(7)[1:] {
					if len(m.Rows) > 0 {
						t.Errorf("at its end it has buttons\n%s", w.tele.Transcript(7))
					}
				}
				if len(twice()) > 0 {
					t.Errorf("twice %q", twice())
				}
			})
		})
	}
}

func TestTell_TooLongComesInSmallerParts(t *testing.T) {
	inWorld(t, func(w *world) {
		twice := w.lessRoom(1500)
		text := strings.Repeat("QUJD", 2000)
		c := make(chan outbound.MessageShown, 1)
		w.bot.Tell(outbound.Message{Chat: -5, Text: ui.LastTurn(session.Session{}, session.Turn{Message: "m", Text: text})}, func(s outbound.MessageShown) { c <- s })
		got := <-c
		ids, err := got.Messages, got.Err
		whole := strings.ReplaceAll(w.textIn(-5), markup.More, "")
		if err != nil || len(ids) != len(w.tele.Messages(-5)) || !strings.Contains(whole, text) || len(twice()) > 0 {
			t.Errorf("%v %v, twice %q\n%s", ids, err, twice(), w.tele.Transcript(-5))
		}
	})
}

// The symbol before a card's first line has two UTF-16 units: text without a blank fits all the same where Telegram counts those.
func TestShow_FitsByUnits(t *testing.T) {
	inWorld(t, func(w *world) {
		per := question.Permission{Kind: "mcp", Patterns: []string{"*"}, Details: []question.Detail{{Name: "data", Text: strings.Repeat("🔐", 3000)}}}
		item := cardtest.Database()
		item.Text = strings.Repeat("y", 9000)
		mustShow(t, w.show(post(7, cardtest.Permission(per))), 3)
		mustShow(t, w.show(post(7, cardtest.Asks(item))), 3)
	})
}

func TestUsername(t *testing.T) {
	for answer, want := range map[string]string{
		`{"ok":true,"result":{"id":1,"is_bot":true,"username":"hermes_bot"}}`: "hermes_bot",
		`{"ok":true,"result":{"id":1,"is_bot":true}}`:                         "",
		`{"ok":false,"error_code":401,"description":"Unauthorized"}`:          "",
	} {
		b, err := telegram.New(telegram.Config{
			Token: testToken, APIURL: "https://api.telegram.test", Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {},
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				if !strings.HasSuffix(r.URL.Path, "/getMe") {
					t.Errorf("called %s", r.URL.Path[strings.LastIndex(r.URL.Path, "/"):])
				}
				return reply(200, answer), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		name, _, err := b.Account(t.Context())
		if name != want || (err == nil) != (want != "") {
			t.Errorf("%s gives %q, %v", answer, name, err)
		}
		_ = b.Close(context.Background())
	}
}
