package question

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
)

// FuzzMoves plays any moves, likely and forged ones, and holds what is always true
// of a conversation.
func FuzzMoves(f *testing.F) {
	f.Add(byte(0), []byte{0, 0, 1, 1, 0, 0, 0, 0})
	f.Add(byte(1), []byte("\x00\x01\x01\x00\x03\x00\x00\x00\x07\x01\x00\x00\x06\x00\x00\x00"))
	f.Add(byte(3), []byte("tap and type and go back and send"))
	f.Fuzz(func(t *testing.T, shape byte, data []byte) { playAny(t, shape, data) })
}

// TestRandomMoves plays games of the same kind without a fuzzer, and sees to it
// that they come to every end.
func TestRandomMoves(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	ends := map[State]int{}
	for game := range 600 {
		data := make([]byte, 4*60)
		random.Read(data)
		ends[playAny(t, byte(game), data).State]++
	}
	if ends[Answered] < 50 || ends[Dismissed] < 50 {
		t.Errorf("the games are too much alike: %v", ends)
	}
}

func playAny(t *testing.T, shape byte, data []byte) (w Wizard) {
	requests := []Request{
		feature(), asking(databases()), asking(languages()), asking(), asking(one()),
		asking(many(thirty()...), listed(languages()), listed(one("A", "A"))), leave(), deploying(),
		order(), wrapping(), form(flavours(2, 3, false)), form(login()),
	}
	r := requests[int(shape)%len(requests)]
	for len(data) >= 4 {
		w = checkMove(t, r, w, anyMove(w, data))
		data = data[4:]
	}
	return w
}

// anyMove makes a move of four bytes: what, where, which, and how far it is from
// one that a button on screen can make.
func anyMove(w Wizard, b []byte) WizardInput {
	actions := []Action{Pick, Drop, Go, Done, Page, Type, Send, Say, Dismiss, Skip, UseDefault, "?"}
	if w.Dismissing {
		actions = append(actions, Dismiss, Go)
	}
	texts := []string{"1", "", "post", "Go, Rust", "some words", "\x00", `"1"`, "1 and 2"}
	m := WizardInput{Action: actions[int(b[0])%len(actions)], Rev: w.Rev, Item: w.Step, Option: int(b[2]%40) - 1, On: b[3]&1 == 0}
	if m.Action == Go || b[3]&6 == 6 {
		m.Item = int(b[1]%5) - 1
	}
	if b[3]&24 == 24 {
		m.Rev -= int(b[1]%7) - 3
	}
	if m.Action == Say {
		m.Text = texts[int(b[1])%len(texts)]
	}
	if b[3]&96 == 96 {
		m = w.Last
	}
	return m
}

func checkMove(t *testing.T, r Request, w Wizard, m WizardInput) Wizard {
	t.Helper()
	before := deepCopy(w)
	next, err := w.Apply(r, m)
	var notice *Notice
	switch refused := err != nil && !errors.As(err, &notice); {
	case !reflect.DeepEqual(before, deepCopy(w)):
		t.Fatalf("%+v changed the wizard in place\nfrom %+v\n  to %+v", m, before, w)
	case refused && !reflect.DeepEqual(before, deepCopy(next)):
		t.Fatalf("%+v: %v, and yet it changed\nfrom %+v\n  to %+v", m, err, before, next)
	case !refused && (w.State != Asking || m.Action != Say && m.Rev != w.Rev):
		t.Fatalf("%+v was taken by %+v: error %v", m, w, err)
	}
	checkStep(t, r, w, next)
	checkWhole(t, r, next)
	checkTwice(t, r, next, m)
	return next
}

// checkStep holds what is true of any two wizards that follow one another.
func checkStep(t *testing.T, r Request, w, next Wizard) {
	t.Helper()
	if moved := next.Step != w.Step || next.State != w.State; next.Rev < w.Rev || moved && next.Rev == w.Rev {
		t.Fatalf("the revision does not grow\nfrom %+v\n  to %+v", w, next)
	}
	if w.Dismissing != next.Dismissing && next.Rev == w.Rev {
		t.Fatalf("buttons of the dismissal and of the step have the same revision\nfrom %+v\n  to %+v", w, next)
	}
	if r.asksBeforeDismissal() && next.State == Dismissed && w.State == Asking && !w.Dismissing {
		t.Fatalf("dismissed without being asked\nfrom %+v\n  to %+v", w, next)
	}
	for i := range r.Items {
		was, is := w.choice(i), next.choice(i)
		changed := !was.equal(is)
		if changed && i != w.Step {
			t.Fatalf("a move on item %d changed item %d\nfrom %+v\n  to %+v", w.Step, i, w, next)
		}
		if fewer := len(is.Texts) < len(was.Texts); fewer && next.Rev == w.Rev {
			t.Fatalf("texts have new numbers under the same revision\nfrom %+v\n  to %+v", w, next)
		}
	}
}

func (c Choice) equal(d Choice) bool {
	return len(c.Options) == len(d.Options) && equalLists(c.Texts, d.Texts) &&
		(len(c.Options) == 0 || reflect.DeepEqual(c.Options, d.Options))
}

// checkWhole holds what is true of any wizard.
func checkWhole(t *testing.T, r Request, w Wizard) {
	t.Helper()
	if r.Permission != nil {
		checkGrant(t, r, w)
		return
	}
	if w.Step < 0 || w.Step > len(r.Items) || w.Page < 0 {
		t.Fatalf("no such step or page: %+v", w)
	}
	if w.Step == len(r.Items) && (w.Page > 0 || w.Typing) {
		t.Fatalf("a review with pages or typing: %+v", w)
	}
	if item, why := r.Check(w.Answers(r)); r.Form != nil && why != "" && (w.State == Answered || w.Step == len(r.Items)) {
		t.Fatalf("item %d of the form: %s in %+v", item, why, w)
	}
	whole := r.Form == nil && (w.State == Answered && !r.Cancelled(w.Answers(r)) || w.Step == len(r.Items))
	for i, item := range r.Items {
		c := w.choice(i)
		chosen := len(c.Options) + len(c.Texts)
		if whole && chosen == 0 || !item.Multiple && chosen > 1 || len(c.Texts) > 0 && !item.TakesText() {
			t.Fatalf("item %d has %+v in %+v", i, c, w)
		}
	}
	if got := w.Answers(r); len(got) != len(r.Items) {
		t.Fatalf("%d lists for %d items", len(got), len(r.Items))
	}
}

// checkGrant: nothing is given that was not chosen, and always not without its step.
func checkGrant(t *testing.T, r Request, w Wizard) {
	t.Helper()
	c := w.choice(0)
	if w.Step < StepGrant || w.Step > StepNote || w.Page != 0 || w.Step != StepGrant && w.Typing {
		t.Fatalf("no such step: %+v", w)
	}
	if w.State == Answered && !r.Grants(w.Answers(r)) || w.State == Dismissed && w.Answers(r) != nil {
		t.Fatalf("%+v gives %q", w, w.Answers(r))
	}
	if c.Has(PickAlways) != (w.Step == StepAlways) || len(c.Options)+len(c.Texts) > 1 {
		t.Fatalf("a choice that was not made: %+v", w)
	}
}

// checkTwice taps the same button again: that never does anything more.
func checkTwice(t *testing.T, r Request, w Wizard, m WizardInput) {
	t.Helper()
	if m.Action == Say || m != w.Last {
		return
	}
	if next, err := w.Apply(r, m); err == nil && !reflect.DeepEqual(deepCopy(w), deepCopy(next)) {
		t.Fatalf("%+v did more the second time\nfrom %+v\n  to %+v", m, w, next)
	}
}
