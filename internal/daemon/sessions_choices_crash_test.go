package daemon_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// TestSessions_KilledWhileChoosing kills hermes at each of its operations while a person chooses
// sessions and writes at once: every text is in the session that was meant, once.
func TestSessions_KilledWhileChoosing(t *testing.T) {
	everyKillOnEither(t, "choosing", chooseLife)
}

func chooseLife(t *testing.T, version string, k *rig.Killer) string {
	c := rig.DrivingRig(t, version, nil)
	other := c.Opencode.NewSession(c.Dir, "add an index")
	c.UseSession()
	c.Halt()
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	for _, text := range []string{"/use add an index", "one", "/new", "/noreply two", "/use fix checkout", "three"} {
		sayByHand(c, text, 0)
	}
	l.Pass(3 * time.Minute)
	what := k.Killed()
	got := sessionsByPrompt(c)
	if n := len(c.Opencode.Sessions()); n != 3 {
		t.Errorf("%d sessions, and one was to be made", n-2)
	}
	if got["one"] != other || got["three"] != c.Session || slices.Contains([]string{"", other, c.Session}, got["two"]) || len(c.Prompts()) != 3 {
		t.Errorf("they went to %q\n%s", got, c.Telegram.History(rig.Ada))
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.At, what, k.After, c.Log.String())
	}
	c.EndAfterKill(what)
	return what
}

// TestSessions_KilledWhileMaking kills hermes at each of its operations while it makes a session,
// by a word, by a button, or two at once: each is made once, used, and told of, twice at
// most.
func TestSessions_KilledWhileMaking(t *testing.T) {
	for _, how := range []string{"word", "button", "two words"} {
		everyKillOnEither(t, how, func(t *testing.T, version string, k *rig.Killer) string { return makeLife(t, how, version, k) })
	}
}

func makeLife(t *testing.T, how, version string, k *rig.Killer) string {
	c := rig.DrivingRig(t, version, func(c *config.Config) { c.Directories = []string{"/srv/web"} })
	c.UseSession()
	c.Say("/new", 0)
	list := c.Last().ID
	c.Halt()
	l := &rig.Life{Rig: c.Rig, Killer: k}
	c.Wrap = k.Around
	c.Start()
	l.Pass(5 * time.Second)
	want := []string{"/srv/web"}
	switch how {
	case "word":
		sayByHand(c, "/new web", 0)
		l.Pass(5 * time.Second)
	case "button":
		l.PressOn(list, "📁 web")
	default:
		sayByHand(c, "/new "+c.Dir, 0)
		sayByHand(c, "/new web", 0)
		l.Pass(5 * time.Second)
		want = []string{c.Dir, "/srv/web"}
	}
	l.Pass(time.Minute)
	what := stopKilling(k)
	sayByHand(c, "Write a page.", 0)
	l.Pass(2 * time.Minute)
	told := strings.Count(c.Telegram.Transcript(rig.Ada), "A new session.")
	if got := sessionDirectories(c); !slices.Equal(got, want) || told < len(want) || told > len(want)+1 {
		t.Errorf("sessions were made in %q, and %d messages tell of them\n%s", got, told, c.Telegram.History(rig.Ada))
	}
	made := c.Opencode.Sessions()
	if got := sessionsByPrompt(c)["Write a page."]; got == "" || got == c.Session || got != made[len(made)-1].ID {
		t.Errorf("the prompt went to %q\n%s", got, c.Telegram.History(rig.Ada))
	}
	if n := len(l.Journal(storage.EntryCreated)); n != len(want) {
		t.Errorf("%d entries of it", n)
	}
	if t.Failed() {
		t.Logf("killed at operation %d, %s, with its effect: %v\nlog:\n%s", k.At, what, k.After, c.Log.String())
	}
	c.EndAfterKill(what)
	return what
}

// sayByHand is a text of Ada's that is not waited for.
func sayByHand(c rig.Talk, text string, replyTo int) {
	c.T.Helper()
	var how []telegram.SayOption
	if replyTo != 0 {
		how = append(how, telegram.ReplyTo(replyTo))
	}
	if _, err := c.Rig.Telegram.Say(rig.Ada, rig.Ada, text, how...); err != nil {
		c.T.Fatal(err)
	}
}

// sessionsByPrompt are the sessions that each text went to.
func sessionsByPrompt(c rig.Talk) map[string]string {
	all := map[string]string{}
	for _, p := range c.Opencode.Prompts() {
		all[p.Text] += p.Session
	}
	return all
}

// stopKilling is Killed, and lets the daemon live from here on.
func stopKilling(k *rig.Killer) string {
	k.Mu.Lock()
	k.At = 0
	k.Mu.Unlock()
	return k.Killed()
}
