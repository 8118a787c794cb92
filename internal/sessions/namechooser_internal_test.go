package sessions

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"hermes/internal/remote"
	"hermes/internal/session"
)

func TestNames_Picked(t *testing.T) {
	var names []string
	for n := range 20 {
		names = append(names, fmt.Sprint("acme/model-", n))
	}
	names = append(names, "big/Pickle")
	first := picked{offered: names[:8], pages: 3}
	missing := func(p picked, name string) picked {
		p.missing = name
		return p
	}
	for name, c := range map[string]struct {
		pick namePick
		want picked
	}{
		"nothing":                  {pickTyped(""), first},
		"a name":                   {pickTyped("acme/model-3"), picked{chosen: true, name: "acme/model-3"}},
		"off":                      {pickTyped("off"), picked{chosen: true}},
		"a part of one":            {pickTyped("pick"), picked{offered: names[20:], pages: 1, missing: "pick"}},
		"a part of too many":       {pickTyped("acme"), missing(first, "acme")},
		"a name that is not there": {pickTyped("gone"), missing(first, "gone")},
		"a button":                 {pickTapped(session.ShortTag("big/Pickle")), picked{chosen: true, name: "big/Pickle"}},
		"the button of no name":    {pickTapped(session.ShortTag("")), picked{chosen: true}},
		"a button of what is gone": {pickTapped(session.ShortTag("gone")), missing(first, remote.NoName)},
		"the last page":            {pickPage(2), picked{offered: names[16:], page: 2, pages: 3}},
		"a page that is not there": {pickPage(99), picked{offered: names[16:], page: 2, pages: 3}},
		"a page before the first":  {pickPage(-1), first},
	} {
		if got := c.pick(slices.Clone(names)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := pickTyped("x")(nil); got.chosen || len(got.offered) != 0 || got.pages != 1 {
		t.Errorf("of no names: %+v", got)
	}
}
