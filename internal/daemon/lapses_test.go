package daemon

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"hermes/internal/outbound"
	"hermes/opencode/link"
	"hermes/opencode/plugin"
	"hermes/pending"
)

func TestLapses_SilentMachines(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	long, recent := now.Add(-silentAfter), now.Add(-silentAfter+time.Minute)
	for name, c := range map[string]struct {
		link    pending.Link
		refused []link.Hello
		want    bool
	}{
		"not seen for long":                 {link: pending.Link{Seen: long}, want: true},
		"seen of late":                      {link: pending.Link{Seen: recent}},
		"never seen":                        {link: pending.Link{Made: long}},
		"that was told":                     {link: pending.Link{Seen: long, Told: pending.LinkTold{Silent: long}}},
		"that was told, and then seen":      {link: pending.Link{Seen: long, Told: pending.LinkTold{Silent: long.Add(-silentAfter)}}, want: true},
		"there, but its plugin is refused":  {link: pending.Link{ID: "laptop", Name: "laptop", Seen: long}, refused: []link.Hello{{Token: "laptop"}}},
		"another one's plugin is refused":   {link: pending.Link{ID: "laptop", Name: "laptop", Seen: long}, refused: []link.Hello{{Token: "desk"}}, want: true},
		"of a person who was told of other": {link: pending.Link{Seen: long, Told: pending.LinkTold{Old: "1.0.0"}}, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			list := silentMachines([]pending.Link{c.link}, c.refused, now)
			if got := len(list) > 0; got != c.want {
				t.Errorf("told: %v", got)
			}
			if c.want && (list[0].kind != outbound.LapseSilent || !list[0].told.Silent.Equal(c.link.Seen)) {
				t.Errorf("%+v", list[0])
			}
		})
	}
}

func TestLapses_OtherVersions(t *testing.T) {
	hello := func(version string) link.Hello {
		return link.Hello{Token: "laptop", Protocol: link.Protocol, Plugin: version}
	}
	wrong := func(protocol int, version string) link.Hello {
		return link.Hello{Token: "laptop", Protocol: protocol, Plugin: version}
	}
	for name, c := range map[string]struct {
		told          pending.LinkTold
		open, refused []link.Hello
		want          string
	}{
		"this version":                     {open: []link.Hello{hello(plugin.Version())}},
		"a newer one":                      {open: []link.Hello{hello("99.0.0")}},
		"one that says nothing":            {open: []link.Hello{hello("")}},
		"an older one":                     {open: []link.Hello{hello("1.0.0")}, want: "[old 1.0.0]"},
		"one that was told":                {told: pending.LinkTold{Old: "1.0.0"}, open: []link.Hello{hello("1.0.0")}},
		"an older one than was told":       {told: pending.LinkTold{Old: "1.2.0"}, open: []link.Hello{hello("1.0.0")}},
		"updated, and old again":           {told: pending.LinkTold{Old: "1.0.0"}, open: []link.Hello{hello("1.2.0")}, want: "[old 1.2.0]"},
		"two OpenCodes of one version":     {open: []link.Hello{hello("1.0.0"), hello("1.0.0")}, want: "[old 1.0.0]"},
		"one of another line":              {open: []link.Hello{{Token: "laptop", Kind: link.Service, Plugin: "0.1.0"}}},
		"a link that is not known":         {open: []link.Hello{{Token: "gone", Plugin: "1.0.0"}}, refused: []link.Hello{{Token: "gone"}}},
		"refused, as it is too old":        {refused: []link.Hello{wrong(0, "0.9.0")}, want: "[too-old 0.9.0]"},
		"refused, as it is too new":        {refused: []link.Hello{wrong(link.Protocol+1, "9.0.0")}, want: "[too-new 9.0.0]"},
		"refused without a word":           {refused: []link.Hello{wrong(0, "")}, want: "[too-old ]"},
		"refused without a word once more": {told: pending.LinkTold{Refused: "0"}, refused: []link.Hello{wrong(0, "")}},
		"refused, and another is old":      {open: []link.Hello{hello("1.0.0")}, refused: []link.Hello{wrong(0, "0.9.0")}, want: "[too-old 0.9.0 old 1.0.0]"},
		"a process that is too old":        {refused: []link.Hello{{Token: "laptop", Kind: link.Service, Protocol: 1, Plugin: "v0.3.0"}}, want: "[too-old v0.3.0]"},
		"a process that is too new":        {refused: []link.Hello{{Token: "laptop", Kind: link.Service, Protocol: 9, Plugin: "v9.3.0"}}, want: "[too-new v9.3.0]"},
	} {
		t.Run(name, func(t *testing.T) {
			links := []pending.Link{{ID: "laptop", Name: "laptop", Owner: 7, Told: c.told}}
			var got []string
			for _, l := range otherVersions(links, c.open, c.refused) {
				got = append(got, fmt.Sprint(l.kind, " ", l.machine.Version))
				if again := otherVersions([]pending.Link{{ID: "laptop", Name: "laptop", Told: c.told.With(l.told)}}, c.open, c.refused); l.owner != 7 || len(again) >= len(c.open)+len(c.refused) {
					t.Errorf("it is told again: %+v", again)
				}
			}
			want := c.want
			if want == "" {
				want = "[]"
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%v, want %s", got, want)
			}
			if len(got) > 0 && !reflect.DeepEqual(links[0].Told, c.told) {
				t.Error("it counts as told before it is")
			}
		})
	}
}
