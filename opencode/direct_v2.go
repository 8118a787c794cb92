package opencode

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/event"
	"hermes/internal/recent"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/opencode/call"
	v2 "hermes/opencode/v2"
	"hermes/opencode/wire"
)

const (
	// listEvery is how often all sessions that work are looked through for what waits: that
	// long an event can stay missed.
	listEvery = 45 * time.Second
	// listAgain is how soon that is tried again when it failed.
	listAgain = 2 * time.Second
)

// What is longer is no name of a session, and no path (PATH_MAX of Linux). Over a link anybody may tell of such.
const (
	maxSessionID = 256
	maxPath      = 4096
)

var errNoPath = errors.New("the directory of a session is no path")

// followedV2 is a connection to a server of OpenCode 2: one process for all directories of a
// person.
type followedV2 struct {
	*directServer
	all      *Client                         // without a directory
	wanted   chan struct{}                   // has one while the sessions are to be looked through at once
	told     *recent.Map[session.ID, string] // in which directories their events say that sessions are
	askAgain time.Time                       // no session is looked up before, as one could not be
}

// followV2 follows the event stream of a server of OpenCode 2 until it breaks. What waits is
// listed when the stream is open, so that between both nothing is missed: the stream repeats
// nothing.
func (d *directServer) followV2(ctx context.Context, who Identity) error {
	ctx, cancel := context.WithCancel(ctx)
	f := d.newFollowedV2()
	var listing sync.WaitGroup
	defer listing.Wait()
	defer cancel()
	said := v2.NewSpeech(d.ways.followed.has)
	return f.all.streamV2(ctx, said.Skips, func(e locatedEvent) {
		if e.Type == "server.connected" {
			listing.Go(func() { f.listRegularly(ctx, who.Version) })
		}
		f.hear(ctx, said, e)
	})
}

func (d *directServer) newFollowedV2() *followedV2 {
	return &followedV2{directServer: d, all: d.second, wanted: make(chan struct{}, 1), told: recent.New[session.ID, string](maxSessions)}
}

// isHeard reports whether events of a type can mean something. A directory that begins to be
// used says some eighty that do not, and usage comes with every step.
func isHeard(kind string) bool {
	family, _, _ := strings.Cut(kind, ".")
	return slices.Contains([]string{"session", "form", "permission", "location"}, family) && !strings.HasPrefix(kind, "session.usage.")
}

// hear has an event heard in the directory that it is of. Those of a turn's begin and end do not
// say it; those of an MCP server's forms neither, and are of no session: what waits is listed
// then.
func (f *followedV2) hear(ctx context.Context, said *v2.Speech, e locatedEvent) {
	if !isHeard(e.Type) {
		return
	}
	heard, told := e.wire(), e.Location.Directory
	id := v2.SessionOf(heard)
	switch {
	case id == "" && told != "" && len(told) <= maxPath: // location.shutdown
		f.instanceIn(told).hear(ctx, heard)
		return
	case id == "", len(id) > maxSessionID, len(told) > maxPath:
		return
	case id == "global":
		f.listSoon()
		return
	}
	_, chunk, speaks := said.Hear(heard)
	directory := f.directoryOf(ctx, id, told)
	if directory == "" {
		return // a session that is gone, or what waits is listed
	}
	i := f.instanceIn(directory)
	i.hear(ctx, heard)
	if speaks {
		i.emitSpoken(id, chunk)
	}
}

// directoryOf tells where a session is: as its events say it, else as it is known, else by asking.
// A session that cannot be looked up in time is not waited for again: what waits is listed soon.
func (f *followedV2) directoryOf(ctx context.Context, id session.ID, told string) string {
	if told != "" {
		f.told.Add(id, told)
	} else {
		told, _ = f.told.Peek(id)
	}
	if told != "" || time.Now().Before(f.askAgain) {
		return cmp.Or(told, f.names.directory(id))
	}
	directory, err := f.findDirectory(ctx, id)
	if err != nil && !call.IsNotFound(err) {
		f.askAgain = time.Now().Add(listAgain)
		f.listSoon()
	}
	return directory
}

// findDirectory finds out where a session is.
func (f *followedV2) findDirectory(ctx context.Context, id session.ID) (string, error) {
	if directory := f.names.directory(id); directory != "" {
		return directory, nil
	}
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	s, err := f.all.Named(ctx, id)
	if len(s.Directory) > maxPath {
		return "", errNoPath
	}
	if err == nil {
		f.names.put(s)
	}
	return s.Directory, err
}

