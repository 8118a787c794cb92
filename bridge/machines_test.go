package bridge_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
	"hermes/telegram/ui"
)

const publicURL = "https://hermes.example"

func withURL(c *bridge.Config) { c.PublicURLs = []string{publicURL} }

// Lines of the notes about machines.
const (
	codeLine   = "hermes plugin install --url "
	linkedLine = "hermes link revoke "
)

// notesWith are the notes that say it.
func (w *world) notesWith(text string) (list []note) {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	for _, n := range w.chat.notes {
		if strings.Contains(n.text, text) {
			list = append(list, n)
		}
	}
	return list
}

// codeIn is the code that a note gives.
func codeIn(n note) string {
	_, rest, _ := strings.Cut(n.text, codeLine+publicURL+" --code ")
	code, _, _ := strings.Cut(rest, "\n")
	return code
}

func (w *world) codes() []storage.LinkCode {
	list, err := w.store.LinkCodes()
	must(w.t, err)
	return list
}

// What somebody gets who writes /link, and what is stored of it.
func TestMachines_WhoGetsACode(t *testing.T) {
	for name, c := range map[string]struct {
		user  chat.UserID
		chat  chat.ID
		alter func(*bridge.Config)
		want  string // "": nothing
	}{
		"in private":          {ada, adaChat, withURL, codeLine},
		"no address is known": {ada, adaChat, nil, noted(ui.NoLinkURL().Text())},
		"in the team's group": {ada, teamChat, func(c *bridge.Config) {
			withURL(c)
			c.Rules = policy.Everyone([]chat.UserID{ada}, []policy.Target{{Chat: teamChat}})
		}, noted(ui.LinkInPrivate().Text())},
		"in a group of somebody else": {ada, -77, withURL, ""},
		"who may answer nothing":      {dana, 13, func(c *bridge.Config) { withURL(c); c.Rules = team(t, "") }, noted(ui.NoRole(nil).Text())},
		"a stranger":                  {1000, 1000, withURL, ""},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, c.alter, func(w *world) {
				w.command(c.user, c.chat, "/link")
				w.wait(time.Second)
				if told := w.chat.notes; (len(told) == 1) != (c.want != "") || len(told) != len(w.notesWith(c.want)) {
					t.Errorf("told %v, want %q", told, c.want)
				}
				codes := w.codes()
				if c.want != codeLine {
					if len(codes) > 0 {
						t.Errorf("a code was made: %+v", codes)
					}
					return
				}
				told := w.notesWith(codeLine)[0]
				if len(codes) != 1 || codes[0].Owner != c.user || codes[0].Hash != storage.HashCode(codeIn(told)) || told.chat != c.chat {
					t.Errorf("told %+v, stored %+v", told, codes)
				}
				if e := w.ofKind(storage.EntryLinkCode); len(e) != 1 || e[0].By.User != c.user || e[0].Thread != codes[0].ID || e[0].Note != "" {
					t.Errorf("the journal has %+v", e)
				}
			})
		})
	}
}

// ofKind are the journal's of a kind.
func (w *world) ofKind(kind storage.EntryKind) []storage.Entry {
	list, err := w.store.EntriesSince(time.Time{}, kind)
	must(w.t, err)
	return list
}

// It is no answer to what waits.
func TestMachines_AWishIsNoAnswer(t *testing.T) {
	play(t, withURL, func(w *world) {
		id := w.agent.ask(question.Item{Text: "Which branch?", Custom: true})
		w.wait(time.Minute)
		w.command(ada, adaChat, "/link")
		w.wait(time.Minute)
		w.agent.mu.Lock()
		if a := w.agent.requests[id]; a.replies > 0 {
			t.Errorf("OpenCode was told %v", a.answers)
		}
		w.agent.mu.Unlock()
		if len(w.codes()) != 1 {
			t.Error("no code was made")
		}
	})
}

