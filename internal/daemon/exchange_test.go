package daemon_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

const publicURL = "http://127.0.0.1:4097" // as through a tunnel

// playCodes plays a hermes that knows where machines reach it, with Ada and Bob on the list.
func playCodes(t *testing.T, play func(r *rig.Rig)) {
	rig.Play(t, func(c *config.Config) { c.PublicURL = publicURL }, func(r *rig.Rig) {
		r.UseRules(teamRules)
		play(r)
	})
}

var codeInChat = regexp.MustCompile(`--url ` + regexp.QuoteMeta(publicURL) + ` --code ([0-9a-f]{48})\b`)

// codeOf has a person ask for a code, and reads it in their chat.
func codeOf(r *rig.Rig, person int64) secret.Text {
	r.T.Helper()
	r.SayIn(person, person, "/link", 0)
	r.Wait(2 * time.Second)
	found := codeInChat.FindAllStringSubmatch(r.Telegram.History(person), -1)
	if len(found) == 0 {
		r.T.Fatalf("no code in\n%s", r.Telegram.History(person))
	}
	return secret.Text(found[len(found)-1][1])
}

// exchange is the machine that the command is pasted on.
func exchange(r *rig.Rig, code secret.Text, host string) (secret.Text, string, error) {
	return apiclient.Exchange{URLs: strings.Split(publicURL, ","), Code: code, Host: host, Way: rig.RoundTripper(r.RoundTrip)}.Do(r.T.Context())
}

// A person asks in their chat, pastes on their machine, and is told; what the machine asks is theirs. Neither the token nor a used code
// is worth anything to who reads the chat, the log or the journal.
func TestExchange_OnePaste(t *testing.T) {
	playCodes(t, func(r *rig.Rig) {
		code := codeOf(r, rig.Bob)
		token, name, err := exchange(r, code, "Bob's laptop")
		if err != nil || name != "Bob-s-laptop" {
			t.Fatalf("%q, %v", name, err)
		}
		r.Wait(2 * time.Second)
		r.WantScreenIn(rig.Bob, "Bob-s-laptop", "Bob's laptop", "hermes link revoke Bob-s-laptop")
		list, err := r.Links().List(r.T.Context())
		if err != nil || len(list.Links) != 1 || list.Links[0].Owner != rig.Bob || list.Links[0].Name != name || !list.Links[0].ByMachine {
			t.Errorf("%+v, %v", list, err)
		}
		r.RenameLink(name, name)
		if list, err := r.Links().List(r.T.Context()); err != nil || list.Links[0].ByMachine {
			t.Errorf("by the administrator's word it is %+v, %v", list, err)
		}
		if status, _ := r.RequestAs(token, "GET", "/v1/link", ""); status != http.StatusOK {
			t.Errorf("the token opens its link with %d", status)
		}
		if status, _ := r.RequestAs(token, "GET", "/v1/questions", ""); status != http.StatusForbidden {
			t.Errorf("the token opens the API with %d", status)
		}
		if _, _, err := exchange(r, code, "thief"); err == nil || err.Error() != api.CodeRefused {
			t.Errorf("the code once more: %v", err)
		}
		_, journal := r.Request("GET", "/v1/journal", "")
		for where, text := range map[string]string{"Bob's chat": r.Telegram.History(rig.Bob), "Ada's chat": r.Telegram.History(rig.Ada), "log": r.Log.String(), "journal": journal} {
			if strings.Contains(text, token.Reveal()) || where != "Bob's chat" && strings.Contains(text, code.Reveal()) {
				t.Errorf("the %s shows a secret:\n%s", where, text)
			}
		}
		if strings.Contains(r.Telegram.History(rig.Ada), "Bob-s-laptop") {
			t.Error("somebody else is told")
		}
		if err := r.Links().Revoke(r.T.Context(), name); err != nil {
			t.Fatal(err)
		}
		if status, _ := r.RequestAs(token, "GET", "/v1/link", ""); status != http.StatusUnauthorized {
			t.Errorf("after it was revoked the token opens with %d", status)
		}
	})
}

// Whatever is wrong with a code, the answer is the same, and nothing is made.
func TestExchange_Refusals(t *testing.T) {
	for name, spoil := range map[string]func(r *rig.Rig, code secret.Text) secret.Text{
		"expired": func(r *rig.Rig, code secret.Text) secret.Text { r.Wait(storage.LinkCodeFor); return code },
		"forged":  func(*rig.Rig, secret.Text) secret.Text { return secret.Text(strings.Repeat("A", 32)) },
		"empty":   func(*rig.Rig, secret.Text) secret.Text { return "" },
		"replaced": func(r *rig.Rig, code secret.Text) secret.Text {
			codeOf(r, rig.Bob)
			return code
		},
		"whose person was taken off the list": func(r *rig.Rig, code secret.Text) secret.Text {
			r.UseRules(strings.Replace(teamRules, "id    = 43", "id    = 44", 1))
			return code
		},
		"of before a restart, too late": func(r *rig.Rig, code secret.Text) secret.Text {
			r.Halt()
			time.Sleep(storage.LinkCodeFor)
			r.Start()
			return code
		},
	} {
		t.Run(name, func(t *testing.T) {
			playCodes(t, func(r *rig.Rig) {
				code := spoil(r, codeOf(r, rig.Bob))
				_, _, err := exchange(r, code, "host")
				if err == nil || err.Error() != api.CodeRefused {
					t.Errorf("answered with %v", err)
				}
				if list, err := r.Links().List(r.T.Context()); err != nil || len(list.Links) != 0 {
					t.Errorf("%+v, %v", list, err)
				}
			})
		})
	}
}

// Strangers who try codes are slowed down; a good code is not.
func TestExchange_Strangers(t *testing.T) {
	playCodes(t, func(r *rig.Rig) {
		code, wait := codeOf(r, rig.Bob), 0
		for range 100 {
			status, _ := r.RequestAs("", "POST", "/v1/link-codes", `{"code":"x","token_hash":"`+strings.Repeat("ab", 32)+`","host":"h"}`)
			if status == http.StatusTooManyRequests {
				wait++
			} else if status != http.StatusForbidden {
				t.Errorf("answered with %d", status)
			}
		}
		if n := strings.Count(r.Log.String(), "a code that makes no link"); wait < 50 || n > 50 {
			t.Errorf("%d were told to wait, the log has %d", wait, n)
		}
		if _, _, err := exchange(r, code, "host"); err != nil {
			t.Error(err)
		}
		for _, body := range []string{``, `{}`, `{"code":"x","token_hash":"ab","host":"h"}`, `{"code":"x","token_hash":"` + strings.Repeat("ab", 32) + `","host":"` + strings.Repeat("h", 201) + `"}`} {
			if status, _ := r.RequestAs("", "POST", "/v1/link-codes", body); status != http.StatusBadRequest {
				t.Errorf("%.40q is answered with %d", body, status)
			}
		}
		if status, _ := r.Request("POST", "/v1/link-codes", "{}", "Origin", "https://evil.example"); status != http.StatusForbidden {
			t.Errorf("a web page is answered with %d", status)
		}
	})
}
