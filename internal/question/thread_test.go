package question

import (
	"reflect"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/session"
)

func TestWhatStandsOnScreen(t *testing.T) {
	if asked().Shown() || !shown(card(0, unshown)).Shown() {
		t.Error("a thread is shown when any chat has a message of it")
	}
	thread := shown()
	if got := []int{thread.Card(1), thread.Card(2), thread.Card(3)}; !reflect.DeepEqual(got, []int{0, 1, -1}) {
		t.Errorf("cards of chats 1, 2 and 3: %v", got)
	}
	c := Card{Messages: []chat.MessageID{10, 11}, Others: []chat.MessageID{12}}
	for message, want := range map[chat.MessageID]bool{10: true, 11: true, 12: true, 13: false, 0: false} {
		if got := c.Has(message); got != want {
			t.Errorf("has message %d: %v", message, got)
		}
	}
}

func TestOpenAndSettled(t *testing.T) {
	for _, c := range []struct {
		name          string
		thread        Thread
		open, settled bool
	}{
		{"asked", asked(), true, false},
		{"expired, waiting on", shown(expired), true, false},
		{"decided", decided(), false, false},
		{"settled", settled(), false, true},
		{"settled elsewhere", settled(func(t *Thread) { t.Decision = nil }), false, true},
	} {
		if c.thread.Open() != c.open || c.thread.Settled() != c.settled {
			t.Errorf("%s: open %v, settled %v", c.name, c.thread.Open(), c.thread.Settled())
		}
	}
}

