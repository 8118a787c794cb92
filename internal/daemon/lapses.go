package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/bridge"
	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/pending"
)

const (
	silentAfter = 14 * 24 * time.Hour // a machine that was seen before and was not seen for longer is told to its owner
	lapseEvery  = 10 * time.Minute    // how often it is looked
	returnsIn   = time.Hour           // so long after the start of hermes no machine counts as silent: it may have been hermes that was away
)

// lapse is what a machine's owner is to be told, once.
type lapse struct {
	owner   chat.UserID
	link    string // its id
	kind    outbound.LapseKind
	machine outbound.LapsedMachine
	told    pending.LinkTold // what they have been told then, of this lapse alone
}

// lapseGroup is what one message tells.
type lapseGroup struct {
	owner chat.UserID
	kind  outbound.LapseKind
}

// lapseWatch tells owners of machines that were not seen for long or are of another version. That somebody was told is stored behind
// that: after a crash in between they are told once more.
type lapseWatch struct {
	*Daemon
	began time.Time

	mu      sync.Mutex
	telling map[lapseGroup]bool // what waits in the queues of chats
}

func (d *Daemon) watchLapses(ctx context.Context) {
	w := lapseWatch{Daemon: d, began: time.Now(), telling: map[lapseGroup]bool{}}
	var telling sync.WaitGroup
	defer telling.Wait()
	tick := time.NewTicker(lapseEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		for g, list := range w.look(time.Now()) {
			telling.Go(func() { w.tell(ctx, g, list) })
		}
	}
}

// look finds what to tell, and notes that it is begun.
func (w *lapseWatch) look(now time.Time) map[lapseGroup][]lapse {
	links, refused := w.links.list(), w.Gateway.Refused()
	list := otherVersions(links, w.Gateway.Links(), refused)
	if now.Sub(w.began) >= returnsIn {
		list = append(list, silentMachines(links, refused, now)...)
	}
	groups := map[lapseGroup][]lapse{}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range list {
		if g := (lapseGroup{l.owner, l.kind}); !w.telling[g] {
			groups[g] = append(groups[g], l)
		}
	}
	for g := range groups {
		w.telling[g] = true
	}
	return groups
}

// tell tells an owner in one message, and stores that when Telegram took it.
func (w *lapseWatch) tell(ctx context.Context, g lapseGroup, list []lapse) {
	message := outbound.Lapse{Kind: g.kind, For: silentAfter}
	told := map[string]pending.LinkTold{}
	for _, l := range list {
		message.Machines = append(message.Machines, l.machine)
		told[l.link] = l.told
	}
	err := w.Bridge.TellLapse(ctx, g.owner, message)
	switch {
	case err == nil:
		w.links.noteTold(told)
	case ctx.Err() == nil && !errors.Is(err, bridge.ErrNobodyToTell):
		w.log.Warn("what is wrong with machines was not told to their owner yet", "owner", g.owner, "lapse", string(g.kind), "err", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.telling, g)
}

// silentMachines are those that were not seen for long, of which that was not told since they were. One that is refused is there.
func silentMachines(links []pending.Link, refused []link.Hello, now time.Time) (list []lapse) {
	for _, l := range links {
		there := slices.ContainsFunc(refused, func(h link.Hello) bool { return h.Token == l.ID })
		if !l.Seen.IsZero() && now.Sub(l.Seen) >= silentAfter && !l.Told.Silent.Equal(l.Seen) && !there {
			list = append(list, lapse{l.Owner, l.ID, outbound.LapseSilent, outbound.LapsedMachine{Name: l.Name, Host: l.Host}, pending.LinkTold{Silent: l.Seen}})
		}
	}
	return list
}

// otherVersions are the machines whose plugin is older than the one in this binary, and those that were refused, as far as their owners were
// not told of that version or of a newer one: where several OpenCodes of a machine run, not all need to have the same.
func otherVersions(links []pending.Link, open, refused []link.Hello) (list []lapse) {
	byID := map[string]pending.Link{}
	for _, l := range links {
		byID[l.ID] = l
	}
	for _, h := range refused {
		version, kind := cmp.Or(h.Plugin, "0"), outbound.LapseTooOld
		if h.IsNewer() {
			kind = outbound.LapseTooNew
		}
		if l, known := byID[h.Token]; known && isNewer(version, l.Told.Refused) {
			l.Told.Refused = version
			byID[h.Token] = l // the next of this machine finds it told
			list = append(list, lapse{l.Owner, l.ID, kind, machineOf(l, h), pending.LinkTold{Refused: version}})
		}
	}
	for _, h := range open {
		old := h.Kind == link.Plugin && h.Plugin != "" && isNewer(plugin.Version(), h.Plugin)
		if l, known := byID[h.Token]; known && old && isNewer(h.Plugin, l.Told.Old) {
			l.Told.Old = h.Plugin
			byID[h.Token] = l
			list = append(list, lapse{l.Owner, l.ID, outbound.LapseOld, machineOf(l, h), pending.LinkTold{Old: h.Plugin}})
		}
	}
	return list
}

func machineOf(l pending.Link, h link.Hello) outbound.LapsedMachine {
	return outbound.LapsedMachine{Name: l.Name, Host: h.Host, Version: h.Plugin}
}

// isNewer reports whether a version came after another one. Any is newer than none; what is no version is as old as can be.
func isNewer(version, than string) bool {
	return than == "" || slices.Compare(numbersOf(version), numbersOf(than)) > 0
}

// numbersOf are the three numbers of a version.
func numbersOf(version string) []int {
	n := make([]int, 3)
	_, _ = fmt.Sscanf(strings.TrimPrefix(version, "v"), "%d.%d.%d", &n[0], &n[1], &n[2]) // those that it has
	return n
}

// noteTold notes what owners were told of links, by their ids. A store that fails has them told again.
func (t *linkTokens) noteTold(told map[string]pending.LinkTold) {
	t.mu.Lock()
	defer t.mu.Unlock()
	byName := map[string]pending.LinkTold{}
	for id, what := range told {
		if l := t.byID[id]; l != nil {
			l.Told = l.Told.With(what)
			byName[l.Name] = what
		}
	}
	if err := t.store.NoteTold(byName); err != nil {
		t.log.Warn("it was not stored what owners of machines were told; the next start tells them again", "machines", len(told), "err", err)
	}
}
