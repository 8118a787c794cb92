package sessions

import (
	"slices"
	"testing"

	"hermes/internal/question"
)

// What a person writes chooses among the directories that there are, and is never one.
func TestNamed(t *testing.T) {
	var spots []question.Origin
	for _, d := range []string{"/a/shop", "/b/shop", "/srv/web", `C:\src\api`} {
		spots = append(spots, question.Origin{Way: question.Direct, Process: "1", Directory: d})
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
		if got := directories(named(spots, name)); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// A directory that several OpenCodes reach is one, and what is listed comes last.
func TestSpots(t *testing.T) {
	d := &Desk{origins: map[question.Origin]bool{
		{Way: question.Link, Process: "1", Directory: "/a/shop"}:          true,
		{Way: question.Direct, Process: "http://b", Directory: "/a/shop"}: true,
		{Way: question.Direct, Process: "http://b", Directory: "/a/blog"}: true,
		{Way: question.Direct, Process: "http://c", Directory: "/gone"}:   true,
	}}
	d.config.Agents = func(o question.Origin) (Agent, bool) { return nil, o.Process != "http://c" }
	d.config.Places = func() []question.Origin {
		return []question.Origin{{Way: question.Direct, Process: "http://b", Directory: "/a/blog"}, {Way: question.Direct, Process: "http://b", Directory: "/a"}}
	}
	if got, want := directories(d.spots()), []string{"/a/shop", "/a/blog", "/a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
