package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
	"hermes/pending"
)

// audited is what hermes audit prints, and says beside it.
func audited(c config.Config, way http.RoundTripper, opts auditOptions) (out, notice string, err error) {
	var printed, said bytes.Buffer
	pick, err := opts.entryFilter(time.Now())
	if err == nil {
		a := audit{hermes: apiclient.New(c, way), out: &printed, notice: &said}
		err = a.run(context.Background(), opts, pick)
	}
	return printed.String(), said.String(), err
}

// runAudit is audited for the rig's configuration, beside the daemon if one runs.
func runAudit(r *rig.Rig, opts auditOptions) string {
	r.T.Helper()
	r.Config.HookToken = rig.HookKey
	out, notice, err := audited(r.Config, rig.RoundTripper(r.RoundTrip), opts)
	if err != nil {
		r.T.Error(err)
	}
	rig.NoCanary(r.T, "hermes audit", out+notice)
	return out
}

// nobody is the way to a hermes where none listens.
func nobody(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// odd is text that would do harm on a terminal or in a spreadsheet.
const odd = "=cmd|' /C calc'!A0\x1b[2J \u202edrow\u2066 \"x\", \u009b\n文\U000E0041"

// history is a journal with everything that an entry can hold.
func history() []storage.Entry {
	at := func(s int) time.Time { return time.Date(2026, 11, 21, 14, 5, s, 7e8, time.UTC) }
	ada := question.Actor{Kind: question.Person, User: rig.Ada, Name: "Ada Lovelace", Chat: rig.Team}
	e := func(s int, kind storage.EntryKind, by question.Actor, detail string) storage.Entry {
		return storage.Entry{At: at(s), Kind: kind, Thread: "AAAAAAAAAAA1", Request: "que_1", Session: "ses_1", By: by, Detail: detail}
	}
	list := []storage.Entry{
		e(1, storage.EntryAsked, question.Actor{}, ""),
		e(2, storage.EntryShown, question.Actor{Chat: rig.Team}, ""),
		e(3, storage.EntryRefused, question.Actor{Kind: question.Person, User: rig.Eve, Name: "Eve" + odd, Chat: rig.Team}, "stranger"),
		e(4, storage.EntryPicked, ada, "pick"),
		e(5, storage.EntryAnswered, ada, ""),
		e(6, storage.EntryDelivered, ada, ""),
		e(7, storage.EntryConfirmed, ada, "answered"),
		e(8, storage.EntryAnswered, question.Actor{Kind: question.Caller}, ""),
		e(9, storage.EntryElsewhere, question.Actor{Kind: question.OpenCode}, "dismissed"),
		e(10, storage.EntryExpired, question.Actor{Kind: question.Deadline}, "reject"),
		e(11, storage.EntryFailed, question.Actor{Chat: rig.Bob}, "blocked"),
		e(12, "later", question.Actor{Kind: question.Person, User: 77}, odd),
	}
	list[4].Answers, list[6].Answers = question.Answers{{"PostgreSQL", odd}, {"no"}}, question.Answers{{"PostgreSQL", odd}, {"no"}}
	list[7].Note, list[7].Rule = odd, "=deploys"
	list[11].Thread, list[11].Session = "-BBBBBBBBBB2", "ses_2"
	return list
}

// recorded is a database with this journal that no hermes uses.
func recorded(t *testing.T, entries ...storage.Entry) config.Config {
	t.Helper()
	c := rig.TestConfig(filepath.Join(t.TempDir(), "hermes.db"))
	s, err := pending.Open(c.DB, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Commit(storage.Change{Entries: entries}), s.Close()); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAudit_Reads(t *testing.T) {
	c := recorded(t, history()...)
	for name, opts := range map[string]auditOptions{"text": {}, "json": {json: true}} {
		got, notice, err := audited(c, rig.RoundTripper(nobody), opts)
		if err != nil || notice != "" {
			t.Errorf("%s: %v, %s", name, err, notice)
		}
		path := filepath.Join("testdata", "audit", name+".txt")
		if *rig.Update {
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(got), 0o644))
		}
		want, readErr := os.ReadFile(path)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s reads differently now; look at it and run with -update if it is right:\n%s", path, got)
		}
		if n := strings.Count(got, "\n"); name == "json" && n != 12 || name != "json" && n != 13 {
			t.Errorf("%s has %d lines for 12 entries", name, n)
		}
		if bad := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != ' ' && !graphic(r) }); bad >= 0 {
			t.Errorf("%s shows %q as it is", name, got[bad:bad+4])
		}
	}
}

