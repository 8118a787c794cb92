//go:build e2e

package e2e_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// bo has a machine of his own.
const bo = 43

// TestOwners plays two machines that belong to two people, with one hermes: what an OpenCode
// asks goes to its owner alone, and nobody's chat ever has a word of the other's.
func TestOwners(t *testing.T) {
	atEach(t, linkedServe, entriesOwned(), func(t *testing.T, e entry) {
		adas := newPhone(t)
		adas.telegram.AddUser(telegramsim.User{ID: bo, FirstName: "Bo", LanguageCode: "en"})
		bos := &phone{t: t, person: bo, telegram: adas.telegram, url: adas.url, ends: map[int]string{}}
		h := newHermes(t, adas.url)
		h.start(t, "HERMES_TELEGRAM_USERS="+strconv.Itoa(ada)+","+strconv.Itoa(bo), "HERMES_NOTIFY_DELAY=0", "HERMES_IDLE_DELAY=500ms", "HERMES_TURN_AFTER=0")
		adas.say("/start", 0)
		bos.say("/start", 0)
		one := &owner{adas, openOwned(t, e, "ledger-of-ada", h, ada), "ledger-of-ada", database("Which database keeps the ledger?")}
		two := &owner{bos, openOwned(t, e, "diary-of-bo", h, bo), "diary-of-bo", database("Which database keeps the diary?")}
		h.awaitReady(t)
		ownersAnswer(t, one, two)
		h.stop(t)
		one.noWordOf(two)
		two.noWordOf(one)
	})
}

// entriesOwned are the ends of what hermes supports by a link: nobody owns a server that
// hermes connects to.
func entriesOwned() []entry { return []entry{{oldest, linkedServe}, {newest, linkedServe}} }

// owner is a person with a phone and an OpenCode, which asks one question.
type owner struct {
	*phone
	window  *window
	project string
	asks    item
}

// openOwned opens a window on a machine that is linked as this person's.
func openOwned(t testing.TB, e entry, project string, h *hermes, person int64) *window {
	t.Helper()
	token, err := h.command("link", "add", "machine-"+project, "--person", strconv.FormatInt(person, 10)).Output()
	if err != nil {
		t.Fatalf("hermes link add: %v", err)
	}
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, token, 0o600); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	readPlugin(t, files, func(dir string) { h.installPlugin(t, dir, "--url", "http://"+h.listen, "--token-file", file) })
	return openWindowWith(t, e, project, files)
}

func ownersAnswer(t *testing.T, adas, bos *owner) {
	t.Helper()
	adas.window.ask("books", call(adas.asks))
	first := adas.card(adas.asks)
	bos.say("1", 0) // answers nothing: what waits is another's
	bos.says("👉")
	bos.say("/pending", 0)
	bos.says("Nothing is waiting for you here.")
	bos.window.ask("pages", call(bos.asks))
	second := bos.card(bos.asks)
	for _, o := range []*owner{adas, bos} {
		o.say("/sessions", 0)
		o.says("📂 Sessions\n1. " + o.project)
	}
	bos.tap(second, "2.")
	bos.window.told(bos.asks, answered(bos.asks.Question, "PostgreSQL (Recommended)"))
	bos.end(second, "✅ Database · diary-of-bo", bos.asks.Question, "→ PostgreSQL (Recommended)", "Bo · hh:mm")
	bos.says("💤 diary-of-bo")
	if got := results(adas.window.Model.Requests(), adas.asks); len(got) != 0 {
		t.Errorf("before Ada answered, her agent was told %q", got)
	}
	adas.tap(first, "1.")
	adas.window.told(adas.asks, answered(adas.asks.Question, "SQLite"))
	adas.end(first, "✅ Database · ledger-of-ada", adas.asks.Question, "→ SQLite", "Ada · hh:mm")
	adas.says("💤 ledger-of-ada")
}

// says waits until the bot has said something with this text.
func (o *owner) says(text string) {
	o.t.Helper()
	o.await("a message with "+text, func() bool {
		for _, m := range o.telegram.Messages(o.person) {
			if m.FromBot && strings.Contains(m.Text, text) {
				return true
			}
		}
		return false
	})
}

// noWordOf holds that this person's chat never had a word of what is the other's.
func (o *owner) noWordOf(other *owner) {
	o.t.Helper()
	chat := o.telegram.History(o.person)
	for _, canary := range []string{other.project, other.asks.Question, other.window.Dir, other.window.session} {
		if strings.Contains(chat, canary) {
			o.t.Errorf("%q is in the chat of %d:\n%s", canary, o.person, chat)
		}
	}
	for _, m := range o.window.Model.Requests() {
		for _, message := range m.Messages {
			if strings.Contains(message.Text, other.asks.Question) {
				o.t.Errorf("the model of %s was told of %q", o.project, other.asks.Question)
			}
		}
	}
}
