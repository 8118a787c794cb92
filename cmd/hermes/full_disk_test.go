package main

import (
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/daemon"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// disk is what the database is written to.
type disk struct {
	mu    sync.Mutex
	fails error // of every write; nil: it takes them
	late  bool  // the first that fails is made all the same
}

func (d *disk) under(out daemon.Outside) daemon.Outside {
	out.Store.Write = func(write func() error) error {
		d.mu.Lock()
		fails, late := d.fails, d.late
		d.late = false
		d.mu.Unlock()
		if fails == nil || late {
			if err := write(); err != nil {
				return err
			}
		}
		return fails
	}
	return out
}

func (d *disk) set(fails error, late bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails, d.late = fails, late
}

// A disk that takes no more ends hermes with a sentence that names the file and the cause. Nothing is sent of what was not stored; what was
// on its way is there when hermes starts on a disk that is well: the tap that it was told of last, an open question, a prompt that waits.
func TestFullDisk(t *testing.T) {
	for name, c := range map[string]struct {
		cause syscall.Errno
		late  bool
		tap   bool // something happens; else hermes finds out by itself
	}{
		"full":                           {syscall.ENOSPC, false, true},
		"read-only":                      {syscall.EROFS, false, true},
		"gone":                           {syscall.EIO, false, true},
		"failing after it has taken":     {syscall.EIO, true, true},
		"full, and nobody does anything": {syscall.ENOSPC, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &disk{}
				r := rig.NewStopped(t, opencode.VersionNew, nil)
				r.Wrap = d.under
				r.Start()
				r.Say("/start", 0)
				r.Opencode.NewSession(r.Opencode.Directory(), "docs")
				r.Say("/use docs", 0)
				r.Opencode.SetFault(func(req *http.Request) opencode.Fault {
					if strings.HasSuffix(req.URL.Path, "/prompt_async") {
						return opencode.FailBeforeEffect
					}
					return opencode.NoFault
				})
				r.Say("Now the docs.", 0)
				other := rig.DatabaseQuestion()
				other.Question = "Which one for the tests?"
				_, waits := r.Ask(other)
				card := r.Last().ID
				_, tapped := r.Ask(rig.DatabaseQuestion())
				before := len(r.Telegram.Calls())
				d.set(&fs.PathError{Op: "write", Path: r.Config.DB, Err: c.cause}, c.late)
				if c.tap {
					if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "2."); err != nil {
						t.Fatal(err)
					}
				}
				end := <-r.Ended
				err := serveError(end, secret.NewRedactor())
				if code := exitCode(err, true); code != exitFailure {
					t.Errorf("exit code %d", code)
				}
				for _, want := range []string{"cannot write the database " + r.Config.DB + " (HERMES_DB): " + c.cause.Error() + "; hermes stops", "start hermes again"} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("it does not say %q: %v", want, err)
					}
				}
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("it is more than one sentence: %v", err)
				}
				for _, call := range r.Telegram.Calls()[before:] {
					if call.Method != "getUpdates" {
						t.Errorf("hermes still called %s", call.Method)
					}
				}
				d.set(nil, false)
				r.Opencode.SetFault(nil)
				r.Start()
				defer r.Close()
				defer r.Halt()
				r.Wait(10 * time.Minute)
				if !c.tap {
					r.Tap("2.")
					r.Wait(time.Minute)
				}
				r.WantAnswers(tapped, []string{"PostgreSQL (Recommended)"})
				if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, card, "1."); err != nil {
					t.Fatal(err)
				}
				r.Wait(time.Minute)
				r.WantAnswers(waits, []string{"SQLite"})
				if prompts := r.Opencode.Prompts(); len(prompts) != 1 || prompts[0].Text != "Now the docs." {
					t.Errorf("the session was told %+v", prompts)
				}
				if said := runAudit(r, auditOptions{verify: true}); !strings.HasSuffix(said, ", the chain is whole\n") {
					t.Errorf("hermes audit --verify says %s", said)
				}
			})
		})
	}
}
