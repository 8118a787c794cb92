//go:build postgres && unix

package database_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/database"
	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/internal/storage"
	"hermes/pending"
	"hermes/pending/postgres/pgtest"
)

func sharedConfig(t *testing.T) config.Config {
	t.Helper()
	return config.Config{Store: secret.Text(pgtest.Start(t, pgtest.Options{}).URL()), Lease: 2 * time.Second, PublicURL: "https://one.test"}
}

// change writes an entry into the journal, as a command does.
func change(t *testing.T, c config.Config, note string) {
	t.Helper()
	s, err := database.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Commit(storage.Change{Entries: []storage.Entry{{At: time.Now(), Kind: storage.EntryReloaded, Note: note}}})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// notes are those of the journal.
func notes(t *testing.T, c config.Config) string {
	t.Helper()
	s, err := database.Read(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	err = s.Journal(1, func(l pending.Line) error {
		list = append(list, l.Entry.Note)
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, ",")
}

// Commands change a shared database while no hermes acts, one after the other and without a wait, and read it at any time.
func TestOpen_Shared(t *testing.T) {
	c := sharedConfig(t)
	if _, err := database.Read(t.Context(), c); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty database: %v", err)
	}
	change(t, c, "one")
	change(t, c, "two")

	acting, err := database.OpenShared(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer acting.Close()
	lease, err := acting.Acquire(t.Context(), database.Self(c))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := database.Open(t.Context(), c); !errors.Is(err, pending.ErrLocked) || !strings.Contains(err.Error(), "at https://one.test acts") {
		t.Errorf("while a hermes acts: %v", err)
	}
	if got := notes(t, c); got != "one,two" {
		t.Errorf("the journal has %s", got)
	}
	a, err := database.Look(t.Context(), c)
	if err != nil || !a.Held || a.Epoch != 3 || a.Address != "https://one.test" || a.Epoch != lease.Epoch() {
		t.Errorf("%+v, %v", a, err)
	}
	if err := lease.Release(context.Background()); err != nil {
		t.Fatal(err)
	}
	change(t, c, "three")
}

// A backup of a shared database takes its place again, and what was there is kept.
func TestRestore_Shared(t *testing.T) {
	c := sharedConfig(t)
	change(t, c, "one")
	s, err := database.Read(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "backup.db")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Backup(file, func(int64) {}), file.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	change(t, c, "two")
	r, err := database.Restore(t.Context(), c, path)
	if err != nil || r.Aside == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := notes(t, c); !strings.HasPrefix(got, "one,as of ") {
		t.Errorf("the journal has %s", got)
	}
	if before, err := pending.CheckCopy(r.Aside); err != nil || before.Chain.Entries != 2 {
		t.Errorf("what is kept: %+v, %v", before, err)
	}
}

// A database that refuses hermes is another thing than one that is away.
func TestOpenShared_Refused(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	c := config.Config{Store: secret.Text(strings.Replace(server.URL(), pgtest.Password, "wrong", 1)), Lease: 2 * time.Second}
	if _, err := database.OpenShared(t.Context(), c, slog.New(slog.DiscardHandler)); !errors.Is(err, standby.ErrRefused) {
		t.Errorf("a wrong password: %v", err)
	}
	c.Store = secret.Text(server.URL())
	server.Kill()
	_, err := database.OpenShared(t.Context(), c, slog.New(slog.DiscardHandler))
	if err == nil || errors.Is(err, standby.ErrRefused) || strings.Contains(err.Error(), pgtest.Password) {
		t.Errorf("a database that is away: %v", err)
	}
}

// Whoever can write to the database chooses the words about who acts. On a terminal they are words alone.
func TestOpen_HostileHolder(t *testing.T) {
	c := sharedConfig(t)
	acting, err := database.OpenShared(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer acting.Close()
	if _, err := acting.Acquire(t.Context(), standby.Holder{Name: "one\x1b[2J\n", Address: "https://one.test\x1b]0;\a\u202e"}); err != nil {
		t.Fatal(err)
	}
	if _, err := database.Open(t.Context(), c); !errors.Is(err, pending.ErrLocked) || strings.ContainsAny(err.Error(), "\x1b\a\n\u202e") {
		t.Errorf("%q", err)
	}
}

// A hermes that could not act with what is stored does not even stand by.
func TestOpenShared_AnotherBot(t *testing.T) {
	c := sharedConfig(t)
	c.TelegramToken = "1:one"
	s, err := database.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.KeepBot(c.BotID()), s.Close()); err != nil {
		t.Fatal(err)
	}
	for token, refused := range map[secret.Text]bool{"1:another": false, "2:two": true} {
		c.TelegramToken = token
		db, err := database.OpenShared(t.Context(), c, slog.New(slog.DiscardHandler))
		if err == nil {
			db.Close()
		}
		if (err != nil) != refused || errors.Is(err, standby.ErrRefused) != refused || errors.Is(err, pending.ErrOtherBot) != refused {
			t.Errorf("the bot %s: %v", c.BotID(), err)
		}
	}
}

// A takeover reads what is open. A hundred thousand questions that ended stay where they are.
func TestOpen_ManyThatEnded(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	c := config.Config{Store: secret.Text(server.URL()), Lease: 6 * time.Second, PublicURL: "https://one.test"}
	change(t, c, "begun")
	server.SQL(t, "postgres", `insert into hermes_records select 'settled', convert_to('ask-' || lpad(n::text, 8, '0'), 'UTF8'), convert_to('{"id":"ask-' || lpad(n::text, 8, '0') || '","text":"' || repeat('x', 2000) || '"}', 'UTF8') from generate_series(1, 100000) n;
		insert into hermes_records select 'ended', convert_to(lpad(n::text, 8, '0') || 'ask', 'UTF8'), '\x01' from generate_series(1, 100000) n`)
	db, err := database.OpenShared(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	began := time.Now()
	lease, err := db.Acquire(t.Context(), database.Self(c))
	if err != nil {
		t.Fatal(err)
	}
	s, err := pending.OpenShared(lease.DB(), pending.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.Threads(); err != nil || len(list) != 0 {
		t.Errorf("%d are open, %v", len(list), err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}
