package opencode

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"hermes/internal/event"
	"hermes/opencode/call"
	"hermes/opencode/release"
)

// A process that has a link is spoken to over its link alone. Where a server of OpenCode 1.x says itself that hermes'
// plugin is loaded in a directory, hermes leaves that directory to the plugin's link and lets the direct connection rest there. The
// server's word is what counts: a link cannot bring a server to rest that has no plugin, and one from another machine none at all.

// linkWithin is how long hermes waits for the link of a plugin, at first and after its loss: the plugin tries at least every 10 s. hermes
// looks for the link every lookEvery.
const (
	linkWithin = 15 * time.Second
	lookEvery  = 2 * time.Second
)

// rests reports whether the server is left to its plugin in a directory.
func (d *directServer) rests(ctx context.Context, directory string) bool {
	d.mu.Lock()
	until, asked := d.linkUntil[directory]
	d.mu.Unlock()
	if !asked {
		until = d.awaitLink(ctx, directory)
	}
	if until.IsZero() {
		return false
	}
	if !d.ways.links.speakFor(d.server.URL, directory) {
		return time.Now().Before(until)
	}
	d.mu.Lock()
	i := d.instances[directory]
	if i != nil && !i.asks.isKnownEmpty() {
		d.mu.Unlock()
		return false // until those have ended: their cards are the server's
	}
	d.linkUntil[directory] = time.Now().Add(linkWithin)
	delete(d.instances, directory)
	d.recent.Remove(directory)
	d.mu.Unlock()
	if i != nil {
		d.ways.reachable.removeAs(i, event.Lost)
	}
	return true
}

// awaitLink returns the time until which hermes waits for the link of the plugin in a directory; zero: there is no plugin, or the server is of
// another machine, for which no link speaks. hermes does not wait where a question of this server is open, whose card is the server's. It asks a
// server that did not answer again.
func (d *directServer) awaitLink(ctx context.Context, directory string) (until time.Time) {
	var has bool
	var err error
	if isLoopback(d.server.URL) {
		has, err = d.hasPlugin(ctx, directory)
	}
	if failed := new(call.Error); err != nil && !(errors.As(err, &failed) && failed.Status != 0) {
		return time.Time{}
	}
	if has {
		until = time.Now().Add(linkWithin)
	}
	if has && slices.Contains(d.ways.knownDirectories(d.at), directory) {
		until = time.Now()
		d.instanceIn(directory)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.linkUntil) >= maxDirectories {
		clear(d.linkUntil)
	}
	d.linkUntil[directory] = until
	return until
}

// hasPlugin asks the server whether hermes' plugin is loaded in a directory: its configuration lists the files of plugins, also those that
// OpenCode found in its folders (measured on 1.1.53, 1.15.13 and 1.18.34). The event stream is not read meanwhile.
func (d *directServer) hasPlugin(ctx context.Context, directory string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var config struct {
		Plugin []any `json:"plugin"`
	}
	err := d.clientFor(directory, Identity{}).Endpoint.Get(ctx, "config", "/config", url.Values{"directory": {directory}}, &config)
	return slices.ContainsFunc(config.Plugin, func(one any) bool {
		file, _ := one.(string)
		return strings.HasPrefix(file, "file:") && strings.HasSuffix(file, "/hermes.js")
	}), err
}

// listUnlinked lists what waits in the directories whose plugin has no link.
func (d *directServer) listUnlinked(ctx context.Context) {
	d.mu.Lock()
	directories := slices.Collect(maps.Keys(d.linkUntil))
	d.mu.Unlock()
	for _, directory := range directories {
		if d.isUnlisted(directory) && !d.rests(ctx, directory) {
			_ = d.ways.reachable.list(ctx, d.instanceIn(directory)) // it is in the log
		}
	}
}

// isUnlisted reports whether a directory has the plugin, and the server was not asked what waits there: it rests, or is about to.
func (d *directServer) isUnlisted(directory string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.instances[directory]
	return !d.linkUntil[directory].IsZero() && (i == nil || !i.asks.wasListed())
}

// speakFor reports whether a plugin has a link that may be that of the server at a URL, in a directory: it has come from this
// machine itself and says that it listens there. One without an address listens nowhere, but a plugin before 1.8.0 never gives one.
func (s *openLinks) speakFor(server, directory string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.open {
		h := l.Hello()
		if !h.Local || h.Directory != directory {
			continue
		}
		isSilent := h.URL == "" && !release.Since(h.Plugin, 1, 8, 0)
		if isSilent || listenKey(h.URL) == listenKey(server) {
			return true
		}
	}
	return false
}

func isLoopback(server string) bool { return strings.HasPrefix(listenKey(server), "loopback:") }