// listSoon has the sessions looked through at once.
func (f *followedV2) listSoon() {
	select {
	case f.wanted <- struct{}{}:
	default:
	}
}

// listRegularly looks through what waits until ctx ends. From the first time that the sessions
// could be listed, the server counts as connected. If a part of them could not be looked
// through it is tried again soon, and ever later if that part keeps failing.
func (f *followedV2) listRegularly(ctx context.Context, version string) {
	f.openRecent(ctx)
	failures := 0
	for connected := false; ctx.Err() == nil; {
		missed, err := f.list(ctx)
		if err == nil && !connected {
			connected = true
			f.setConnected(version)
		}
		if failures++; err == nil && missed == nil {
			failures = 0
		}
		if failed := cmp.Or(err, missed); failed != nil {
			f.ways.log.Debug("cannot look through the sessions that work", "server", f.host(), "err", failed)
		}
		f.waitToList(ctx, err, failures)
	}
}

// waitToList returns when the sessions are to be looked through again.
func (f *followedV2) waitToList(ctx context.Context, err error, failures int) {
	pause := listEvery
	switch {
	case err != nil:
		pause = listAgain
	case failures > 0:
		pause = retry.Backoff(failures, listAgain, listEvery)
	}
	select {
	case <-ctx.Done():
	case <-f.wanted:
	case <-time.After(pause):
	}
}

// list lists what waits in the directories of all sessions that work, as only they can wait for
// a person, and in those where hermes knows of an ask. No other is listed: that would begin to
// use it, its plugins and MCP servers too. What could not be looked through is in missed, and
// keeps nothing else from being listed.
func (f *followedV2) list(ctx context.Context) (missed, err error) {
	working, err := f.all.Busy(ctx)
	if err != nil && !call.IsNoRoute(err) {
		return nil, err
	}
	var directories []string
	for id := range working {
		if len(id) > maxSessionID {
			continue
		}
		directory, err := f.findDirectory(ctx, id)
		if err != nil && !call.IsNotFound(err) { // else it was deleted since
			missed = errors.Join(missed, err)
		}
		if directory != "" {
			directories = append(directories, directory)
		}
	}
	directories = append(directories, f.ways.knownDirectories(f.at)...)
	slices.Sort(directories)
	for _, directory := range slices.Compact(directories) {
		missed = errors.Join(missed, f.ways.reachable.list(ctx, f.instanceIn(directory)))
	}
	return missed, nil
}

// openSessions bounds how many of the latest sessions are looked at for where people work.
const openSessions = 50

// usedWithin bounds how long ago such a session may have been used.
const usedWithin = 7 * 24 * time.Hour

// openRecent emits the directories of the sessions that were used of late, so that people can go
// on there. Nothing is asked there: only a session that works can have something to wait for.
func (f *followedV2) openRecent(ctx context.Context) {
	list, err := f.all.Sessions(ctx, openSessions)
	if err != nil {
		return // they are opened when something is heard from them
	}
	for _, s := range list {
		if s.Directory == "" || len(s.Directory) > maxPath || s.Busy || time.Since(s.Updated) > usedWithin {
			continue
		}
		f.names.put(s)
		f.instanceIn(s.Directory).openEmpty()
	}
}

// hearProcessV2 processes the events of an OpenCode 2 that are about no ask and no turn.
func (i *instance) hearProcessV2(e wire.Event) {
	if named, ok := v2.NameOf(e); ok {
		i.hearName(e.Type == "session.created", named)
		return
	}
	if (e.Type == "session.tool.success" || e.Type == "session.tool.failed") && !i.asks.isEmpty() {
		i.emitTouched(v2.SessionOf(e))
	}
}

// hearName learns the name of a session. Of one that is new the event says all; of one that is
// renamed what was known before, and what was not is asked for when it is needed.
func (i *instance) hearName(isNew bool, s session.Session) {
	if before, known := i.names.get(s.ID); known {
		before.Title = s.Title
		s = before
	} else if !isNew {
		return
	}
	s.Directory = i.origin.Directory
	i.learnName(s)
}

// openEmpty emits, unless something was heard or listed before, that nothing waits.
func (i *instance) openEmpty() {
	i.inOrder.add(func() {
		if i.asks.wasListed() || !i.asks.isEmpty() {
			return
		}
		i.asks.replace(nil)
		i.emit(event.Event{Kind: event.Opened, Origin: i.origin})
	})
}
