package sessions

import (
	"slices"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/session"
)

// What a person writes chooses among the directories that there are, and is never one.
func TestNew_OriginsNamed(t *testing.T) {
	var spots []session.Origin
	for _, d := range []string{"/a/shop", "/b/shop", "/srv/web", `C:\src\api`} {
		spots = append(spots, session.Origin{Way: session.Direct, Process: "1", Directory: d})
	}
	for name, want := range map[string][]string{
		"shop":          {"/a/shop", "/b/shop"},
		"a/shop":        {"/a/shop"},
		"/b/shop":       {"/b/shop"},
		"/b/shop/":      {"/b/shop"},
		"/b/./shop":     {"/b/shop"},
		"/b/x/../shop":  {"/b/shop"},
		"web":           {"/srv/web"},
		"api":           {`C:\src\api`},
		`C:\src\api`:    {`C:\src\api`},
		"":              nil,
		".":             nil,
		"..":            nil,
		"/":             nil,
		"/srv":          nil,
		"/etc":          nil,
		"/srv/web/..":   nil,
		"/srv/web/api":  nil,
		"/srv/web-evil": nil,
		"/srv/webb":     nil,
		"srv/we":        nil,
		"../srv/web":    nil,
		"./web":         nil,
		"shop/../web":   nil,
		"WEB":           nil,
		"/srv/web\x00":  nil,
		"/srv/web\n":    nil,
	} {
		if got := directoriesOf(originsNamed(spots, name)); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// Beyond the moves that are remembered, the oldest is forgotten, and no other.
func TestMoves_OldestIsForgottenFirst(t *testing.T) {
	m := newMoves()
	for n := range chat.ID(maxMoves + 1) {
		m.put(-1-n, -1_000_000-n)
	}
	for n, want := range map[chat.ID]chat.ID{
		-1: 0, -2: -1_000_001, -maxMoves / 2: -1_000_000 - maxMoves/2 + 1, -1 - maxMoves: -1_000_000 - maxMoves,
	} {
		if got, _ := m.get(n); got != want {
			t.Errorf("%d has become %d, want %d", n, got, want)
		}
	}
}
