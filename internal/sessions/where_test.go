package sessions_test

import (
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// A directory that several OpenCodes reach is one, and what is listed comes last.
func TestNew_OffersEachDirectoryOnce(t *testing.T) {
	w := seededWorld(storage.Change{})
	server := func(process, directory string) session.Origin {
		return session.Origin{Way: session.Direct, Process: process, Directory: directory}
	}
	w.places = []session.Origin{server("http://b", "/a/blog"), server("http://b", "/a")}
	w.unreachable = "http://c"
	inThat(t, w, func(w *world) {
		for _, o := range []session.Origin{
			{Way: session.Link, Process: "1", Directory: "/a/shop"},
			server("http://b", "/a/shop"), server("http://b", "/a/blog"), server("http://c", "/gone"),
		} {
			w.Event(event.Event{Kind: event.Opened, Origin: o})
		}
		synctest.Wait()
		w.say(1, "/new")
		w.wantTold("\n/new /a/shop\n/new /a/blog\n/new /a")
	})
}
