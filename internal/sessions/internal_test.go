package sessions

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
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

// Sessions whose names read the same are told apart by what is shortest and certain.
func TestList_TellsTwinsApart(t *testing.T) {
	found := func(id session.ID, directory, title string) foundSession {
		return foundSession{Session: session.Session{ID: id, Directory: directory, Title: title}}
	}
	all := []foundSession{
		found("ses_1aaXX", "/src/shop", "fix"), found("ses_2aaXX", "/src/shop", "fix"), found("ses_3bbYY", "/src/shop", "fix"),
		found("ses_4", "/src/shop", "other"), found("ses_5", "/src/web", "fix"), found("ses_6cccc", "/home/shop", "fix"),
		found("ses_7dddd", "/src/shop", ""), found("ses_8eeee", "/src/shop", ""), found("same", "/src/a", "x"), found("asame", "/src/a", "x"),
	}
	type apart struct {
		long bool
		end  string
	}
	want := map[session.ID]apart{
		"ses_1aaXX": {true, "1aaXX"}, "ses_2aaXX": {true, "2aaXX"}, "ses_3bbYY": {true, "bbYY"}, "ses_4": {}, "ses_5": {}, "ses_6cccc": {true, ""},
		"ses_7dddd": {false, "dddd"}, "ses_8eeee": {false, "eeee"}, "same": {false, "same"}, "asame": {false, "asame"},
	}
	for page := range 2 {
		for _, s := range pageOf(all, nil, "", page).Listed {
			if got := (apart{s.Long, s.End}); got != want[s.ID] {
				t.Errorf("%s: %+v, want %+v", s.ID, got, want[s.ID])
			}
			delete(want, s.ID)
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

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

func TestChats_HearOfAnEnd(t *testing.T) {
	const long, short = 2 * time.Minute, 2*time.Minute - 1
	here, later := []remote.Hearer{{Chat: 1, Topic: 5}}, time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		settings remote.ChatSettings
		ran      time.Duration
		asked    []remote.Hearer
		want     []remote.Hearer
	}{
		"nothing chosen, a long turn":            {remote.ChatSettings{}, long, here, here},
		"nothing chosen, a short turn":           {remote.ChatSettings{}, short, here, nil},
		"nothing chosen, asked elsewhere":        {remote.ChatSettings{}, long, nil, nil},
		"nothing chosen, in a quiet time":        {remote.ChatSettings{}, long, []remote.Hearer{{Chat: 1, Silent: true}}, []remote.Hearer{{Chat: 1, Silent: true}}},
		"nothing chosen, muted":                  {remote.ChatSettings{Muted: later}, long, here, nil},
		"nothing chosen, was muted":              {remote.ChatSettings{Muted: time.Now().Add(-time.Hour)}, long, here, here},
		"nothing chosen, not set up":             {remote.ChatSettings{}, long, []remote.Hearer{{Chat: -9}}, nil},
		"twice, in two topics":                   {remote.ChatSettings{}, long, []remote.Hearer{{Chat: 1, Topic: 5}, {Chat: 1, Topic: 6}}, here},
		"questions":                              {remote.ChatSettings{Level: remote.LevelQuestions}, long, here, nil},
		"turns, a long one":                      {remote.ChatSettings{Level: remote.LevelTurns}, long, here, []remote.Hearer{{Chat: 1}}},
		"turns, a long one, asked elsewhere":     {remote.ChatSettings{Level: remote.LevelTurns, Topic: 7}, long, nil, []remote.Hearer{{Chat: 1, Topic: 7}}},
		"turns, a short one":                     {remote.ChatSettings{Level: remote.LevelTurns}, short, here, nil},
		"turns, in a quiet time":                 {remote.ChatSettings{Level: remote.LevelTurns}, long, []remote.Hearer{{Chat: 1, Silent: true}}, []remote.Hearer{{Chat: 1, Silent: true}}},
		"all, a short one":                       {remote.ChatSettings{Level: remote.LevelAll}, short, nil, []remote.Hearer{{Chat: 1}}},
		"all, muted":                             {remote.ChatSettings{Level: remote.LevelAll, Muted: later}, long, here, nil},
		"questions, and the session is followed": {remote.ChatSettings{Level: remote.LevelQuestions, Follow: true, Session: "ses_1"}, short, nil, []remote.Hearer{{Chat: 1}}},
		"questions, and another is followed":     {remote.ChatSettings{Level: remote.LevelQuestions, Follow: true, Session: "ses_2"}, long, here, nil},
	} {
		b := &chatBook{Chats: privateChats{}, all: map[chat.ID]remote.ChatSettings{}, after: long}
		if c.settings != (remote.ChatSettings{}) {
			c.settings.Chat = 1
			b.put(c.settings)
		}
		if got := b.hearingEnd("ses_1", c.ran, c.asked); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// privateChats are all set up, and stay what they are.
type privateChats struct{ Chats }

func (privateChats) Home(id chat.ID) bool { return id > 0 }

func (privateChats) Current(id chat.ID) chat.ID { return id }

func TestTurn_RanFor(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, c := range map[string]struct {
		since time.Time
		turn  session.Turn
		want  time.Duration
	}{
		"by OpenCode's times":                   {ago(time.Minute), session.Turn{Began: ago(time.Hour), Ended: ago(time.Minute)}, 59 * time.Minute},
		"its begin was before hermes' start":    {time.Time{}, session.Turn{Began: ago(time.Hour), Ended: now}, time.Hour},
		"without an end":                        {ago(time.Minute), session.Turn{Began: ago(time.Hour)}, time.Hour},
		"without a begin, which hermes saw":     {ago(time.Minute), session.Turn{Ended: now}, time.Minute},
		"without a begin, which hermes saw not": {time.Time{}, session.Turn{Ended: now}, 0},
	} {
		if got := ranFor(remote.TurnWatch{Since: c.since}, c.turn, now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Whatever OpenCodes say of how many sessions, what is remembered of them is bounded, and
// each loses the oldest of its own.
func TestHeard_BoundedAndFair(t *testing.T) {
	type says struct {
		source   func(n int) session.Origin
		sessions int
	}
	one := func(name string) func(int) session.Origin {
		return func(int) session.Origin { return linkOf(name, name) }
	}
	many := func(n int) session.Origin { // as many processes with the API's token
		return session.Origin{Way: session.Link, Process: fmt.Sprint("p", n), Directory: "/src"}
	}
	for name, test := range map[string]struct {
		says []says
		left []int // of each
	}{
		"room for all":          {[]says{{one("a"), 40}, {one("b"), 60}}, []int{40, 60}},
		"one with too many":     {[]says{{one("a"), 500}}, []int{100}},
		"one among others":      {[]says{{one("a"), 10}, {one("b"), 500}, {one("c"), 10}}, []int{10, 80, 10}},
		"two with too many":     {[]says{{one("a"), 500}, {one("b"), 500}}, []int{50, 50}},
		"processes without end": {[]says{{one("a"), 5}, {many, 500}}, []int{0, 100}},
	} {
		h := newHeard(100)
		ids := map[session.ID]int{}
		for i, s := range test.says {
			for n := range s.sessions {
				id := session.ID(fmt.Sprint(i, "/", n))
				h.put(id, s.source(n), true)
				ids[id] = i
			}
		}
		left, indexed := make([]int, len(test.says)), 0
		for id := range h.at {
			left[ids[id]]++
		}
		for _, of := range h.by {
			indexed += of.Len()
		}
		if fmt.Sprint(left) != fmt.Sprint(test.left) || indexed != len(h.at) {
			t.Errorf("%s: %v are left and %d in the index, want %v", name, left, indexed, test.left)
		}
		for i, s := range test.says {
			newest := session.ID(fmt.Sprint(i, "/", s.sessions-1))
			if h.originOf(newest).Way == "" && left[i] > 0 {
				t.Errorf("%s: the newest of the sessions of %d is forgotten", name, i)
			}
		}
	}
}

func TestHeard_FollowsASession(t *testing.T) {
	h := newHeard(2)
	a, b := linkOf("a", "x"), linkOf("b", "x")
	h.put("s", a, true)
	h.put("s", b, true)
	if h.originOf("s") != b || len(h.by) != 1 {
		t.Errorf("at %+v, of %d sources", h.originOf("s"), len(h.by))
	}
	h.stopAt(a)
	if !h.isWorking("s") {
		t.Error("it rests, as another has stopped")
	}
	h.stopAt(b)
	if h.isWorking("s") || h.originOf("s") != b {
		t.Error("it works where nothing does")
	}
	h.put("s", b, true)
	h.put("s", b, false)
	if h.isWorking("s") {
		t.Error("it works though it was heard to rest")
	}
}
