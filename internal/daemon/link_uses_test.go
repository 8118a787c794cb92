package daemon

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/api"
	"hermes/internal/question"
	"hermes/opencode/link"
	"hermes/pending"
)

// When hermes starts again, all links come at once. That they are in use is one commit, and none of them waits for it.
func TestLinkTokens_StoreUsesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const links = 200
		id := map[string]string{} // by name
		var commits atomic.Int64
		file := filepath.Join(t.TempDir(), "hermes.db")
		store, err := pending.Open(file, pending.Options{Write: func(write func() error) error {
			commits.Add(1)
			return write()
		}})
		if err != nil {
			t.Fatal(err)
		}
		known, err := newLinkTokens(store.Links(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for n := range links {
			if _, err := known.add(api.NewLink{Name: fmt.Sprint("machine-", n)}, question.Actor{Kind: question.Terminal}); err != nil {
				t.Fatal(err)
			}
		}
		for _, l := range known.list() {
			id[l.Name] = l.ID
		}
		commits.Store(0)
		for n := range links {
			known.noteHello(link.Hello{Token: id[fmt.Sprint("machine-", n)], Host: "laptop"})
		}
		if n := commits.Load(); n != 0 {
			t.Errorf("%d commits while links open", n)
		}
		time.Sleep(2 * storeUsesAfter)
		if n := commits.Load(); n != 1 {
			t.Errorf("%d commits for %d links", n, links)
		}
		time.Sleep(seenEvery)
		known.noteHello(link.Hello{Token: id["machine-7"], Host: "desk"})
		known.close() // before the timer
		known.noteHello(link.Hello{Token: id["machine-8"], Host: "desk"})
		time.Sleep(2 * storeUsesAfter)
		if n := commits.Load(); n != 2 {
			t.Errorf("%d commits at the end", n)
		}
		list, err := store.Links().All()
		if err != nil || len(list) != links {
			t.Fatal(len(list), err)
		}
		for _, l := range list {
			if want := map[bool]string{true: "desk", false: "laptop"}[l.Name == "machine-7"]; l.Host != want || l.Seen.IsZero() {
				t.Errorf("%s was seen %v at %s", l.Name, l.Seen, l.Host)
			}
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