func TestOrigins(t *testing.T) {
	o := session.Origin{Way: session.Link, Process: "p", Directory: "/d", Host: "laptop"}
	thread := asked(func(t *Thread) { t.Origins = []session.Origin{{}, o} })
	for name, c := range map[string]struct {
		change func(*session.Origin)
		want   bool
	}{
		"the same":             {func(*session.Origin) {}, true},
		"another name of host": {func(o *session.Origin) { o.Host = "renamed" }, true},
		"another way":          {func(o *session.Origin) { o.Way = session.Direct }, false},
		"another process":      {func(o *session.Origin) { o.Process = "q" }, false},
		"another directory":    {func(o *session.Origin) { o.Directory = "/d/" }, false},
	} {
		p := o
		c.change(&p)
		if got := thread.From(p); got != c.want {
			t.Errorf("%s: seen there %v, want %v", name, got, c.want)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	a := shown(func(t *Thread) { t.Origins = []session.Origin{{Process: "p"}} })
	b, want := a.Clone(), shown(func(t *Thread) { t.Origins = []session.Origin{{Process: "p"}} })
	a.Origins[0].Process, a.RemindAt[0], a.Cards[0].Chat = "q", noon, 9
	if !reflect.DeepEqual(b, want) {
		t.Errorf("the copy changed too: %+v", b)
	}
}

func TestThread_Stage(t *testing.T) {
	for _, c := range []struct {
		name   string
		thread Thread
		want   Stage
	}{
		{"no chat shows it", asked(), StageUnseen},
		{"every chat that should refuses", asked(card(0, refused(2*day)), card(1, refused(2*day))), StageUnseen},
		{"one chat shows it", shown(card(0, unshown)), StageShown},
		{"shown, and OpenCode cannot be reached", shown(away), StageShown},
		{"held", decided(heldTo(11 * minute)), StageHeld},
		{"decided", decided(), StageDeciding},
		{"sent, not proven", decided(sentAt(10 * minute)), StageDeciding},
		{"ended", settled(), StageEnded},
	} {
		if got := c.thread.Stage(); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// What is held is owed from the end of the hold on, and shown from the end of the notify delay on.
func TestThread_OwedAndDueSince(t *testing.T) {
	held := decided()
	held.Delivery.From = after(12 * minute)
	for _, c := range []struct {
		name      string
		got, want time.Time
	}{
		{"decided", decided().OwedSince(), after(10 * minute)},
		{"held before", held.OwedSince(), after(12 * minute)},
		{"due after the delay", asked().DueSince(), after(800 * ms)},
		{"due at once", asked(func(t *Thread) { t.ShowAt = time.Time{} }).DueSince(), noon},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("%s: %s, not %s", c.name, c.got, c.want)
		}
	}
}

func TestPhases(t *testing.T) {
	for _, c := range []struct {
		name   string
		thread Thread
		want   Phase
	}{
		{"new", asked(), PhaseAsking},
		{"on screen", shown(), PhaseAsking},
		{"away, and it can still be answered", shown(away), PhaseAsking},
		{"past its deadline, waiting on", shown(expired), PhaseAsking},
		{"decided", decided(), PhaseSending},
		{"sent, not proven", decided(sentAt(10 * minute)), PhaseSending},
		{"decided, and nobody there", decided(away), PhaseWaiting},
		{"settled", settled(), PhaseEnded},
		{"settled, and nobody there", settled(away), PhaseEnded},
		{"settled elsewhere", settled(func(t *Thread) { t.Decision = nil }), PhaseEnded},
	} {
		if got := c.thread.View().Phase; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestDeadlineOnView(t *testing.T) {
	accept := func(t *Thread) { t.OnExpiry, t.Expired = ExpireAccept, true }
	for _, c := range []struct {
		name   string
		thread Thread
		want   time.Time
	}{
		{"not armed yet", asked(), time.Time{}},
		{"counting", shown(), after(30 * minute)},
		{"past, and it waits on", shown(expired), time.Time{}},
		{"will wait on, not past", shown(func(t *Thread) { t.OnExpiry = ExpireWait }), after(30 * minute)},
		{"past, and decided by it", decided(accept), after(30 * minute)},
	} {
		if got := c.thread.View().Deadline; !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestViewCarriesWhatIsShown(t *testing.T) {
	thread := settled(expired, func(t *Thread) {
		t.Origins = []session.Origin{{Way: session.Link, Host: "first"}, {Way: session.Direct, Host: "latest"}}
		t.Place, t.Project, t.Offline = session.Place{Title: "fix checkout flow"}, "shop-api", minute
		t.Wizard = Wizard{Rev: 7, Choices: []Choice{{Options: []int{0}}}}
	})
	want := View{
		Thread: thread.ID, Rev: 3, Step: 7, Phase: PhaseEnded, Request: thread.Request, Wizard: thread.Wizard,
		Origin: session.Origin{Way: session.Direct, Host: "latest"}, Project: "shop-api", Place: session.Place{Title: "fix checkout flow"},
		TTL: 30 * minute, OnExpiry: thread.OnExpiry, Expired: true, Count: 1, Offline: minute, Decision: thread.Decision, Outcome: thread.Outcome,
	}
	if got := thread.View(); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	if got := asked().View().Origin; got != (session.Origin{}) {
		t.Errorf("seen nowhere, and yet at %+v", got)
	}
}

func TestViewOfItems(t *testing.T) {
	thread := asked(func(t *Thread) {
		t.Request = feature()
		t.Wizard = Wizard{Step: 1, Choices: []Choice{{Options: []int{2}}, {Options: []int{0}, Texts: []string{"Zig"}}}}
	})
	v := thread.View()
	if v.Review() || !reflect.DeepEqual(v.Item(), languages()) {
		t.Errorf("shows %+v, review %v", v.Item(), v.Review())
	}
	for item, want := range [][]string{{"PostgreSQL + cache"}, {"Go", "Zig"}, {}} {
		if got := v.Labels(item); !reflect.DeepEqual(got, want) {
			t.Errorf("item %d: %q, want %q", item, got, want)
		}
	}
	if !v.Choice(1).Has(0) || !v.Choice(2).empty() {
		t.Errorf("choices %+v and %+v", v.Choice(1), v.Choice(2))
	}
	v.Wizard.Step = 3
	if !v.Review() {
		t.Error("behind the last item there is no review")
	}
}

// Cards of one thread differ by whose chat it is: who may not answer sees so, others than the owner see whose agent it is, and the first
// group mentions those who may.
func TestView_In(t *testing.T) {
	const ada, bob, team, ops = 42, 43, -5, -6
	may := func(ids ...chat.UserID) (list []Actor) {
		for _, id := range ids {
			list = append(list, Actor{Kind: Person, User: id})
		}
		return list
	}
	type shows struct{ whose, watches, mentions bool }
	for name, c := range map[string]struct {
		alter func(*Thread)
		want  []shows // of Bob's chat, Ada's and two groups
	}{
		"nobody's":                {func(*Thread) {}, []shows{{}, {}, {whose: true}, {whose: true}}},
		"Bob's":                   {func(t *Thread) { t.Owner.ID = bob }, []shows{{}, {whose: true}, {whose: true}, {whose: true}}},
		"Bob's, for two others":   {func(t *Thread) { t.Owner.ID, t.Needs, t.May = bob, 2, may(ada, 44) }, []shows{{watches: true}, {whose: true}, {whose: true, mentions: true}, {whose: true}}},
		"Bob's, for a lead":       {func(t *Thread) { t.Owner.ID, t.May = bob, may(ada) }, []shows{{watches: true}, {whose: true}, {whose: true, mentions: true}, {whose: true}}},
		"Bob's, for devs":         {func(t *Thread) { t.Owner.ID, t.May = bob, may(ada, bob) }, []shows{{}, {whose: true}, {whose: true}, {whose: true}}},
		"the group takes nothing": {func(t *Thread) { t.Needs, t.May, t.Cards[2].Refused = 2, may(ada, bob), "kicked" }, []shows{{}, {}, {whose: true}, {whose: true, mentions: true}}},
		"taken from Bob":          {func(t *Thread) { t.Owner.ID, t.Cards[0].Taken = ada, 1 }, []shows{{}, {}, {whose: true}, {whose: true}}},
	} {
		thread := shown()
		thread.Cards = []Card{{Chat: bob}, {Chat: ada}, {Chat: team}, {Chat: ops}}
		c.alter(&thread)
		for i, want := range c.want {
			v := thread.ViewIn(i)
			if got := (shows{v.Whose, v.Watches, v.Mentions}); got != want || (v.Phase == PhaseTaken) != (thread.Cards[i].Taken > 0) {
				t.Errorf("%s, card %d: %+v (%s), want %+v", name, i, got, v.Phase, want)
			}
		}
	}
}
