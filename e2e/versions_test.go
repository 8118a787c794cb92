//go:build e2e

package e2e_test

import (
	"testing"

	"hermes/internal/testlevel"
	"hermes/opencode/release"
)

// TestVersions plays the main scenes with the versions between the oldest and the newest,
// which have all the others.
func TestVersions(t *testing.T) {
	testlevel.FullOnly(t)
	atEach(t, linkedTUI, entriesOf(release.Between()), func(t *testing.T, e entry) {
		r := &remote{desk: newDesk(t, e, "shop-api"), heard: map[int]bool{}}
		r.hermes.start(t, "HERMES_NOTIFY_DELAY=0", "HERMES_IDLE_DELAY=500ms", "HERMES_TURN_AFTER=0")
		r.hermes.awaitReady(t)
		if r.play(t, r.mainScenes()) {
			r.checkMain()
			r.hermes.stop(t)
		}
	})
}

// apartEnds are the first and the last version that is two servers and could be had
// (docs/design/proof.md); one between them has all main scenes.
var apartEnds = []string{"1.14.48", "1.17.0"}

// TestApart plays that what such a server asks arrives over the plugin.
func TestApart(t *testing.T) {
	testlevel.FullOnly(t)
	var entries []entry
	for _, version := range apartEnds {
		entries = append(entries, entry{version, linkedServe})
	}
	atEach(t, linkedServe, entries, func(t *testing.T, e entry) {
		newDesk(t, e, "shop-api").playAll(t, []scene{
			{"single choice", singleChoice, everywhere},
			{"permission: once", allowedOnce, everywhere},
			{"asked while hermes is down", askedWhileDown, everywhere},
		})
	})
}

// TestPluginAndServer plays that what one OpenCode asks comes once where hermes can have it twice: over the link of its plugin, and from
// the server itself. 1.15.13 is two servers, as those of TestApart are.
func TestPluginAndServer(t *testing.T) {
	var entries []entry
	for _, version := range []string{oldest, "1.15.13", newest} {
		entries = append(entries, entry{version, linkedServe})
	}
	atEach(t, linkedServe, entries, func(t *testing.T, e entry) {
		d := newDesk(t, e, "shop-api")
		d.hermes.serves(d.here.URL)
		d.playAll(t, []scene{
			{"single choice", singleChoice, quick},
			{"permission: once", allowedOnce, everywhere},
			{"asked while hermes is down", askedWhileDown, quick},
		})
	})
}

func (r *remote) mainScenes() []scene {
	return []scene{
		{"a turn and a reply", func(*desk) { r.turnAndReply(); r.questionsAlone() }, everywhere}, // first: ends of other turns may come any time
		{"single choice", singleChoice, everywhere},
		{"dismissed in OpenCode first", dismissedThere, everywhere},
		{"session stopped", stopped, everywhere},
		{"permission: once", allowedOnce, everywhere},
		{"permission: reject", rejected, everywhere},
		{"permission: reject with a note", rejectedWithNote, everywhere},
		{"asked while hermes is down", askedWhileDown, everywhere},
	}
}

// questionsAlone is the level at which no turn's end is told but those of prompts.
func (r *remote) questionsAlone() {
	r.hears(r.phone.say("/level questions", 0), "You get questions here, and a message when a turn started from this chat ends.")
}

// checkMain holds that every prompt was given once, and that the chat shows what it is to
// show, and ends of turns.
func (r *remote) checkMain() {
	r.t.Helper()
	r.checkPrompts()
	for id := range r.heard {
		r.phone.ends[id] = settled(r.phone.message(id).Text)
	}
	r.phone.check()
}
