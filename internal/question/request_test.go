package question

import (
	"reflect"
	"testing"

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
