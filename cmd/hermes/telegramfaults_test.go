package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	adapter "hermes/telegram"
)

const refusedForNow = "Telegram refuses the token, which it took before; hermes goes on trying"

// Telegram answers 401 of a good token for some minutes. Nothing is lost by that, also when hermes is started again meanwhile.
func TestALostSession(t *testing.T) {
	for name, restarted := range map[string]bool{"hermes runs on": false, "hermes is started again": true} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(r *rig) {
				_, before := r.ask(database())
				shown := r.last().ID
				r.wait(time.Minute)
				r.telegram.LoseSession(4 * time.Minute)
				dir := r.opencode.Directory()
				_, meanwhile := r.opencode.Ask(dir, r.opencode.NewSession(dir, "name it"), projectName())
				r.wait(time.Minute)
				r.ready(refusedForNow)
				if restarted {
					r.halt()
					r.start()
					r.wait(10 * time.Second)
					r.ready(refusedForNow)
				}
				r.wait(4 * time.Minute)
				r.ready()
				r.screen("What shall it be called?")
				r.say("The Bridge", r.last().ID)
				if _, err := r.telegram.Tap(ada, ada, shown, "2."); err != nil {
					t.Fatal(err)
				}
				r.wait(time.Minute)
				r.got(before, []string{"PostgreSQL (Recommended)"})
				r.got(meanwhile, []string{"The Bridge"})
				want := 1
				if restarted {
					want = 2 // one a life
				}
				if n := strings.Count(r.log.String(), "updates do not come in"); n != want {
					t.Errorf("%d lines, want %d:\n%s", n, want, r.log.String())
				}
			})
		})
	}
}

// What is refused for long is believed, after a start too; a token that was never taken is believed to be wrong at once.
func TestATokenThatIsRefusedForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, nil)
		r.start()
		r.say("/start", 0)
		end := func(least, most time.Duration) {
			t.Helper()
			began := time.Now()
			err := <-r.ended
			if took := time.Since(began); !errors.Is(err, adapter.ErrToken) || took < least || took > most {
				t.Errorf("the daemon ended after %v: %v", took, err)
			}
			if code := exitCode(ended(err, newRedactor(testToken)), true); code != exitUsage {
				t.Errorf("serve gives %d", code)
			}
		}
		r.telegram.LoseSession(24 * time.Hour)
		end(5*time.Minute, 6*time.Minute)
		r.start()
		end(4*time.Minute, 6*time.Minute)
		r.config.TelegramToken = "123456789:AAcanaryCANARYcanaryCANARYcanaryCA2"
		r.start()
		end(0, 0)
		r.close()
	})
}

// A half-open connection: /readyz says so within a minute, and what was tapped meanwhile arrives once.
func TestAHalfOpenConnectionToTelegram(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(database())
		r.wait(3 * time.Second)
		r.ready()
		r.telegram.Silence()
		r.tap("2.")
		began, noticed := time.Now(), time.Duration(0)
		for time.Since(began) < time.Minute {
			r.wait(time.Second)
			if code, text := r.request("GET", "/readyz", "", "Authorization", ""); code != http.StatusOK && noticed == 0 {
				noticed = time.Since(began)
				if !strings.Contains(text, "Telegram cannot be reached") {
					t.Error(text)
				}
			}
		}
		if noticed == 0 {
			t.Error("/readyz was good for a minute, over a dead connection")
		}
		t.Logf("noticed after %v", noticed)
		r.ready()
		r.got(call, []string{"PostgreSQL (Recommended)"})
		if n := len(r.journal(question.EntryAnswered)); n != 1 || r.telegram.Pending() > 1 {
			t.Errorf("%d answers, %d updates wait", n, r.telegram.Pending())
		}
	})
}

// Telegram delivers a tap and the text after it to a webhook in either order. Ada chooses, and then writes something else: the text never becomes
// the answer.
func TestWebhookInEitherOrder(t *testing.T) {
	for name, late := range map[string]string{"as they were made": "nothing", "the tap is late": "callback_query", "the text is late": `"message"`} {
		t.Run(name, func(t *testing.T) {
			hooked := func(c *config) {
				c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/telegram/hook", hookSecret
			}
			play(t, hooked, func(r *rig) {
				_, call := r.ask(database())
				r.late(late, time.Second)
				if _, err := r.telegram.Tap(ada, ada, r.last().ID, "2."); err != nil {
					t.Fatal(err)
				}
				if _, err := r.telegram.Say(ada, ada, "and now lunch"); err != nil {
					t.Fatal(err)
				}
				r.wait(time.Minute)
				r.got(call, []string{"PostgreSQL (Recommended)"})
				_, typed := r.ask(database())
				if _, err := r.telegram.Tap(ada, ada, r.last().ID, "✏️"); err != nil {
					t.Fatal(err)
				}
				if _, err := r.telegram.Say(ada, ada, "files, please"); err != nil {
					t.Fatal(err)
				}
				r.wait(time.Minute)
				r.got(typed, []string{"files, please"})
				if n := r.telegram.Pending(); n != 0 {
					t.Errorf("%d updates wait", n)
				}
			})
		})
	}
}

// late delays the updates on their way to the webhook that have this in them.
func (r *rig) late(part string, d time.Duration) {
	r.delay.Store(func(req *http.Request) time.Duration {
		body, err := req.GetBody()
		if err != nil {
			return 0
		}
		text, _ := io.ReadAll(body)
		if bytes.Contains(text, []byte(part)) {
			return d
		}
		return 0
	})
}

// The end of a turn that comes in such minutes is told afterwards, once.
func TestALostSessionAtTheEndOfATurn(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.say("/level turns", 0)
		before := len(c.telegram.Messages(ada))
		c.telegram.LoseSession(3 * time.Minute)
		c.finish()
		c.wait(time.Minute)
		if n := len(c.telegram.Messages(ada)); n != before {
			t.Fatalf("%d messages came from nowhere", n-before)
		}
		c.wait(8 * time.Minute)
		told := 0
		for _, m := range c.telegram.Messages(ada)[before:] {
			if strings.Contains(m.Text, "fix checkout flow") && !strings.Contains(m.Text, "Database") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the end of the turn was told %d times:\n%s\nlog:\n%s", told, c.telegram.Transcript(ada), c.log.String())
		}
	})
}
