//go:build unix

package pending

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// childEnv tells this test binary to be a process that can be killed.
const childEnv = "HERMES_PENDING_TEST_CHILD"

func TestMain(m *testing.M) {
	switch path, what := os.Getenv("HERMES_DB"), os.Getenv(childEnv); what {
	case "":
		os.Exit(m.Run())
	case "write":
		exit(writeForever(path))
	case "full":
		exit(fillDisk(path))
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(t *testing.T, what, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childEnv+"="+what, "HERMES_DB="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// handle is what hermes does with an update: it makes thread n of update n.
func handle(s *Store, n int) error {
	if _, err := s.Put([]chat.Update{{ID: chat.UpdateID(n), Raw: json.RawMessage("{}")}}); err != nil {
		return err
	}
	return s.Commit(storage.Change{
		Threads: []question.Thread{thread(n)}, Consumed: []chat.UpdateID{chat.UpdateID(n)},
		Entries: []storage.Entry{{Kind: storage.EntryAsked, Thread: thread(n).ID}},
	})
}

// writeForever says each number once it is stored.
func writeForever(path string) error {
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	threads, err := s.Threads()
	for n := len(threads); err == nil; n++ {
		if err = handle(s, n); err == nil {
			_, err = fmt.Println(n)
		}
	}
	return err
}

func TestCommit_SurvivesKill(t *testing.T) {
	ofFile(t)
	path := dbPath(t)
	for round := range 4 {
		cmd := child(t, "write", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		last := -1
		for lines, n := bufio.NewScanner(out), 0; lines.Scan(); n++ {
			last, _ = strconv.Atoi(lines.Text())
			if n == 20+7*round {
				_ = cmd.Process.Kill() // and read what it still said
			}
		}
		_ = cmd.Wait()
		s := open(t, path)
		if s.AtOpen().Recovered != "" || last < 20 {
			t.Fatalf("after number %d: %s", last, s.AtOpen().Recovered)
		}
		consistent(t, s, last+1)
		s.Close()
	}
}

// consistent checks that at least this many numbers are stored, each whole: with
// its index entries, journal entry and mark, or not at all.
func consistent(t *testing.T, s *Store, atLeast int) {
	t.Helper()
	threads, err := s.Threads()
	if err != nil || len(threads) < atLeast {
		t.Fatalf("%d threads, %v; %d were acknowledged", len(threads), err, atLeast)
	}
	for i, th := range threads {
		_, byRequest, err1 := s.Find(storage.Key{Request: th.Request.ID})
		_, byMessage, err2 := s.Find(storage.Key{Chat: -100, Message: chat.MessageID(10*i + 1)})
		if th.ID != thread(i).ID || !byRequest || !byMessage || err1 != nil || err2 != nil {
			t.Errorf("thread %d is %s; found by request %v, by message %v; %v, %v", i, th.ID, byRequest, byMessage, err1, err2)
		}
	}
	if j, seen := keys(t, s, bucketJournal), keys(t, s, bucketSeen); j != len(threads) || seen != len(threads) {
		t.Errorf("%d threads, %d journal entries, %d marks", len(threads), j, seen)
	}
	inbox, err := s.Inbox()
	if err != nil || len(inbox) > 1 || (len(inbox) == 1 && int(inbox[0].ID) != len(threads)) {
		t.Errorf("inbox: %v, %v", inbox, err)
	}
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
}

// fillDisk writes until the system takes no more. Then the store takes nothing, also when there is space.
func fillDisk(path string) error {
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 200_000, Max: limit.Max}); err != nil {
		return err
	}
	n := 0
	for ; err == nil; n++ {
		err = handle(s, n)
	}
	fmt.Println(n-1, err)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	if handle(s, n-1) == nil {
		return fmt.Errorf("a store that failed took number %d", n-1)
	}
	return s.Close()
}

func TestCommit_FullDisk(t *testing.T) {
	ofFile(t)
	path := dbPath(t)
	out, err := child(t, "full", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	number, message, _ := strings.Cut(string(out), " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 5 {
		t.Fatalf("the disk was full at once: %s", out)
	}
	for _, want := range []string{path, "HERMES_DB", "too large"} {
		if !strings.Contains(message, want) {
			t.Errorf("the error %q does not say %q", message, want)
		}
	}
	s := open(t, path)
	if s.AtOpen().Recovered != "" {
		t.Error(s.AtOpen().Recovered)
	}
	consistent(t, s, n)
	if err := handle(s, n); err != nil {
		t.Error(err)
	}
}
