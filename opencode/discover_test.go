package opencode

import (
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
)

// On the old version sessions of other projects cannot be read through the
// server's own instance; there only directories that are known are looked into.
func TestDiscovery_OtherDirectoriesAreFoundAtConnect(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		id, _ := s.Ask("/home/ada/done", "", colour)
		s.AnswerAtTUI(id, [][]string{{"Red"}})
		known := func(server session.Origin) []string {
			if server.Way != session.Direct || server.Process != serverURL {
				t.Errorf("asked for %+v", server)
			}
			return []string{shop}
		}
		w := watch(t, Config{Servers: []Server{{URL: serverURL, Transport: s.Transport()}}, KnownDirectories: known})
		wait(2 * time.Second)
		found := w.take(event.Opened)
		if !slices.ContainsFunc(found, func(e event.Event) bool { return e.Origin == directOrigin(shop) && len(e.Asks) == 1 }) {
			t.Errorf("told %+v", found)
		}
		for _, e := range found {
			if e.Origin.Directory == "/home/ada/done" {
				t.Error("a directory where nothing waits was looked into")
			}
		}
	})
}

// The new version lists all sessions, so no directory is opened to look into it.
func TestDiscovery_OpensNoInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		s.Ask(shop, "", colour)
		s.NewSession("/home/ada/idle", "Old")
		s.Restart() // forgets all instances
		s.Ask(shop, "", sizes)
		w := watchServer(t, s)
		w.wantTold(t, "opened shop Sizes, opened proj", reach...)
		if got, want := s.Instances(), []string{proj, shop}; !reflect.DeepEqual(got, want) {
			t.Errorf("instances of %q, want %q", got, want)
		}
	})
}

// Aborted and deleted requests stay listed, and wait for nobody.
func TestDiscovery_WhatAnAbortedTurnLeavesIsNotTold(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		abort(s, ask(t, s, "", colour))
		remove(s, ask(t, s, "", colour))
		s.Ask(proj, "", sizes)
		watchServer(t, s).wantTold(t, "opened proj Sizes", reach...)
	})
}

// A question of long ago is not looked for, and "/", which stands for everything
// outside of repositories, never becomes an instance.
func TestDiscovery_LeavesAlone(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		time.Sleep(usedWithin + time.Hour)
		s.NewSession("/", "Loose")
		s.Restart()
		watchServer(t, s).wantTold(t, "opened proj", reach...)
		if got, want := s.Instances(), []string{proj}; !reflect.DeepEqual(got, want) {
			t.Errorf("instances of %q, want %q", got, want)
		}
	})
}

// Nothing but the session itself tells of the directory.
func TestDiscovery_AskedInAnotherProjectWhileAway(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		s.Ask(shop, "", colour)
		w := watchServer(t, s)
		if found := w.take(event.Opened); !slices.ContainsFunc(found, func(e event.Event) bool {
			return e.Origin == directOrigin(shop) && len(e.Asks) == 1
		}) {
			t.Errorf("told %+v", found)
		}
	})
}
