package question

import (
	"reflect"
	"testing"
	"time"

	"hermes/internal/chat"
)

func TestNextMindsTheTeam(t *testing.T) {
	noClock := func(t *Thread) { t.RemindAt, t.Deadline = nil, time.Time{} }
	onScreen := func(t *Thread) { t.Cards[0].Rev, t.Cards[1].Rev = 3, 3 }
	checkMoments(t, []moment{
		{"a claim holds", shown(claimed(20 * minute)), 10 * minute, "", 15 * minute},
		{"a claim alone", shown(noClock, claimed(20*minute)), 10 * minute, "", 20 * minute},
		{"a claim is over", shown(noClock, claimed(20*minute)), 20 * minute, "release", never},
		{"a claim is over beside a reminder", shown(claimed(10 * minute)), 16 * minute, "remind, release", 30 * minute},
		{"a claim outlived by the deadline", shown(claimed(40 * minute)), 31 * minute, "expire", never},
		{"a claim after a deadline that waits on", shown(noClock, expired, claimed(40*minute)), 40 * minute, "release", never},
		{"a claim while nobody is there", shown(noClock, away, claimed(40*minute)), 40 * minute, "release", day},
		{"no claim of what is decided", decided(claimed(11*minute), onScreen, deliverAt(50*minute)), 40 * minute, "", 50 * minute},
		{"no claim of what has ended", settled(claimed(11*minute), onScreen), 40 * minute, "retire", never},

		{"further chats, not yet", shown(noClock, widens(10*minute)), 9 * minute, "", 10 * minute},
		{"further chats, now", shown(noClock, widens(10*minute)), 10 * minute, "widen", never},
		{"and more of them later", shown(noClock, widens(10*minute, 20*minute)), 10 * minute, "widen", never},
		{"beside a reminder", shown(widens(15 * minute)), 15 * minute, "widen, remind", 30 * minute},
		{"not when it ends now", shown(widens(30 * minute)), 30 * minute, "expire", never},
		{"after a deadline that waits on", shown(noClock, expired, widens(40*minute)), 40 * minute, "widen", never},
		{"while nobody is there", shown(noClock, away, widens(10*minute)), 10 * minute, "widen", day},
		{"not of what is decided", decided(widens(11*minute), onScreen, deliverAt(50*minute)), 40 * minute, "", 50 * minute},
		{"nor of what has ended", settled(widens(11*minute), onScreen), 40 * minute, "retire", never},
		{"where no chat can show it", asked(card(0, refused(2*day)), card(1, refused(2*day)), widens(10*minute)), 9 * minute, "", 10 * minute},
		{"so that somebody sees it", asked(card(0, refused(2*day)), card(1, refused(2*day)), widens(10*minute)), 10 * minute, "widen", 2 * day},
		{"where a chat is tried again and again", asked(card(0, refused(2*day)), card(1, tryAt(20*minute)), widens(10*minute)), 10 * minute, "widen", 20 * minute},
	})
}

// After a stop, what people said meanwhile is heard before further chats are asked.
func TestPostponeLeavesTimeBeforeFurtherChats(t *testing.T) {
	thread := shown(widens(10*minute, 50*minute))
	thread.Postpone(after(20 * minute))
	var got []time.Duration
	for _, e := range thread.Escalations {
		got = append(got, e.At.Sub(noon))
	}
	if want := []time.Duration{20 * minute, 50 * minute}; !reflect.DeepEqual(got, want) {
		t.Errorf("further chats after %v, want %v", got, want)
	}
}

func votes(given ...string) []Vote {
	var list []Vote
	for i, reply := range given {
		list = append(list, Vote{By: Actor{Kind: Person, User: chat.UserID(i + 1)}, Answers: Answers{{reply}}})
	}
	return list
}

