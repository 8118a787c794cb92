package question

import "testing"

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
