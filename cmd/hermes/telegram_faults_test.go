package main

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/config"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
	adapter "hermes/telegram"
)

const refusedForNow = "Telegram refuses the token, which it took before; hermes goes on trying"

// Telegram answers 401 of a good token for some minutes. Nothing is lost by that, also when hermes is started again meanwhile.
func TestTelegramFaults_LostSession(t *testing.T) {
	for name, restarted := range map[string]bool{"hermes runs on": false, "hermes is started again": true} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				_, before := r.Ask(rig.DatabaseQuestion())
				shown := r.Last().ID
				r.Wait(time.Minute)
				r.Telegram.LoseSession(4 * time.Minute)
				dir := r.Opencode.Directory()
				_, meanwhile := r.Opencode.Ask(dir, r.Opencode.NewSession(dir, "name it"), rig.ProjectNameQuestion())
				r.Wait(time.Minute)
				r.WantReady(refusedForNow)
				if restarted {
					r.Halt()
					r.Start()
					r.Wait(10 * time.Second)
					r.WantReady(refusedForNow)
				}
				r.Wait(4 * time.Minute)
				r.WantReady()
				r.WantScreen("What shall it be called?")
				r.Say("The Bridge", r.Last().ID)
				if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, shown, "2."); err != nil {
					t.Fatal(err)
				}
				r.Wait(time.Minute)
				r.WantAnswers(before, []string{"PostgreSQL (Recommended)"})
				r.WantAnswers(meanwhile, []string{"The Bridge"})
				want := 1
				if restarted {
					want = 2 // one a life
				}
				if n := strings.Count(r.Log.String(), "updates do not come in"); n != want {
					t.Errorf("%d lines, want %d:\n%s", n, want, r.Log.String())
				}
			})
		})
	}
}

// What is refused for long is believed, after a start too; a token that was never taken is believed to be wrong at once.
func TestTelegramFaults_TokenThatIsRefusedForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		r.Start()
		r.Say("/start", 0)
		end := func(least, most time.Duration) {
			t.Helper()
			began := time.Now()
			err := <-r.Ended
			if took := time.Since(began); !errors.Is(err, adapter.ErrToken) || took < least || took > most {
				t.Errorf("the daemon ended after %v: %v", took, err)
			}
			if code := exitCode(serveError(err, secret.NewRedactor(rig.TestToken)), true); code != exitUsage {
				t.Errorf("serve gives %d", code)
			}
		}
		r.Telegram.LoseSession(24 * time.Hour)
		end(5*time.Minute, 6*time.Minute)
		r.Start()
		end(4*time.Minute, 6*time.Minute)
		r.Config.TelegramToken = "123456789:AAcanaryCANARYcanaryCANARYcanaryCA2"
		r.Start()
		end(0, 0)
		r.Close()
	})
}

// A half-open connection: /readyz says so within a minute, and what was tapped meanwhile arrives once.
func TestTelegramFaults_HalfOpenConnectionToTelegram(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(3 * time.Second)
		r.WantReady()
		r.Telegram.Silence()
		r.Tap("2.")
		began, noticed := time.Now(), time.Duration(0)
		for time.Since(began) < time.Minute {
			r.Wait(time.Second)
			if code, text := r.Request("GET", "/readyz", "", "Authorization", ""); code != http.StatusOK && noticed == 0 {
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
		r.WantReady()
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		if n := len(r.Journal(storage.EntryAnswered)); n != 1 || r.Telegram.Pending() > 1 {
			t.Errorf("%d answers, %d updates wait", n, r.Telegram.Pending())
		}
	})
}

// Telegram delivers a tap and the text after it to a webhook in either order. Ada chooses, and then writes something else: the text never becomes
// the answer.
func TestTelegramFaults_WebhookInEitherOrder(t *testing.T) {
	for name, late := range map[string]string{"as they were made": "nothing", "the tap is late": "callback_query", "the text is late": `"message"`} {
		t.Run(name, func(t *testing.T) {
			hooked := func(c *config.Config) {
				c.TelegramWebhookURL, c.TelegramWebhookSecret = "https://hermes.example/telegram/hook", rig.HookSecret
			}
			rig.Play(t, hooked, func(r *rig.Rig) {
				_, call := r.Ask(rig.DatabaseQuestion())
				r.DelayTelegram(late, time.Second)
				if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "2."); err != nil {
					t.Fatal(err)
				}
				if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "and now lunch"); err != nil {
					t.Fatal(err)
				}
				r.Wait(time.Minute)
				r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
				_, typed := r.Ask(rig.DatabaseQuestion())
				if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "✏️"); err != nil {
					t.Fatal(err)
				}
				if _, err := r.Telegram.Say(rig.Ada, rig.Ada, "files, please"); err != nil {
					t.Fatal(err)
				}
				r.Wait(time.Minute)
				r.WantAnswers(typed, []string{"files, please"})
				if n := r.Telegram.Pending(); n != 0 {
					t.Errorf("%d updates wait", n)
				}
			})
		})
	}
}

// The end of a turn that comes in such minutes is told afterwards, once.
func TestTelegramFaults_LostSessionAtTheEndOfATurn(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.Say("/level all", 0)
		before := len(c.Telegram.Messages(rig.Ada))
		c.Telegram.LoseSession(3 * time.Minute)
		c.Finish()
		c.Wait(time.Minute)
		if n := len(c.Telegram.Messages(rig.Ada)); n != before {
			t.Fatalf("%d messages came from nowhere", n-before)
		}
		c.Wait(8 * time.Minute)
		told := 0
		for _, m := range c.Telegram.Messages(rig.Ada)[before:] {
			if strings.Contains(m.Text, "fix checkout flow") && !strings.Contains(m.Text, "Database") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the end of the turn was told %d times:\n%s\nlog:\n%s", told, c.Telegram.Transcript(rig.Ada), c.Log.String())
		}
	})
}
