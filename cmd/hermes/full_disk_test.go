package main

import (
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/daemon"
	"hermes/internal/question"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/storage"
	"hermes/internal/testlevel"
)

// disk is what the database is written to. While it is full it takes nothing; some writes
// fail with their effect.
type disk struct {
	mu   sync.Mutex
	full bool
	dice *rand.Rand
}

func (d *disk) under(out daemon.Outside) daemon.Outside {
	out.Store.Write = func(write func() error) error {
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
func TestFullDisk_ForDays(t *testing.T) {
	for seed := range testlevel.Choose[uint64](8, 50) {
		dice := rand.New(rand.NewPCG(seed, 3))
		d := &disk{dice: rand.New(rand.NewPCG(seed, 4))}
		playFull(t, d, func(r *rig.Rig) {
			day := &fullDay{Rig: r, dice: dice}
			for range 12 {
				d.set(dice.IntN(3) == 0)
				day.step()
				r.Wait(time.Duration(dice.Int64N(int64(90 * time.Second))))
			}
			d.set(false)
			r.Wait(3 * time.Hour)
			if said := runAudit(r, auditOptions{verify: true}); !strings.HasSuffix(said, ", the chain is whole\n") {
				t.Errorf("seed %d: hermes audit --verify says %s", seed, said)
			}
			day.agree(seed)
			r.Halt()
			r.Start() // what is still in the inbox comes again
			r.Wait(time.Minute)
			day.agree(seed)
		})
	}
}

func playFull(t *testing.T, d *disk, story func(*rig.Rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := rig.NewStopped(t, opencode.VersionNew, nil)
		r.Wrap = d.under
		r.Start()
		defer r.End()
		r.Say("/start", 0)
		story(r)
	})
}

// fullDay is what happens on a day.
type fullDay struct {
	*rig.Rig
	dice     *rand.Rand
	requests []string
}

func (d *fullDay) step() {
	any := ""
	if len(d.requests) > 0 {
		any = d.requests[d.dice.IntN(len(d.requests))]
	}
	dir := d.Opencode.Directory()
	switch what := d.dice.IntN(9); {
	case any == "" || what < 3:
		request, _ := d.Opencode.Ask(dir, d.Opencode.NewSession(dir, "fix"), rig.DatabaseQuestion())
		d.requests = append(d.requests, request)
	case what == 3:
		d.Opencode.AnswerAtTUI(any, [][]string{{"Blue"}})
	case what == 4:
		d.Opencode.RejectAtTUI(any)
	case what == 5:
		_, _ = d.Rig.Telegram.Say(rig.Ada, rig.Ada, "go on with it")
	default:
		d.tapAny()
	}
}

// tapAny taps a button of some message, if there is one.
func (d *fullDay) tapAny() {
	all := d.Telegram.Messages(rig.Ada)
	for range 10 {
		m := all[d.dice.IntN(len(all))]
		if labels := m.Labels(); m.FromBot && len(labels) > 0 {
			_, _ = d.Telegram.Tap(rig.Ada, rig.Ada, m.ID, labels[d.dice.IntN(len(labels))])
			return
		}
	}
}

// agree fails the test unless each ask is in the journal as it is in its record.
func (d *fullDay) agree(seed uint64) {
	d.T.Helper()
	count := map[question.ID]map[storage.EntryKind]int{}
	seen := map[string]bool{}
	err := d.Daemon.Store.Journal(1, func(l rig.Line) error {
		e := l.Entry
		if count[e.Thread] == nil {
			count[e.Thread] = map[storage.EntryKind]int{}
		}
		count[e.Thread][e.Kind]++
		if seen[string(l.Raw)] && e.Kind != storage.EntryRefused { // two taps may come at one time here
			d.T.Errorf("seed %d: an entry is there twice: %s", seed, l.Raw)
		}
		seen[string(l.Raw)] = true
		return nil
	})
	if err != nil {
		d.T.Fatal(err)
	}
	for _, id := range d.requests {
		t, ok, err := d.Daemon.Store.Find(storage.Key{Request: question.RequestID(id)})
		if err != nil || !ok {
			continue // it ended before the disk had room for it
		}
		n := count[t.ID]
		ends := n[storage.EntryConfirmed] + n[storage.EntryElsewhere] + n[storage.EntryFailed]
		decided := n[storage.EntryAnswered] + n[storage.EntryExpired]
		if n[storage.EntryAsked] != 1 || t.Outcome == nil || ends != 1 || (t.Decision != nil) != (decided > 0) {
			d.T.Errorf("seed %d: %s: the record has decision %+v, outcome %+v; the journal %v", seed, id, t.Decision, t.Outcome, n)
		}
	}
}
