package main

import (
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
)

// disk is what the database is written to. While it is full it takes nothing; some writes
// fail with their effect.
type disk struct {
	mu   sync.Mutex
	full bool
	dice *rand.Rand
}

func (d *disk) under(out outside) outside {
	out.store.Write = func(write func() error) error {
		d.mu.Lock()
		full, after := d.full, d.dice.IntN(4) == 0
		d.mu.Unlock()
		switch {
		case !full:
			return write()
		case after:
			_ = write()
			return syscall.EIO
		}
		return syscall.ENOSPC
	}
	return out
}

func (d *disk) set(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// The disk is full now and then, in the middle of whatever happens. When it has room
// again, hermes audit finds the journal whole, and records and journal tell the same.
func TestDaysWithAFullDisk(t *testing.T) {
	for seed := range uint64(50) {
		dice := rand.New(rand.NewPCG(seed, 3))
		d := &disk{dice: rand.New(rand.NewPCG(seed, 4))}
		playFull(t, d, func(r *rig) {
			day := &fullDay{rig: r, dice: dice}
			for range 12 {
				d.set(dice.IntN(3) == 0)
				day.step()
				r.wait(time.Duration(dice.Int64N(int64(90 * time.Second))))
			}
			d.set(false)
			r.wait(3 * time.Hour)
			if said := runAudit(r, auditOptions{verify: true}); !strings.HasSuffix(said, ", the chain is whole\n") {
				t.Errorf("seed %d: hermes audit --verify says %s", seed, said)
			}
			day.agree(seed)
			r.halt()
			r.start() // what is still in the inbox comes again
			r.wait(time.Minute)
			day.agree(seed)
		})
	}
}

func playFull(t *testing.T, d *disk, story func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := makeRig(t, opencode.VersionNew, nil)
		r.wrap = d.under
		r.start()
		defer r.end()
		r.say("/start", 0)
		story(r)
	})
}

// fullDay is what happens on a day.
type fullDay struct {
	*rig
	dice     *rand.Rand
	requests []string
}

func (d *fullDay) step() {
	any := ""
	if len(d.requests) > 0 {
		any = d.requests[d.dice.IntN(len(d.requests))]
	}
	dir := d.opencode.Directory()
	switch what := d.dice.IntN(9); {
	case any == "" || what < 3:
		request, _ := d.opencode.Ask(dir, d.opencode.NewSession(dir, "fix"), database())
		d.requests = append(d.requests, request)
	case what == 3:
		d.opencode.AnswerAtTUI(any, [][]string{{"Blue"}})
	case what == 4:
		d.opencode.RejectAtTUI(any)
	case what == 5:
		_, _ = d.rig.telegram.Say(ada, ada, "go on with it")
	default:
		d.tapAny()
	}
}

// tapAny taps a button of some message, if there is one.
func (d *fullDay) tapAny() {
	all := d.telegram.Messages(ada)
	for range 10 {
		m := all[d.dice.IntN(len(all))]
		if labels := m.Labels(); m.FromBot && len(labels) > 0 {
			_, _ = d.telegram.Tap(ada, ada, m.ID, labels[d.dice.IntN(len(labels))])
			return
		}
	}
}

// agree fails the test unless each ask is in the journal as it is in its record.
func (d *fullDay) agree(seed uint64) {
	d.t.Helper()
	count := map[question.ID]map[question.EntryKind]int{}
	seen := map[string]bool{}
	err := d.daemon.store.Journal(1, func(l line) error {
		e := l.Entry
		if count[e.Thread] == nil {
			count[e.Thread] = map[question.EntryKind]int{}
		}
		count[e.Thread][e.Kind]++
		if seen[string(l.Raw)] && e.Kind != question.EntryRefused { // two taps may come at one time here
			d.t.Errorf("seed %d: an entry is there twice: %s", seed, l.Raw)
		}
		seen[string(l.Raw)] = true
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, id := range d.requests {
		t, ok, err := d.daemon.store.Find(question.Key{Request: question.RequestID(id)})
		if err != nil || !ok {
			continue // it ended before the disk had room for it
		}
		n := count[t.ID]
		ends := n[question.EntryConfirmed] + n[question.EntryElsewhere] + n[question.EntryFailed]
		decided := n[question.EntryAnswered] + n[question.EntryExpired]
		if n[question.EntryAsked] != 1 || t.Outcome == nil || ends != 1 || (t.Decision != nil) != (decided > 0) {
			d.t.Errorf("seed %d: %s: the record has decision %+v, outcome %+v; the journal %v", seed, id, t.Decision, t.Outcome, n)
		}
	}
}
