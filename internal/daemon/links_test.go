package daemon_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
)

// What is asked, and whose sessions these are, goes on across a rename: nothing has to be done on the machine.
func TestLinks_Rename(t *testing.T) {
	const rules = "[remote]\nroles = [\"lead\"]\n\n[[rule]]\nname = \"old\"\nlink = \"laptop-*\"\nremind = [\"5m\"]\n\n[[rule]]\nname = \"both\"\nlink = \"*laptop*\"\n"
	playOwners(t, rules, func(r *rig.Rig) {
		dir := r.Opencode.Directory()
		request, call := r.Ask(rig.DatabaseQuestion())
		r.WantScreenIn(rig.Bob, "laptop-7")
		if lost := r.RenameLink("laptop-7", "bobs-laptop"); !slices.Equal(lost, []string{"old"}) {
			t.Errorf("rules that no longer fit: %q", lost)
		}
		r.Wait(2 * time.Second)
		card := r.LastIn(rig.Bob)
		if screen := card.Text; !strings.Contains(screen, "bobs-laptop") || strings.Contains(screen, "laptop-7") {
			t.Errorf("the card says:\n%s", screen)
		}
		if q := r.OpenQuestion(); q.Link != "bobs-laptop" || string(q.Request) != request || r.Journal(storage.EntryAsked)[0].By.Token != "link laptop-7" {
			t.Errorf("the API has %+v, the journal %+v", q, r.Journal(storage.EntryAsked))
		}
		r.SayIn(rig.Bob, rig.Bob, "/status", 0)
		r.WantScreenIn(rig.Bob, "Your machines:\n· bobs-laptop · laptop · OpenCode "+r.Opencode.Version()+", plugin ?, protocol 1 · 1 waiting")
		if list, err := r.Links().List(r.T.Context()); err != nil || list.Links[0].Waiting != 1 || len(list.Links[0].OpenCodes) != 1 || list.Links[0].OpenCodes[0].Protocol != 1 {
			t.Errorf("listed: %+v, %v", list, err)
		}
		r.SayIn(rig.Ada, rig.Ada, "/status", 0)
		if adas := r.LastIn(rig.Ada).Text; strings.Contains(adas, "laptop") || strings.Contains(adas, "machines") {
			t.Errorf("Ada sees Bob's machine:\n%s", adas)
		}
		r.ForgeTap(rig.Bob, rig.Bob, card.ID, r.Data(card, "1. SQLite"))
		r.Wait(rig.WaitFor)
		r.WantAnswers(call, []string{"SQLite"})
		r.SayIn(rig.Bob, rig.Bob, "/sessions", 0)
		r.WantScreenIn(rig.Bob, "fix checkout flow")
		r.Opencode.AskBash(dir, r.Opencode.NewSession(dir, "another"), "make")
		r.Wait(3 * time.Second)
		r.WantScreenIn(rig.Bob, "make", "bobs-laptop")
		if e := r.Journal(storage.EntryRenamed); len(e) != 1 || e[0].Note != "bobs-laptop" || e[0].Detail != "laptop-7" {
			t.Errorf("the journal has %+v", e)
		}
		if list, err := r.Links().List(r.T.Context()); err != nil || len(list.Links) != 1 || list.Links[0].Name != "bobs-laptop" || list.Links[0].Open != 1 || list.Links[0].OwnerName != "Bob" {
			t.Errorf("listed: %+v, %v", list, err)
		}
		if open := statusOf(r).Open; len(open) != 1 || open[0].Link != "bobs-laptop" {
			t.Errorf("the status has %+v", open)
		}
		if err := r.Links().Revoke(r.T.Context(), "bobs-laptop"); err != nil || len(r.Daemon.Gateway.Links()) != 0 {
			t.Errorf("revoked by the new name: %v, %v", err, r.Daemon.Gateway.Links())
		}
	})
}

func statusOf(r *rig.Rig) (s api.Status) {
	r.T.Helper()
	_, body := r.Request("GET", "/v1/status", "")
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		r.T.Fatal(err)
	}
	return s
}