func TestTogether(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  string
	}{
		{[]string{Once}, Once},
		{[]string{Always}, Always},
		{[]string{Always, Always, Always}, Always},
		{[]string{Once, Always}, Once},
		{[]string{Always, Once}, Once},
		{[]string{Always, Always, Once}, Once},
	} {
		if got := Together(votes(c.given...)); !got.Equal(Answers{{c.want}}) {
			t.Errorf("%v together are %v, want %s", c.given, got, c.want)
		}
	}
}

func TestVoted(t *testing.T) {
	thread := shown(func(t *Thread) { t.Votes = votes(Once, Always) })
	for id, want := range map[chat.UserID]bool{1: true, 2: true, 3: false, 0: false} {
		if got := thread.Voted(id); got != want {
			t.Errorf("person %d has voted: %v", id, got)
		}
	}
}

// After an approval that is not the last one the same buttons stand there, and those of
// a step that is left count no more.
func TestUnvoted(t *testing.T) {
	r := leave()
	grant := Wizard{Rev: 4}
	first, err := grant.Apply(r, WizardInput{Action: Pick, Option: PickOnce, Rev: 4})
	if err != nil {
		t.Fatal(err)
	}
	if got := first.Unvoted(grant); !reflect.DeepEqual(got, grant) {
		t.Errorf("after once: %+v, want %+v", got, grant)
	}
	sure, err := grant.Apply(r, WizardInput{Action: Pick, Option: PickAlways, Rev: 4})
	if err != nil {
		t.Fatal(err)
	}
	done, err := sure.Apply(r, WizardInput{Action: Send, Rev: sure.Rev})
	if err != nil {
		t.Fatal(err)
	}
	got := done.Unvoted(sure)
	if got.State != Asking || got.Step != StepGrant || got.Rev <= sure.Rev || got.Answers(r) != nil {
		t.Errorf("after always: %+v", got)
	}
	if _, err := got.Apply(r, WizardInput{Action: Send, Rev: sure.Rev}); err == nil {
		t.Error("the button of the step before still counts")
	}
}

func TestViewOfATeam(t *testing.T) {
	thread := shown(claimed(20*minute), func(t *Thread) {
		t.Needs, t.Votes, t.Escalated, t.Equals = 2, votes(Once), true, []ID{"BBBBBBBBBBBB"}
	})
	v := thread.View()
	if v.Needs != 2 || !reflect.DeepEqual(v.Votes, thread.Votes) || v.Claim != thread.Claim || !v.Claimable || !v.Escalated || v.Count != 2 {
		t.Errorf("%+v", v)
	}
	if v = shown().View(); v.Needs != 0 || v.Votes != nil || v.Claim != nil || v.Claimable || v.Escalated || v.Count != 1 {
		t.Errorf("of a thread without a team: %+v", v)
	}
}

func TestDeciders(t *testing.T) {
	given := votes(Once, Once)
	last, other := given[1].By, Actor{Kind: Person, User: 9}
	for _, c := range []struct {
		name     string
		decision *Decision
		outcome  Outcome
		want     int
	}{
		{"theirs", &Decision{By: last}, Outcome{By: last}, 2},
		{"by another way", &Decision{By: last}, Outcome{By: Actor{Kind: OpenCode}}, 1},
		{"another rejected it", &Decision{By: other, Reject: true}, Outcome{By: other}, 1},
		{"one of them rejected it", &Decision{By: last, Reject: true}, Outcome{By: last}, 1},
		{"the deadline", &Decision{By: Actor{Kind: Deadline}}, Outcome{By: Actor{Kind: Deadline}}, 1},
		{"along with another of the same person", &Decision{By: last}, Outcome{By: last, Along: "x"}, 1},
		{"undecided, along with another", nil, Outcome{By: other, Along: "x"}, 1},
	} {
		v := View{Votes: given, Decision: c.decision, Outcome: &c.outcome}
		if got := v.Deciders(); len(got) != c.want || c.want == 1 && got[0] != c.outcome.By {
			t.Errorf("%s: %+v, want %d", c.name, got, c.want)
		}
	}
}
