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
	"hermes/internal/flock"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// One wrong byte in a record, or in several, costs those records. All else works, and
// everybody who looks is told.
func TestUnreadable_HermesServesWithoutWhatItCannotRead(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, before := r.Ask(rig.DatabaseQuestion())
		r.Halt()
		rig.CorruptRecords(t, r.Config, rig.UnreadableRecords()...)
		r.Start()
		r.WantReady()
		r.Tap("2.")
		r.Wait(time.Minute)
		r.WantAnswers(before, []string{"PostgreSQL (Recommended)"})
		for _, bucket := range rig.UnreadableRecords() {
			if want := `is set aside" bucket=` + bucket[0]; !strings.Contains(r.Log.String(), want) {
				t.Errorf("the log does not say %s", want)
			}
		}
		if text := r.Metrics(); !strings.Contains(text, "hermes_unreadable_records 6\n") {
			t.Error("/metrics does not count them")
		}
		var status api.Status
		code, text := r.Request("GET", "/v1/status", "")
		if err := json.Unmarshal([]byte(text), &status); err != nil || code != http.StatusOK || status.Unread != 6 {
			t.Errorf("/v1/status: %d %s, %v", code, text, err)
		}
		for path, want := range map[string]int{"/v1/questions/gone": http.StatusGone, "/v1/questions/past": http.StatusGone, "/v1/questions/never": http.StatusNotFound} {
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

func TestUnreadable(t *testing.T) {
	c := recorded(t, history()...)
	forCommands(t, c.DB)
	if code, out, errs := typedIn(t, "unreadable"); code != 0 || out != "all records can be read\n" {
		t.Errorf("of a sound one: %d, %s%s", code, out, errs)
	}
	rig.CorruptRecords(t, c, [3]string{"chats", "\x80\x00\x00\x00\x00\x00\x00\x07", `{"id":7,"lang":zh}`}, [3]string{"settled", "past", `{"id":`})
	if code, out, errs := typedIn(t, "unreadable"); code != 0 || strings.Count(out, "new  ") != 2 || !strings.Contains(out, `new  chats "\x80\x00\x00\x00\x00\x00\x00\a", 18 bytes, it is set aside when hermes starts: invalid character`) {
		t.Errorf("before a start: %d, %s%s", code, out, errs)
	}
	if code, _, errs := typedIn(t, "unreadable", "forget", "9"); code != exitFailure || !strings.Contains(errs, "record 9 was left as it was: no record of that number") {
		t.Errorf("forgets one that is not: %d, %s", code, errs)
	}
	code, out, _ := typedIn(t, "unreadable")
	if code != 0 || !strings.Contains(out, "set aside 20") || strings.Contains(out, "new") {
		t.Fatalf("once set aside: %d, %s", code, out)
	}
	chat, past := out[:1], "1"
	if strings.HasPrefix(out, chat+"  settled") {
		chat, past = "2", "1"
	} else {
		past = "2"
	}
	if _, out, _ := typedIn(t, "unreadable", "show", chat); out != `{"id":7,"lang":zh}` {
		t.Errorf("it shows %s", out)
	}
	mended := testenv.WriteFile(t, "chat.json", `{"id":7,"lang":"zh"}`)
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"restore", chat}, exitFailure, "was left as it was: invalid character"},
		{[]string{"restore", chat, "--file", mended + "x"}, exitFailure, "--file"},
		{[]string{"restore", "chat"}, exitUsage, "NUMBER"},
		{[]string{"restore", chat, "--file", mended}, 0, "is back where it stood"},
		{[]string{"forget", past}, 0, "is removed"},
		{nil, 0, "all records can be read"},
	} {
		if code, out, errs := typedIn(t, append([]string{"unreadable"}, test.args...)...); code != test.code || !strings.Contains(out+errs, test.says) {
			t.Errorf("%v: %d, %s%s", test.args, code, out, errs)
		}
	}
	held, err := flock.Hold(t.Context(), c.DB, flock.Exclusive, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if code, _, errs := typedIn(t, "unreadable"); code != exitFailure || !strings.Contains(errs, "stop it first") {
		t.Errorf("while a hermes runs: %d, %s", code, errs)
	}
}

// No command does anything to what HERMES_DB names by mistake.
func TestUnreadable_FileThatIsNotHermesIsLeftAlone(t *testing.T) {
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
			{"unreadable"},
			{"unreadable", "show", "1"},
			{"unreadable", "restore", "1"},
			{"unreadable", "forget", "1"},
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