// Who asks for codes without end gets some, and no more are made than they are told of.
func TestMachines_CodesHaveAPace(t *testing.T) {
	play(t, withURL, func(w *world) {
		for range 50 {
			w.command(ada, adaChat, "/link")
		}
		w.wait(time.Second)
		told, made := len(w.notesWith(codeLine)), len(w.ofKind(storage.EntryLinkCode))
		if told == 0 || told > 11 || told != made {
			t.Errorf("%d were told, %d made", told, made)
		}
	})
}

// A code that was not stored is not told; one that was stored and not told is replaced by the next.
func TestMachines_KilledAtTheCode(t *testing.T) {
	for name, stored := range map[string]bool{"before the commit": false, "behind it": true} {
		t.Run(name, func(t *testing.T) {
			play(t, withURL, func(w *world) {
				w.setFault(func(op string) fate {
					if op == "commit" && !stored {
						return fate{err: errFault}
					}
					if op == "note" {
						return fate{err: errFault}
					}
					return fine
				})
				w.command(ada, adaChat, "/link")
				w.setFault(func(string) fate { return fine })
				w.restart()
				w.wait(time.Second)
				w.command(ada, adaChat, "/link")
				w.wait(time.Second)
				told := w.notesWith(codeLine)
				codes := w.codes()
				if len(told) == 0 || len(codes) != 1 || codes[0].Hash != storage.HashCode(codeIn(told[len(told)-1])) {
					t.Errorf("told %d, stored %+v", len(told), codes)
				}
			})
		})
	}
}

// exchange is a machine that gives the code that Ada was told.
func (w *world) exchange() storage.LinkCode {
	w.command(ada, adaChat, "/link")
	w.wait(time.Second)
	told := w.notesWith(codeLine)
	code := codeIn(told[len(told)-1])
	c, _, err := w.store.Links().Redeem(pending.Exchange{
		Code: storage.HashCode(code), Token: [32]byte{1}, Name: "laptop", Host: "laptop.lan",
	}, time.Now(), func(chat.UserID) bool { return true })
	must(w.t, err)
	return c
}

// The owner is told of the link in their chat, once where nothing fails, and also if hermes was killed at any point between.
func TestMachines_TheOwnerIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		tell  bool // hermes lives when the link is made
		fault string
		want  int
	}{
		"at once":                      {true, "", 1},
		"killed before it is told":     {false, "", 1},
		"killed before that is stored": {true, "commit", 2},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, withURL, func(w *world) {
				code := w.exchange()
				failed := false
				w.setFault(func(op string) fate {
					if op == c.fault && !failed {
						failed = true
						return fate{err: errFault}
					}
					return fine
				})
				if c.tell {
					must(t, w.bridge.Linked(context.Background(), code))
					w.wait(time.Second)
				}
				w.restart()
				w.wait(time.Second)
				w.restart()
				w.wait(time.Second)
				told := w.notesWith(linkedLine)
				if len(told) < 1 || len(told) > c.want || told[0].chat != adaChat || told[0].text != noted(ui.MachineLinked("laptop", "laptop.lan")) {
					t.Errorf("told %+v", told)
				}
				if codes := w.codes(); len(codes) != 1 || !codes[0].Told {
					t.Errorf("stored %+v", codes)
				}
			})
		})
	}
}

// passing is an error that passes.
type passing struct{}

func (passing) Error() string   { return "429" }
func (passing) Temporary() bool { return true }

// A chat that takes nothing for a while gets it then.
func TestMachines_TheOwnerIsToldLater(t *testing.T) {
	play(t, withURL, func(w *world) {
		code := w.exchange()
		w.setFault(meets("note", fate{err: passing{}}))
		must(t, w.bridge.Linked(context.Background(), code))
		w.wait(10 * time.Minute)
		w.setFault(func(string) fate { return fine })
		w.wait(2 * time.Minute)
		if told := w.notesWith(linkedLine); len(told) != 1 {
			t.Errorf("told %+v", told)
		}
	})
}
