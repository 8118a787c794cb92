package question

import (
	"reflect"
	"testing"
	"time"

	"hermes/internal/session"
)

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
