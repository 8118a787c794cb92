package pending

import (
	"errors"
	"strings"
	"testing"

	"hermes/internal/storage"
	"hermes/pending/kv/kvtest"
)

// A database is the one of its first bot, until a restore replaces it.
func TestBot_IsTheFirstOne(t *testing.T) {
	m := new(kvtest.Memory)
	s := openShared(t, m)
	for _, step := range []struct {
		do    func(string) error
		bot   string
		wrong bool
	}{
		{s.CheckBot, "1", false},
		{s.KeepBot, "1", false},
		{s.KeepBot, "1", false},
		{s.CheckBot, "1", false},
		{s.CheckBot, "2", true},
		{s.KeepBot, "2", true},
		{s.CheckBot, "1", false},
	} {
		err := step.do(step.bot)
		if errors.Is(err, ErrOtherBot) != step.wrong || (err != nil) != step.wrong {
			t.Errorf("the bot %s: %v", step.bot, err)
		}
		if step.wrong && (!strings.Contains(err.Error(), "the bot 1,") || !strings.Contains(err.Error(), "the bot 2;")) {
			t.Errorf("both are not named: %v", err)
		}
	}
	if err := s.Commit(storage.Change{Entries: []storage.Entry{{Kind: storage.EntryReloaded}}}); err != nil {
		t.Fatal(err)
	}
	path := backupOf(t, s)
	next := new(kvtest.Memory)
	if _, err := RestoreShared(path, next.Open(), path+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := openShared(t, next).KeepBot("2"); err != nil {
		t.Errorf("what was restored: %v", err)
	}
}
