package question

import (
	"reflect"
	"testing"

	"hermes/internal/fields"
	"hermes/internal/session"
)

func TestAnswersEqual(t *testing.T) {
	for _, c := range []struct {
		a, b Answers
		want bool
	}{
		{nil, nil, true},
		{nil, Answers{}, true},
		{nil, Answers{{}}, true},
		{Answers{{"A"}}, Answers{{"A"}, nil}, true},
		{Answers{nil, {"A"}}, Answers{{}, {"A"}}, true},
		{Answers{{"A", "B"}}, Answers{{"A", "B"}}, true},
		{nil, Answers{{"A"}}, false},
		{nil, Answers{{""}}, false},
		{Answers{{"A"}}, Answers{{"a"}}, false},
		{Answers{{"A"}}, Answers{{"A "}}, false},
		{Answers{{"A"}}, Answers{{"A"}, {"A"}}, false},
		{Answers{{"A", "B"}}, Answers{{"B", "A"}}, false},
		{Answers{{"A", "B"}}, Answers{{"A"}, {"B"}}, false},
		{Answers{{"A"}, nil}, Answers{nil, {"A"}}, false},
		{Answers{{"A\x00"}}, Answers{{"A"}}, false},
	} {
		if c.a.Equal(c.b) != c.want || c.b.Equal(c.a) != c.want {
			t.Errorf("%q and %q: equal %v and %v, want %v", c.a, c.b, c.a.Equal(c.b), c.b.Equal(c.a), c.want)
		}
	}
}

