package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"

	bolt "go.etcd.io/bbolt"
)

// One wrong byte in a record, or in several, costs those records. All else works, and
// everybody who looks is told.
func TestDamage_HermesServesWithoutWhatItCannotRead(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, before := r.Ask(rig.DatabaseQuestion())
		r.Halt()
		corruptRecords(t, r.Config, unreadableRecords()...)
		r.Start()
		r.WantReady()
		r.Tap("2.")
		r.Wait(time.Minute)
		r.WantAnswers(before, []string{"PostgreSQL (Recommended)"})
		for _, bucket := range unreadableRecords() {
			if bucket[0] == "settled" {
				continue // an ended question is read when somebody looks for it
			}
			if want := `works without it" bucket=` + bucket[0]; !strings.Contains(r.Log.String(), want) {
				t.Errorf("the log does not say %s", want)
			}
		}
		if text := r.Metrics(); !strings.Contains(text, "hermes_unreadable_records 5\n") {
			t.Error("/metrics does not count them")
		}
		var status api.Status
		code, text := r.Request("GET", "/v1/status", "")
		if err := json.Unmarshal([]byte(text), &status); err != nil || code != http.StatusOK || status.Unread != 5 {
			t.Errorf("/v1/status: %d %s, %v", code, text, err)
		}
		for path, want := range map[string]int{"/v1/questions/gone": http.StatusNotFound, "/v1/questions/past": http.StatusNotFound, "/v1/questions/never": http.StatusNotFound} {
			if code, text := r.Request("GET", path, ""); code != want {
				t.Errorf("GET %s gives %d %s", path, code, text)
			}
		}
	})
}

// typedIn runs a command line as it is typed.
func typedIn(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(args, streams{in: strings.NewReader(""), out: &o, err: &e})
	rig.NoCanary(t, "hermes "+strings.Join(args, " "), o.String()+e.String())
	return code, o.String(), e.String()
}

// forCommands sets the environment for commands where no hermes runs.
func forCommands(t *testing.T, db string) {
	t.Helper()
	testenv.Isolate(t)
	for name, value := range map[string]string{
		"HERMES_DB": db, "HERMES_HOOK_TOKEN": rig.HookKey, "HERMES_LISTEN": freeAddress(t), "HERMES_TELEGRAM_TOKEN": rig.TestToken,
		"HERMES_TELEGRAM_USERS": "42", "HERMES_TELEGRAM_API_URL": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
}

// No command does anything to what HERMES_DB names by mistake.
func TestDamage_FileThatIsNotHermesIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	notes, link := filepath.Join(dir, "notes.txt"), filepath.Join(dir, "link.db")
	if err := errors.Join(os.WriteFile(notes, []byte("notes of mine"), 0o644), os.Symlink(notes, link)); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(notes, old, old); err != nil {
		t.Fatal(err)
	}
	for _, db := range []string{notes, link} {
		forCommands(t, db)
		for _, args := range [][]string{
			{"serve"},
			{"doctor"},
			{"audit"},
			{"audit", "--verify"},
			{"setup", "--dry-run"},
		} {
			code, out, errs := typedIn(t, args...)
			if code == 0 || args[0] != "doctor" && !strings.Contains(errs, "HERMES_DB") {
				t.Errorf("%v: %d, %s%s", args, code, out, errs)
			}
		}
		info, err := os.Lstat(notes)
		content, _ := os.ReadFile(notes)
		if err != nil || string(content) != "notes of mine" || info.Mode() != 0o644 || !info.ModTime().Equal(old) {
			t.Errorf("it has become %q, %v, %v", content, info, err)
		}
		if to, err := os.Readlink(link); err != nil || to != notes {
			t.Errorf("the link has become %q, %v", to, err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*.corrupt-*")); len(files) != 0 {
			t.Errorf("there is %v", files)
		}
	}
}

// corruptRecords writes records behind hermes' back, into buckets that are there: name of the
// bucket, key and value of each.
func corruptRecords(t *testing.T, c config.Config, records ...[3]string) {
	t.Helper()
	db, err := bolt.Open(c.DB, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) (err error) {
		for _, r := range records {
			err = errors.Join(err, tx.Bucket([]byte(r[0])).Put([]byte(r[1]), []byte(r[2])))
		}
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// unreadableRecords are records, by bucket, that no hermes can read.
func unreadableRecords() [][3]string {
	return [][3]string{
		{"open", "gone", `{"id":"gone","request":{"protocol":"v99"}}`},
		{"settled", "past", `{"id":`},
		{"chats", "\x80\x00\x00\x00\x00\x00\x00\x07", `{"id":"seven"}`},
		{"people", "\x80\x00\x00\x00\x00\x00\x00\x42", `{"user":67}`},
		{"seats", "\x80\x00\x00\x00\x00\x00\x00\x07", "\x00\x00"},
		{"errands", "never", `{"id":7}`},
	}
}
