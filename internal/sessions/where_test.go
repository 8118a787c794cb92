package sessions_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"hermes/internal/question"
)

// A directory that several OpenCodes reach is one, and what is listed comes last.
func TestNew_OffersEachDirectoryOnce(t *testing.T) {
	w := seededWorld(question.Change{})
	server := func(process, directory string) question.Origin {
		return question.Origin{Way: question.Direct, Process: process, Directory: directory}
	}
	w.places = []question.Origin{server("http://b", "/a/blog"), server("http://b", "/a")}
	w.unreachable = "http://c"
	inThat(t, w, func(w *world) {
		for _, o := range []question.Origin{
			{Way: question.Link, Process: "1", Directory: "/a/shop"},
			server("http://b", "/a/shop"), server("http://b", "/a/blog"), server("http://c", "/gone"),
		} {
			w.Event(question.Event{Kind: question.Opened, Origin: o})
		}
		synctest.Wait()
		w.say(1, "/new")
		w.wantTold(question.TellWhere)
		if got, want := w.told[0].Projects, []string{"/a/shop", "/a/blog", "/a"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