func TestFirstChoice(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []Item
		want  Answers
		ok    bool
	}{
		{"one item", []Item{databases()}, Answers{{"SQLite"}}, true},
		{"one of many is enough", []Item{languages(), databases()}, Answers{{"Go"}, {"SQLite"}}, true},
		{"no options in one of them", []Item{databases(), one()}, nil, false},
		{"no items", nil, nil, false},
		{"a default", []Item{withDefault(databases(), 1), languages()}, Answers{{"PostgreSQL (Recommended)"}, {"Go"}}, true},
	} {
		got, ok := Request{Items: c.items}.FirstChoice(false)
		if ok != c.ok || ok && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func withDefault(i Item, n int) Item {
	i.Options[n].Default = true
	return i
}

func TestTakesText(t *testing.T) {
	for _, c := range []struct {
		item Item
		want bool
	}{
		{databases(), true}, {listed(databases()), false}, {one(), true}, {listed(one()), true},
	} {
		if got := c.item.TakesText(); got != c.want {
			t.Errorf("%+v takes text: %v", c.item, got)
		}
	}
}

func TestProjectNames(t *testing.T) {
	for _, c := range []struct{ directory, short, long string }{
		{"/home/ada/src/shop-api", "shop-api", "src/shop-api"},
		{"/home/ada/src/shop-api/", "shop-api", "src/shop-api"},
		{"/shop-api", "shop-api", "shop-api"},
		{"/", "/", "/"},
		{"shop-api", "shop-api", "shop-api"},
		{"", "", ""},
		{"/srv/商店/后端", "后端", "商店/后端"},
		{`C:\Users\ada\shop-api`, "shop-api", "ada/shop-api"},
		{`C:\shop-api`, "shop-api", "C:/shop-api"},
		{`/srv/odd\name`, `odd\name`, `srv/odd\name`},
	} {
		o := session.Origin{Directory: c.directory}
		if got := o.Project(); got != c.short {
			t.Errorf("%s: project %q, want %q", c.directory, got, c.short)
		}
		if got := o.LongProject(); got != c.long {
			t.Errorf("%s: long project %q, want %q", c.directory, got, c.long)
		}
	}
}

func TestFirstChoiceOfAnItem(t *testing.T) {
	label := func(labels ...string) Item {
		var i Item
		for _, l := range labels {
			i.Options = append(i.Options, Option{Label: l})
		}
		return i
	}
	marked := label("a", "b (Recommended)", "c")
	marked.Options[2].Default = true
	for _, c := range []struct {
		item   Item
		prefer bool
		want   string
	}{
		{label(), true, ""},
		{label("a", "b (Recommended)"), false, "a"},
		{label("a", "b (Recommended)"), true, "b (Recommended)"},
		{label("a", "b (RECOMMENDED) now", "c (Recommended)"), true, "b (RECOMMENDED) now"},
		{label("a", "b（推荐）"), true, "b（推荐）"},
		{label("a", "not recommended"), true, "a"},
		{label("a", "b"), true, "a"},
		{marked, true, "c"}, // the asker's own word comes first
	} {
		if got, ok := c.item.FirstChoice(c.prefer); got != c.want || ok != (c.want != "") {
			t.Errorf("%v, preferred %v: got %q, %v, want %q", c.item.Options, c.prefer, got, ok, c.want)
		}
	}
}

func TestUnmarked(t *testing.T) {
	for label, want := range map[string]string{
		"SQLite": "SQLite", "SQLite (Recommended)": "SQLite", "Yes (recommended), at once": "Yes, at once",
		"(Recommended)": "", " spaced ": " spaced ", "Ⱥ (Recommended)": "Ⱥ (Recommended)",
	} {
		if got := Unmarked(label); got != want {
			t.Errorf("%q: got %q, want %q", label, got, want)
		}
	}
}

func TestRequest_Size(t *testing.T) {
	for want, r := range map[int]Request{
		0: {ID: "que_1"},
		6: {Context: "c", Items: []Item{{Header: "h", Text: "t", Options: []Option{{ID: "i", Label: "l", Description: "d"}}}}},
		4: {Items: []Item{{Field: &fields.Field{Pattern: "p", URL: "u", Default: []string{"a", "b"}}}}},
		7: {Permission: &Permission{Command: "c", Diff: "d", Patterns: []string{"p"}, Always: []string{"a", "b"}, Details: []Detail{{Name: "n", Text: "t"}}}},
	} {
		if got := r.Size(); got != want {
			t.Errorf("%+v has %d bytes, want %d", r, got, want)
		}
	}
}

func TestWhoMayHaveASession(t *testing.T) {
	link := func(process, directory, token string) session.Origin {
		return session.Origin{Way: session.Link, Process: process, Directory: directory, Token: token}
	}
	server := session.Origin{Way: session.Direct, Process: "http://a", Directory: "/d"}
	for _, c := range []struct {
		o, home session.Origin
		want    bool
	}{
		{link("a", "/d", "x"), link("a", "/d", "x"), true},
		{link("a", "/e", "x"), link("a", "/d", "x"), true},  // one process
		{link("b", "/d", "x"), link("a", "/d", "x"), true},  // one machine
		{link("b", "/e", "x"), link("a", "/d", "x"), false}, // another directory of it
		{link("b", "/d", "y"), link("a", "/d", "x"), false},
		{link("b", "/d", ""), link("a", "/d", "x"), false},
		{link("b", "/d", "x"), link("a", "/d", ""), false},
		{link("b", "/d", ""), link("a", "/d", ""), true},
		{server, link("a", "/d", "x"), true},
		{server, link("a", "/e", "x"), false},
		{link("a", "/d", "x"), server, false},
		{link("a", "/d", ""), server, true},
		{link("http://a", "/d", "x"), server, false},
		{session.Origin{Way: session.AskAPI}, link("a", "/d", "x"), false},
		{link("a", "/d", "x"), session.Origin{Way: session.AskAPI}, false},
		{link("a", "/d", "x"), session.Origin{}, false},
	} {
		if got := c.o.MayHave(c.home); got != c.want {
			t.Errorf("%+v and the sessions of %+v: %v", c.o, c.home, got)
		}
	}
}

func TestOrigin_TokenName(t *testing.T) {
	for _, c := range []struct {
		o    session.Origin
		want string
	}{
		{session.Origin{Way: session.Link, Process: "p", Token: "laptop-7@c0ffee"}, "link laptop-7"},
		{session.Origin{Way: session.Link, Process: "p"}, "api"},
		{session.Origin{Way: session.AskAPI}, "api"},
		{session.Origin{Way: session.Direct, Process: "http://a"}, ""},
		{session.Origin{}, ""},
	} {
		if got := c.o.TokenName("laptop-7"); got != c.want {
			t.Errorf("%+v has the token %q, want %q", c.o, got, c.want)
		}
	}
}

func TestNewIDsAreValidAndDiffer(t *testing.T) {
	seen := map[ID]bool{}
	for range 1000 {
		id := NewID()
		if !id.Valid() || seen[id] || id[0] == '-' {
			t.Fatalf("%q: valid %v, seen before %v", id, id.Valid(), seen[id])
		}
		seen[id] = true
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[ID]bool{
		"AAAAAAAAAAAA":         true,
		"az09-_AZaz09":         true,
		"":                     false,
		"AAAAAAAAAAA":          false,
		"AAAAAAAAAAAAA":        false,
		"AAAAAAAAAAAAAAAA":     false,
		"AAAAAAAAAAA=":         false,
		"AAAAAAAAAAA+":         false,
		"AAAAAAAAAAA/":         false,
		"AAAAAA AAAAA":         false,
		"AAAAAAAAAAA\n":        false,
		"\r\nAAAAAAAAAA":       false,
		"AAAAAAAAAAAA\n":       false,
		"AAAAAAAAAAAA\r\n\r\n": false,
		"AAAAAAAAAA\x00A":      false,
		"ÄÄÄÄÄÄ":               false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%q: valid %v", id, got)
		}
	}
}

func FuzzValidID(f *testing.F) {
	f.Add("AAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, text string) {
		if !ID(text).Valid() {
			return
		}
		for _, b := range []byte(text) {
			letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_'
			if !letter || len(text) != 12 {
				t.Errorf("%q is valid", text)
			}
		}
	})
}
