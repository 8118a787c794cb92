package sessions_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"hermes/internal/event"
	"hermes/internal/remote"
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
		w.wantTold(remote.TellWhere)
		if got, want := w.told[0].Projects, []string{"/a/shop", "/a/blog", "/a"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