// An owner revokes their own link below the list of their machines, after they were asked; nobody else's button counts.
func TestLinks_RevokedInTheChat(t *testing.T) {
	playOwners(t, "[remote]\nroles = [\"lead\"]\n", func(r *rig.Rig) {
		r.SayIn(rig.Bob, rig.Bob, "/status", 0)
		r.WantScreenIn(rig.Bob, "laptop-7")
		list := r.LastIn(rig.Bob)
		ask := r.Data(list, "🗑 Revoke laptop-7")
		r.TapIn(rig.Bob, rig.Bob, "🗑 Revoke laptop-7")
		r.WantScreenIn(rig.Bob, "Unlink laptop-7?")
		sure := r.Data(r.LastIn(rig.Bob), "🗑 Revoke")
		r.TapIn(rig.Bob, rig.Bob, "Keep it")
		r.WantScreenIn(rig.Bob, "laptop-7 stays linked.")

		r.SayIn(rig.Ada, rig.Ada, "/status", 0)
		adas := r.LastIn(rig.Ada)
		r.ForgeTap(rig.Ada, rig.Ada, adas.ID, sure)
		r.Wait(2 * time.Second)
		if known, err := r.Links().List(r.T.Context()); err != nil || len(known.Links) != 1 || !strings.Contains(messageIn(r, rig.Ada, adas.ID).Text, "not linked to you") {
			t.Errorf("Ada's button has revoked Bob's link: %+v, %v, %s", known, err, messageIn(r, rig.Ada, adas.ID).Text)
		}

		r.Wait(5 * time.Minute) // it was asked about too long ago: it is asked again
		r.ForgeTap(rig.Bob, rig.Bob, list.ID, sure)
		r.Wait(2 * time.Second)
		r.WantScreenIn(rig.Bob, "Unlink laptop-7?")
		r.TapIn(rig.Bob, rig.Bob, "🗑 Revoke")
		r.WantScreenIn(rig.Bob, "The link of laptop-7 was revoked.")
		known, err := r.Links().List(r.T.Context())
		if err != nil || len(known.Links) != 0 || len(r.Daemon.Gateway.Links()) != 0 {
			t.Errorf("it is there still: %+v, %v", known, err)
		}
		if e := r.Journal(storage.EntryUnlinked); len(e) != 1 || e[0].Note != "laptop-7" || int64(e[0].By.User) != rig.Bob {
			t.Errorf("the journal has %+v", e)
		}

		if _, err := r.Links().Add(r.T.Context(), "laptop-7", rig.Bob); err != nil { // of the same name: the old buttons are not about it
			t.Fatal(err)
		}
		r.ForgeTap(rig.Bob, rig.Bob, list.ID, ask)
		r.Wait(2 * time.Second)
		r.WantScreenIn(rig.Bob, "not linked to you any more")
	})
}

func TestLinks_RenameRefused(t *testing.T) {
	rig.Play(t, func(c *config.Config) {}, func(r *rig.Rig) {
		for _, name := range []string{"a", "b"} {
			if _, err := r.Links().Add(r.T.Context(), name, 0); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			path, body string
			status     int
		}{
			{"a", `{"name":"b"}`, http.StatusConflict},
			{"a", `{"name":"a"}`, http.StatusConflict},
			{"gone", `{"name":"c"}`, http.StatusNotFound},
			{"a", `{"name":"c d"}`, http.StatusBadRequest},
			{"a", `{"name":"c@1"}`, http.StatusBadRequest},
			{"a", `{"owner":1}`, http.StatusBadRequest},
		} {
			if code, text := r.Request("PUT", "/v1/links/"+c.path+"/name", c.body); code != c.status {
				t.Errorf("%s %s gave %d %s", c.path, c.body, code, text)
			}
		}
		if n := len(r.Journal(storage.EntryRenamed)); n != 0 {
			t.Errorf("the journal has %d renames", n)
		}
	})
}
