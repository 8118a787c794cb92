package telegram_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/cardtest"
)

func (w *world) say(text string) {
	w.t.Helper()
	if _, err := w.tele.Say(7, 7, text); err != nil {
		w.t.Fatal(err)
	}
	synctest.Wait()
}

func TestPoll_UpdatesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("before the start")
		w.start()
		for i := range 5 {
			w.say(fmt.Sprint(i))
		}
		if got := strings.Join(w.texts(), "|"); got != "before the start|0|1|2|3|4" {
			t.Error(got)
		}
		if err := w.bot.Health(); err != nil || w.polls == 0 {
			t.Error(err, w.polls)
		}
		if err := w.stop(); err != nil || w.inbox.waiting() != 0 {
			t.Error(err, w.inbox.waiting())
		}
		w.checkRules()
	})
}

// A store that fails ends the polls, and keeps Telegram's updates at Telegram.
func TestPoll_ConfirmsNothingBeforeItIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.inbox.fault = func(string) error { return errDisk }
		w.say("keep me")
		w.start()
		if err := <-w.ended; !errors.Is(err, errDisk) || len(w.texts()) != 0 || w.tele.Pending() != 1 {
			t.Error("taken although the store failed", err, w.texts(), w.tele.Pending())
		}
		w.inbox.fault = nil
		w.renew()
		w.start()
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"keep me"}) || w.bot.Health() != nil {
			t.Error(got, w.bot.Health())
		}
		w.stop()
	})
}

// A crash between the store and the next poll brings the update again, and one
// between the store and its handling finds it in the inbox: each is handled once.
func TestPoll_CrashBetweenStoreAndOffset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("kept")
		batch := []chat.Update{{ID: chat.UpdateID(w.tele.LastUpdateID()), Raw: []byte(`{"update_id":` +
			fmt.Sprint(w.tele.LastUpdateID()) + `,"message":{"message_id":1,"date":1,` + chatJSON + `,` + adaJSON + `,"text":"kept"}}`)}}
		if _, err := w.inbox.Put(batch); err != nil { // and here hermes dies
			t.Fatal(err)
		}
		w.start()
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"kept"}) || w.tele.Pending() != 0 {
			t.Error(got, w.tele.Pending())
		}
		w.stop()
	})
}

func TestPoll_PoisonStopsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("first")
		for _, raw := range []string{`{"message_id":"five"}`, `5`, `{"message_id":9,"date":1,"chat":{"id":7,"type":"private"},"paid_media":{"type":"live_photo"}}`} {
			if err := w.tele.Poison("message", raw); err != nil {
				t.Fatal(err)
			}
		}
		w.start()
		w.say("last")
		if got := w.texts(); !slices.Equal(got, []string{"first", "last"}) || len(w.inbox.aside) != 2 || w.inbox.waiting() != 0 {
			t.Error(got, w.inbox.aside, w.inbox.waiting())
		}
		if n := strings.Count(w.log.String(), "set aside"); n != 2 {
			t.Errorf("%d lines for 2 updates", n)
		}
		w.stop()
	})
}

func TestToken_IsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.tele.FailNext("getUpdates", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 401, Description: "Unauthorized"})
		w.start()
		if err := w.stop(); !errors.Is(err, telegram.ErrToken) {
			t.Error(err)
		}
		if err := w.bot.Health(); err == nil || err.Error() != "Telegram refuses the token" {
			t.Error(err)
		}
	})
}

func TestPoll_SurvivesTrouble(t *testing.T) {
	refuse := func(code int, text string, wait int) telegramsim.Fault {
		return telegramsim.Fault{Kind: telegramsim.Refuse, Code: code, Description: text, RetryAfter: wait}
	}
	for name, c := range map[string]struct {
		fault  telegramsim.Fault
		health string
	}{
		"second poller": {refuse(409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running", 0), "another program polls this bot"},
		"restart":       {refuse(500, "Internal Server Error: restart", 0), "Telegram has a fault"},
		"proxy page":    {telegramsim.Fault{Kind: telegramsim.BadGateway}, "Telegram has a fault; see the log"},
		"no network":    {telegramsim.Fault{Kind: telegramsim.Unreachable}, "Telegram cannot be reached"},
		"silence":       {telegramsim.Fault{Kind: telegramsim.Hang}, ""},
		"misdirected":   {refuse(421, "Misdirected Request", 0), ""}, // by a Bot API server that takes the token for one of another server
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.tele.FailNext("getUpdates", c.fault, c.fault, c.fault)
				w.start()
				if err := w.bot.Health(); err == nil || !strings.Contains(err.Error(), c.health) {
					t.Errorf("health: %v", err)
				}
				w.say("after all")
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if got := w.texts(); !slices.Equal(got, []string{"after all"}) || w.bot.Health() != nil {
					t.Error(got, w.bot.Health())
				}
				w.stop()
				if n := strings.Count(w.log.String(), "updates do not come in"); n != 1 {
					t.Errorf("%d lines about one failure:\n%s", n, w.log)
				}
				w.checkRules()
			})
		})
	}
}

func TestPoll_HonoursRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.tele.FailNext("getUpdates", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 100})
		w.start()
		time.Sleep(99 * time.Second)
		synctest.Wait()
		if n := w.tele.Count("getUpdates"); n != 1 {
			t.Errorf("%d polls within retry_after", n)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := w.tele.Count("getUpdates"); n != 3 { // one that is answered at once, and one that waits
			t.Errorf("%d polls after retry_after", n)
		}
		if err := w.bot.Health(); err != nil {
			t.Errorf("it works again, but health says %v", err)
		}
		w.stop()
		w.checkRules()
	})
}

