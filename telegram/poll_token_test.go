package telegram_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/cardtest"
)

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

// A Bot API server that takes the bot's token for one of another server says 421.
func TestPoll_MisdirectedRequestIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		fault := telegramsim.Fault{Kind: telegramsim.Refuse, Code: 421}
		w.tele.FailNext("getUpdates", fault, fault, fault)
		w.start()
		w.say("after all")
		settle()
		if got := w.texts(); !slices.Equal(got, []string{"after all"}) || w.bot.Health() != nil {
			t.Error(got, w.bot.Health())
		}
		w.stop()
		w.checkRules()
	})
}