func graphic(r rune) bool { return letters.Escaped(string(r)) == string(r) || r == '\\' }

func TestAudit_Picks(t *testing.T) {
	c := recorded(t, history()...)
	for name, test := range map[string]struct {
		opts auditOptions
		want int
	}{
		"a time":             {auditOptions{since: "2026-11-21T14:05:06"}, 7},
		"a date":             {auditOptions{since: "2026-11-21"}, 12},
		"a later date":       {auditOptions{since: "2026-11-22"}, 0},
		"a session":          {auditOptions{session: "ses_2"}, 1},
		"a thread":           {auditOptions{session: "AAAAAAAAAAA1"}, 11},
		"a person's id":      {auditOptions{person: "42"}, 4},
		"a name":             {auditOptions{person: "ada lovelace"}, 4},
		"a word of a name":   {auditOptions{person: "Lovelace"}, 4},
		"a part of a word":   {auditOptions{person: "Love"}, 0},
		"a person and after": {auditOptions{person: "42", since: "2026-11-21T14:05:06"}, 2},
		"nobody":             {auditOptions{person: "0"}, 0},
	} {
		test.opts.json = true
		out, notice, err := audited(c, rig.RoundTripper(nobody), test.opts)
		if n := strings.Count(out, "\n"); err != nil || n != test.want || (notice == "") != (n > 0) {
			t.Errorf("%s: %d lines, %q, %v, want %d", name, n, notice, err, test.want)
		}
	}
}

func TestAudit_Since(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 5, 0, 0, time.FixedZone("east", 2*3600))
	for text, want := range map[string]string{
		"90m": "2026-11-21T10:35:00Z", "7d": "2026-11-14T12:05:00Z", "0d": "2026-11-21T12:05:00Z", "24h": "2026-11-20T12:05:00Z",
		"2026-11-20": "2026-11-19T22:00:00Z", "2026-11-20T08:00": "2026-11-20T06:00:00Z", "2026-11-20T08:00:00Z": "2026-11-20T08:00:00Z",
		"-1h": "", "-1d": "", "d": "", "7": "", "yesterday": "", "2026-13-01": "", "99999999d": "",
	} {
		got := ""
		if at, ok := readSince(text, now); ok {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestAudit_BesideARunningHermes(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		r.Tap("2.")
		r.Wait(time.Minute)
		beside := runAudit(r, auditOptions{json: true})
		verified := runAudit(r, auditOptions{verify: true})
		r.Halt()
		alone, _, err := audited(r.Config, rig.RoundTripper(nobody), auditOptions{json: true})
		again, _, err2 := audited(r.Config, rig.RoundTripper(nobody), auditOptions{verify: true})
		if err := errors.Join(err, err2); err != nil || beside != alone || verified != again {
			t.Errorf("beside hermes:\n%s%s\nalone (%v):\n%s%s", beside, verified, err, alone, again)
		}
		for _, want := range []string{`"kind":"asked"`, `"kind":"answered"`, `"name":"Ada"`, `"answers":[["PostgreSQL (Recommended)"]]`, `"kind":"confirmed"`} {
			if !strings.Contains(beside, want) {
				t.Errorf("%s is not in\n%s", want, beside)
			}
		}
		if !strings.HasPrefix(strings.TrimLeft(verified, "45"), " entries, from 2000-01-01 00:00:0") || !strings.HasSuffix(verified, ", the chain is whole\n") {
			t.Errorf("verified as %q", verified)
		}
		r.Start()
		if got := runAudit(r, auditOptions{json: true, person: "Ada"}); strings.Count(got, "\n") != strings.Count(beside, `"name":"Ada"`) {
			t.Errorf("Ada did\n%s", got)
		}
	})
}