func TestPoll_RemovesAWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		conflict := telegramsim.Fault{Kind: telegramsim.Refuse, Code: 409, Description: "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"}
		w.tele.FailNext("getUpdates", conflict)
		w.say("kept")
		w.start()
		settle()
		if got := w.texts(); w.tele.Count("deleteWebhook") != 1 || !slices.Equal(got, []string{"kept"}) {
			t.Error(w.tele.Count("deleteWebhook"), got)
		}
		w.stop()
	})
}

// An idle bot makes a call each 25 seconds.
func TestPoll_Idle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start()
		time.Sleep(10*time.Minute + time.Second)
		synctest.Wait()
		if n := w.tele.Count("getUpdates"); n != 26 {
			t.Errorf("%d polls in ten minutes", n)
		}
		w.stop()
		w.checkRules()
	})
}

const week = 7 * 24 * time.Hour

// After a week without updates the next one has any id (Bot API, Update), and the Bot API server takes an offset that is more than ten beyond it for none
// (Client.cpp:16333-16358). With the last one again, an offset of last week would confirm what nobody has seen.
func TestPoll_UpdateIDsJump(t *testing.T) {
	for name, id := range map[string]int{"down": 3_000_001, "onto the last one": 100_000_001} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.start()
				w.say("last week")
				time.Sleep(week + time.Hour)
				w.inbox.prune()
				w.jump(id)
				want := []string{"last week"}
				for i := range 151 {
					if _, err := w.tele.Say(7, 7, fmt.Sprint(i)); err != nil {
						t.Fatal(err)
					}
					want = append(want, fmt.Sprint(i))
				}
				before := w.tele.Count("getUpdates")
				settle()
				if got := w.texts(); !slices.Equal(got, want) {
					t.Errorf("%d of %d were handled: %q", len(got), len(want), got)
				}
				if n := w.tele.Count("getUpdates") - before; w.tele.Pending() != 0 || n > 8 {
					t.Errorf("%d updates wait after %d polls in a minute", w.tele.Pending(), n)
				}
				w.stop()
				w.checkRules()
			})
		})
	}
}

// An answer that is lost brings the first updates of the new ids again.
func TestPoll_UpdateIDsJumpWithALostAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.start()
		w.say("last week")
		time.Sleep(week + time.Hour)
		w.jump(3_000_001)
		w.tele.FailNext("getUpdates", lostAnswer, lostAnswer)
		for _, text := range []string{"one", "two", "three"} {
			w.say(text)
		}
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"last week", "one", "two", "three"}) || w.tele.Pending() != 0 {
			t.Errorf("%q, %d wait", got, w.tele.Pending())
		}
		w.stop()
		w.checkRules()
	})
}

// The Bot API server answers 401 also of a good token, while it makes itself a new session.
func TestToken_LostSessionIsWaitedFor(t *testing.T) {
	for name, change := range map[string]func(*telegram.Config){"polls": func(*telegram.Config) {}, "webhook": hooked} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, change)
				if name == "polls" {
					w.startChatWithAda()
				}
				w.start()
				if err := w.bot.Health(); err != nil {
					t.Fatal(err)
				}
				w.tele.LoseSession(4 * time.Minute)
				card := make(chan outbound.Shown, 1)
				w.bot.Show(post(7, cardtest.Asks(question.Item{Text: "Which?", Options: []question.Option{{Label: "A"}}})), func(s outbound.Shown) { card <- s })
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if err := w.bot.Health(); err == nil || err.Error() != "Telegram refuses the token, which it took before; hermes goes on trying" {
					t.Errorf("health meanwhile: %v", err)
				}
				if s := <-card; s.Err == nil || s.Refused != "" {
					t.Errorf("a card that is to be shown again: %+v", s)
				} else if e := new(telegram.Error); !errors.As(s.Err, &e) || !e.Temporary() {
					t.Errorf("a call that may work later counts as one that never will: %v", s.Err)
				}
				time.Sleep(3 * time.Minute)
				synctest.Wait()
				if err := w.bot.Health(); err != nil {
					t.Error("health afterwards:", err)
				}
				if name == "polls" {
					w.say("after all")
					if got := w.texts(); !slices.Equal(got, []string{"/start", "after all"}) {
						t.Error(got)
					}
				}
				if err := w.stop(); err != nil {
					t.Error(err)
				}
				if n := strings.Count(w.log.String(), "level=WARN"); n != 1 {
					t.Errorf("%d warnings, want one:\n%s", n, w.log)
				}
			})
		})
	}
}

// A refusal that lasts is believed, and no other one is.
func TestToken_RefusalThatLastsIsBelieved(t *testing.T) {
	for name, change := range map[string]func(*telegram.Config){"polls": func(*telegram.Config) {}, "webhook": hooked} {
		for _, known := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t, change, func(c *telegram.Config) { c.TokenWorked = known })
					if !known {
						w.start()
					}
					began := time.Now()
					w.tele.LoseSession(time.Hour)
					if known {
						w.start()
					}
					if err := <-w.ended; !errors.Is(err, telegram.ErrToken) {
						t.Error(err)
					}
					if took := time.Since(began); took < 5*time.Minute || took > 7*time.Minute {
						t.Errorf("it was believed after %v", took)
					}
					w.cancel = nil
					w.stop()
				})
			})
		}
	}
}

// A token that never worked is refused at once.
func TestToken_WrongIsNotTriedAgain(t *testing.T) {
	for name, change := range map[string]func(*telegram.Config){"polls": func(*telegram.Config) {}, "webhook": hooked} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, change, func(c *telegram.Config) { c.Token = "12345678:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp-_2" })
				began := time.Now()
				w.start()
				if err := w.stop(); !errors.Is(err, telegram.ErrToken) || time.Since(began) != 0 {
					t.Error(err, time.Since(began))
				}
			})
		})
	}
}
