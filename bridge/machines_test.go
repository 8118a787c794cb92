package bridge_test

import (
	"context"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/policy"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/pending"
)

const publicURL = "https://hermes.example"

func withURL(c *bridge.Config) { c.PublicURLs = []string{publicURL} }

// machineNotes are the notes about machines that people got since.
func (w *world) machineNotes(kind outbound.NoteKind) (list []outbound.Note) {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	for _, n := range w.chat.notes {
		if n.Kind == kind {
			list = append(list, n)
		}
	}
	return list
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
		want  outbound.NoteKind // "": nothing
	}{
		"in private":          {ada, adaChat, withURL, outbound.NoteLinkCode},
		"no address is known": {ada, adaChat, nil, outbound.NoteLinkNoURL},
		"in the team's group": {ada, teamChat, func(c *bridge.Config) {
			withURL(c)
			c.Rules = policy.Everyone([]chat.UserID{ada}, []policy.Target{{Chat: teamChat}})
		}, outbound.NoteLinkOther},
		"in a group of somebody else": {ada, -77, withURL, ""},
		"who may answer nothing":      {dana, 13, func(c *bridge.Config) { withURL(c); c.Rules = team(t, "") }, outbound.NoteNoRole},
		"a stranger":                  {1000, 1000, withURL, ""},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, c.alter, func(w *world) {
				w.command(c.user, c.chat, "/link")
				w.wait(time.Second)
				for _, kind := range []outbound.NoteKind{outbound.NoteLinkCode, outbound.NoteLinkNoURL, outbound.NoteLinkOther, outbound.NoteNoRole} {
					if got := len(w.machineNotes(kind)); (got == 1) != (kind == c.want) || got > 1 {
						t.Errorf("%d of %s", got, kind)
					}
				}
				codes := w.codes()
				if c.want != outbound.NoteLinkCode {
					if len(codes) > 0 {
						t.Errorf("a code was made: %+v", codes)
					}
					return
				}
				told := w.machineNotes(outbound.NoteLinkCode)[0]
				if len(codes) != 1 || codes[0].Owner != c.user || codes[0].Hash != storage.HashCode(told.Machine.Code.Reveal()) || told.Machine.URL != publicURL || told.Chat != c.chat {
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
		told, made := len(w.machineNotes(outbound.NoteLinkCode)), len(w.ofKind(storage.EntryLinkCode))
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
				told := w.machineNotes(outbound.NoteLinkCode)
				codes := w.codes()
				if len(told) == 0 || len(codes) != 1 || codes[0].Hash != storage.HashCode(told[len(told)-1].Machine.Code.Reveal()) {
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
	told := w.machineNotes(outbound.NoteLinkCode)
	code := told[len(told)-1].Machine.Code
	c, _, err := w.store.Links().Redeem(pending.Exchange{
		Code: storage.HashCode(code.Reveal()), Token: [32]byte{1}, Name: "laptop", Host: "laptop.lan",
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
				told := w.machineNotes(outbound.NoteLinked)
				if len(told) < 1 || len(told) > c.want || told[0].Chat != adaChat || told[0].Machine.Name != "laptop" || told[0].Machine.Host != "laptop.lan" {
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
		if told := w.machineNotes(outbound.NoteLinked); len(told) != 1 {
			t.Errorf("told %+v", told)
		}
	})
}
