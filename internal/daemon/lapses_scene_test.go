package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
)

// machine makes a link and says hello over it.
type machine struct {
	*rig.Rig
	name  string
	token secret.Text
}

func newMachine(r *rig.Rig, name string, owner chat.UserID) machine {
	r.T.Helper()
	token, err := r.Links().Add(r.T.Context(), name, owner)
	if err != nil {
		r.T.Fatal(err)
	}
	return machine{r, name, token}
}

// hello opens a link with a protocol's number and a version of the plugin, and lets it be lost.
func (m machine) hello(protocol int, version string, want int) {
	m.T.Helper()
	text := fmt.Sprintf(`{"protocol":%d,"plugin":%q,"instance":"i","process":%q,"directory":"/src","host":"<b>%s</b>","version":"1.18.34","complete":true}`, protocol, version, m.name, m.name)
	if code, said := m.RequestAs(m.token, "POST", "/v1/link", text); code != want {
		m.T.Fatalf("a hello was answered with %d %s", code, said)
	}
}

// wantTold waits for hours and compares how often a text is in a chat.
func wantTold(r *rig.Rig, chat int64, text string, want int) {
	r.T.Helper()
	r.Wait(3 * time.Hour)
	if got := strings.Count(strings.Join(r.MessagesTo(chat), "\n"), text); got != want {
		r.T.Errorf("%q is %d times in the chat, not %d:\n%s", text, got, want, r.Telegram.History(chat))
	}
}

// leave stops hermes for so long.
func leave(r *rig.Rig, d time.Duration) {
	r.Halt()
	r.Wait(d)
	r.Start()
}

const fifteenDays = 15 * 24 * time.Hour

// A machine that was not seen for long is told to its owner alone, once, whatever is restarted, and again when it came back and is gone
// again. One that is nobody's is told where what it asks would be.
func TestLapses_ASilentMachine(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.UseRules(teamRules)
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		bobs, nobodys := newMachine(r, "bobs-laptop", rig.Bob), newMachine(r, "build-server", 0)
		newMachine(r, "never-used", rig.Bob)
		bobs.hello(1, "", http.StatusOK)
		nobodys.hello(1, "", http.StatusOK)
		r.Wait(time.Minute)
		wantTold(r, rig.Bob, "not seen these machines", 0)
		leave(r, fifteenDays)
		r.Wait(10 * time.Minute) // it may have been hermes that was away
		if text := strings.Join(r.MessagesTo(rig.Bob), "\n"); strings.Contains(text, "not seen") {
			t.Error("it is told before machines can have come back")
		}
		wantTold(r, rig.Bob, "• bobs-laptop (<b>bobs-laptop</b>)", 1)
		wantTold(r, rig.Bob, "never-used", 0)
		wantTold(r, rig.Bob, "build-server", 0)
		wantTold(r, rig.Ada, "• build-server", 1)
		wantTold(r, rig.Ada, "bobs-laptop", 0)
		leave(r, time.Hour)
		wantTold(r, rig.Bob, "not seen these machines", 1)
		bobs.hello(1, "", http.StatusOK)
		r.Wait(time.Minute)
		leave(r, fifteenDays)
		wantTold(r, rig.Bob, "not seen these machines", 2)
		wantTold(r, rig.Ada, "not seen these machines", 1)
	})
}

// An old plugin is told to its owner once, one that is refused too, and again only when a later version is old.
func TestLapses_AnOldPlugin(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.UseRules(teamRules)
		r.SayIn(rig.Bob, rig.Bob, "/start", 0)
		laptop, desk := newMachine(r, "laptop", rig.Bob), newMachine(r, "desk", rig.Bob)
		old := func(version string) {
			stop := keepHello(r, laptop, version)
			defer stop()
			r.Wait(11 * time.Minute)
		}
		old("1.0.0")
		wantTold(r, rig.Bob, "• laptop (<b>laptop</b>): 1.0.0", 1)
		leave(r, time.Minute)
		old("1.0.0")
		wantTold(r, rig.Bob, "an older plugin", 1)
		old("1.1.0")
		wantTold(r, rig.Bob, "an older plugin", 2)
		for _, restart := range []bool{false, true} {
			if restart {
				leave(r, time.Minute)
			}
			for range 30 { // a plugin tries again every half a minute
				desk.hello(99, "9.9.9", http.StatusUpgradeRequired)
				r.Wait(30 * time.Second)
			}
			wantTold(r, rig.Bob, "newer than I am", 1)
			wantTold(r, rig.Bob, "• desk (<b>desk</b>): 9.9.9", 1)
		}
		wantTold(r, rig.Ada, "laptop", 0)
	})
}

// keepHello opens a link every few seconds, as the double that says hello alone is lost soon.
func keepHello(r *rig.Rig, m machine, version string) (stop func()) {
	ended, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			m.hello(1, version, http.StatusOK)
			select {
			case <-ended:
				return
			case <-time.After(5 * time.Second):
			}
		}
	}()
	return func() { close(ended); <-done }
}