// change alters a stored entry behind hermes' back.
func change(t *testing.T, c config.Config, entry byte, alter func([]byte) []byte) {
	t.Helper()
	db, err := bolt.Open(c.DB, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		key := []byte{0x80, 0, 0, 0, 0, 0, 0, entry}
		value := bytes.Clone(tx.Bucket([]byte("journal")).Get(key))
		return tx.Bucket([]byte("journal")).Put(key, alter(value))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func flipped(value []byte) []byte {
	value[len(value)-3] ^= 1
	return value
}

func TestAudit_OfABrokenChain(t *testing.T) {
	c := recorded(t, history()...)
	whole, _, err := audited(c, rig.RoundTripper(nobody), auditOptions{verify: true})
	if want := "12 entries, from 2026-11-21 14:05:01 to 2026-11-21 14:05:12, the chain is whole\n"; whole != want || err != nil {
		t.Errorf("whole: %q, %v", whole, err)
	}
	change(t, c, 4, flipped)
	out, _, err := audited(c, rig.RoundTripper(nobody), auditOptions{verify: true})
	const want = "the chain is broken at entry 4, which says that it is from 2026-11-21 14:05:04: its hash does not fit; " +
		"before it are 3 entries, from 2026-11-21 14:05:01 to 2026-11-21 14:05:03, which are as hermes wrote them"
	if err == nil || err.Error() != want || out != "" {
		t.Errorf("broken: %q, %v", out, err)
	}
	change(t, c, 6, func([]byte) []byte { return []byte("x") })
	out, _, err = audited(c, rig.RoundTripper(nobody), auditOptions{json: true})
	if err == nil || !strings.Contains(err.Error(), "from entry 6 on: it is cut short") || strings.Count(out, "\n") != 5 {
		t.Errorf("unreadable: %q, %v", out, err)
	}
}

func TestAudit_JournalOverHTTP(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		for path, want := range map[string]string{
			"/v1/journal?since=x":           "since must be a time like",
			"/v1/journal?after=-1":          "after must be the number of an entry",
			"/v1/journal?wait=long":         "wait: must be a duration",
			"/v1/journal?until=x":           "ask with after, since, session, person or wait",
			"/v1/journal?person=1&person=2": "ask with after, since, session, person or wait",
		} {
			if code, text := r.Request("GET", path, ""); code != http.StatusBadRequest || !strings.Contains(text, want) {
				t.Errorf("%s gave %d %s", path, code, text)
			}
		}
		for _, path := range []string{"/v1/journal", "/v1/journal/verify"} {
			if code, _ := r.Request("GET", path, "", "Authorization", ""); code != http.StatusUnauthorized {
				t.Errorf("%s without a token gave %d", path, code)
			}
		}
	})
}

// The commands as they are typed, where no hermes runs.
func TestAudit(t *testing.T) {
	testenv.Isolate(t)
	c := recorded(t, history()...)
	t.Setenv("HERMES_DB", c.DB)
	t.Setenv("HERMES_HOOK_TOKEN", rig.HookKey)
	t.Setenv("HERMES_LISTEN", freeAddress(t))
	command := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(args, streams{in: strings.NewReader(""), out: &out, err: &errs})
		rig.NoCanary(t, "hermes "+strings.Join(args, " "), out.String()+errs.String())
		return code, out.String(), errs.String()
	}
	if code, out, errs := command("audit", "--session", "ses_2", "--json"); code != 0 || strings.Count(out, "\n") != 1 || errs != "" {
		t.Errorf("audit: exit code %d, %s%s", code, out, errs)
	}
	if code, out, errs := command("audit", "--person", "nobody"); code != 0 || strings.Count(out, "\n") != 1 || errs != "The journal holds nothing of that.\n" {
		t.Errorf("audit of nobody: exit code %d, %s%s", code, out, errs)
	}
	if code, out, _ := command("audit", "--verify"); code != 0 || !strings.HasSuffix(out, ", the chain is whole\n") {
		t.Errorf("verify: exit code %d, %s", code, out)
	}
	change(t, c, 4, flipped)
	if code, out, errs := command("audit", "--verify"); code != exitFailure || out != "" || !strings.HasPrefix(errs, "hermes: the chain is broken at entry 4") {
		t.Errorf("verify: exit code %d, %s%s", code, out, errs)
	}
	if code, out, errs := command("pair"); code != exitFailure || out != "" || !strings.Contains(errs, "start it: hermes serve") {
		t.Errorf("pair: exit code %d, %s%s", code, out, errs)
	}
}

// freeAddress is one where nothing listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
