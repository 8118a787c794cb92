package question

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// feature asks for a database, languages and a name.
func feature() Request {
	return Request{Items: []Item{databases(), languages(), one()}}
}

func asking(items ...Item) Request { return Request{Items: items} }

func TestConversations(t *testing.T) {
	for _, c := range []struct {
		name    string
		request Request
		script  string
	}{
		{"one question by tap", asking(databases()), `
			tap 2          => answered [#2]`},
		{"one question by words", asking(databases()), `
			say sqlite     => answered [#1]`},
		{"one question by words of one's own", asking(databases()), `
			type           => 1/1 [] typing
			say MySQL 8    => answered [«MySQL 8»]`},
		{"typing was not meant", asking(databases()), `
			type           => 1/1 [] typing
			untype         => 1/1 []
			tap 1          => answered [#1]`},
		{"dismissed", asking(databases()), `
			sure           => unknown
			dismiss        => 1/1 [] dismissing
			again          => repeated
			old dismiss    => repeated
			tap 1          => unknown
			old tap 1      => stale
			sure           => dismissed []
			again          => repeated
			old sure       => repeated
			tap 1          => closed
			say 1          => closed`},
		{"a dismissal is thought better of", feature(), `
			tap 2          => 2/3 [#2] [] []
			tap 1          => 2/3 [#2] [#1] []
			type           => 2/3 [#2] [#1] [] typing
			dismiss        => 2/3 [#2] [#1] [] typing dismissing
			next           => unknown
			back           => unknown
			change 3       => unknown
			stay           => 2/3 [#2] [#1] [] typing
			old sure       => stale
			sure           => unknown
			dismiss        => 2/3 [#2] [#1] [] typing dismissing
			old sure       => stale
			sure           => dismissed [#2] [#1] []`},
		{"a dismissal from the review keeps what was prepared", asking(databases(), databases()), `
			tap 1          => 2/2 [#1] []
			tap 2          => review [#1] [#2]
			dismiss        => review [#1] [#2] dismissing
			send           => unknown
			stay           => review [#1] [#2]
			dismiss        => review [#1] [#2] dismissing
			say yes        => review [#1] [#2] !tap-send
			old sure       => stale
			send           => answered [#1] [#2]`},
		{"whoever types goes on with the question", asking(databases()), `
			dismiss        => 1/1 [] dismissing
			say post       => 1/1 [] !ambiguous
			old sure       => stale
			dismiss        => 1/1 [] dismissing
			say 2          => answered [#2]`},
		{"several of one question", asking(languages()), `
			next           => 1/1 [] !pick-one
			tap 3          => 1/1 [#3]
			tap 1          => 1/1 [#1 #3]
			tap 1          => 1/1 [#1 #3]
			untick 3       => 1/1 [#1]
			untick 3       => 1/1 [#1]
			next           => answered [#1]`},
		{"picks and words together", asking(languages()), `
			tap 1          => 1/1 [#1]
			type           => 1/1 [#1] typing
			say Zig        => 1/1 [#1 «Zig»]
			type           => 1/1 [#1 «Zig»] typing
			say Zig        => 1/1 [#1 «Zig»]
			type           => 1/1 [#1 «Zig»] typing
			say            => 1/1 [#1 «Zig»] typing !pick-one
			say 2          => 1/1 [#1 #2 «Zig»]
			drop 1         => 1/1 [#1 #2]
			old drop 1     => repeated
			drop 1         => unknown
			next           => answered [#1 #2]`},
		{"words alone are a whole answer", asking(languages()), `
			say 1, 3       => answered [#1 #3]`},
		{"three questions", feature(), `
			tap 2          => 2/3 [#2] [] []
			tap 1          => 2/3 [#2] [#1] []
			tap 3          => 2/3 [#2] [#1 #3] []
			next           => 3/3 [#2] [#1 #3] []
			say The Bridge => review [#2] [#1 #3] [«The Bridge»]
			say yes        => review [#2] [#1 #3] [«The Bridge»] !tap-send
			send           => answered [#2] [#1 #3] [«The Bridge»]
			again          => repeated
			send           => closed`},
		{"a double tap answers one item", asking(databases(), databases()), `
			tap 1          => 2/2 [#1] []
			again          => repeated
			old tap 2      => stale
			old dismiss    => stale
			tap 3          => review [#1] [#3]`},
		{"only the item at fault is asked again", asking(databases(), listed(databases()), databases()), `
			say 1          => 2/3 [#1] [] []
			say oracle     => 2/3 [#1] [] [] !not-an-option
			say 1, 2       => 2/3 [#1] [] [] !only-one
			say post       => 2/3 [#1] [] [] !ambiguous
			say            => 2/3 [#1] [] [] !pick-one
			type           => unknown
			say 2          => 3/3 [#1] [#2] []
			say post       => 3/3 [#1] [#2] [] !ambiguous
			say "post"     => review [#1] [#2] [«post»]`},
		{"back, and on with what was chosen", feature(), `
			tap 1          => 2/3 [#1] [] []
			back           => 1/3 [#1] [] []
			next           => 2/3 [#1] [] []
			back           => 1/3 [#1] [] []
			tap 2          => 2/3 [#2] [] []
			tap 1          => 2/3 [#2] [#1] []
			back           => 1/3 [#2] [#1] []
			next           => 3/3 [#2] [#1] []
			back           => 2/3 [#2] [#1] []`},
		{"change from the review", feature(), `
			tap 1          => 2/3 [#1] [] []
			say go         => 3/3 [#1] [#1] []
			next           => 3/3 [#1] [#1] [] !pick-one
			say x          => review [#1] [#1] [«x»]
			change 1       => 1/3 [#1] [#1] [«x»]
			tap 3          => review [#3] [#1] [«x»]
			back           => 3/3 [#3] [#1] [«x»]
			say y          => review [#3] [#1] [«y»]
			change 2       => 2/3 [#3] [#1] [«y»]
			untick 1       => 2/3 [#3] [] [«y»]
			send           => unknown
			change 1       => 1/3 [#3] [] [«y»]
			next           => 2/3 [#3] [] [«y»]
			tap 2          => 2/3 [#3] [#2] [«y»]
			next           => review [#3] [#2] [«y»]
			dismiss        => review [#3] [#2] [«y»] dismissing
			sure           => dismissed [#3] [#2] [«y»]`},
		{"a word replaces a pick where one is taken", asking(databases(), one()), `
			tap 1          => 2/2 [#1] []
			back           => 1/2 [#1] []
			say other      => 2/2 [«other»] []
			back           => 1/2 [«other»] []
			tap 2          => 2/2 [#2] []`},
		{"thirty options", asking(listed(many(thirty()...))), `
			page 3         => 1/1 [] page 3
			tap 30         => 1/1 [#30] page 3
			page 4         => unknown
			page 1         => 1/1 [#30]
			tap 31         => unknown
			next           => answered [#30]`},
		{"equal labels", asking(many("A", "A")), `
			tap 2          => 1/1 [#2]
			tap 1          => 1/1 [#1 #2]
			untick 2       => 1/1 [#1]
			next           => answered [#1]`},
		{"no options", asking(listed(one())), `
			tap 1          => unknown
			next           => 1/1 [] !pick-one
			say 1          => answered [«1»]`},
		{"no questions", asking(), `
			next           => unknown
			change 1       => unknown
			say hello      => review !tap-send
			send           => answered`},
		{"no way to another item when there is none", asking(databases()), `
			change 1       => unknown
			back           => unknown
			send           => unknown`},
		{"a reason goes away with the next move", asking(languages()), `
			next           => 1/1 [] !pick-one
			tap 1          => 1/1 [#1]`},
		{"steps never begin in the middle", asking(many(thirty()...), many(thirty()...)), `
			page 2         => 1/2 [] [] page 2
			type           => 1/2 [] [] page 2 typing
			say 12         => 1/2 [#12] [] page 2
			next           => 2/2 [#12] []`},
	} {
		t.Run(c.name, func(t *testing.T) { play(t, c.request, c.script) })
	}
}

// What no button says has no effect, whoever made it up.
func TestForgedMoves(t *testing.T) {
	r := feature()
	w := Wizard{Step: 1, Rev: 4, Choices: []Choice{{Options: []int{0}}}, Last: WizardInput{Action: Pick, Rev: 3}}
	for _, m := range []WizardInput{
		{},
		{Action: "pick "},
		{Action: Pick, Item: 0, Option: 1},
		{Action: Pick, Item: 2},
		{Action: Pick, Item: 1, Option: -1},
		{Action: Pick, Item: 1, Option: 3},
		{Action: Drop, Item: 1, Option: 0},
		{Action: Drop, Item: 1, Option: -1},
		{Action: Page, Item: 1, Option: 1},
		{Action: Page, Item: 1, Option: -1},
		{Action: Page, Item: 1, Option: math.MaxInt},
		{Action: Type, Item: 0, On: true},
		{Action: Done, Item: 0},
		{Action: Go, Item: -1},
		{Action: Go, Item: 3},
		{Action: Send, Item: 1},
	} {
		m.Rev = 4
		if got, err := w.Apply(r, m); !errors.Is(err, ErrUnknown) || !reflect.DeepEqual(got, w) {
			t.Errorf("%+v: error %v, wizard %+v", m, err, got)
		}
		for _, rev := range []int{-1, 0, 3, 5, math.MaxInt} {
			m.Rev = rev
			if _, err := w.Apply(r, m); !errors.Is(err, ErrStale) {
				t.Errorf("%+v on revision 4: %v", m, err)
			}
		}
	}
}

func TestAnswersOfAWizard(t *testing.T) {
	r := feature()
	w := Wizard{Choices: []Choice{{Options: []int{1}}, {Options: []int{0, 2}, Texts: []string{"Zig"}}}}
	want := Answers{{"PostgreSQL (Recommended)"}, {"Go", "C++", "Zig"}, {}}
	if got := w.Answers(r); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Wizard{}).Answers(r); !reflect.DeepEqual(got, Answers{{}, {}, {}}) {
		t.Errorf("an untouched wizard answers %q", got)
	}
	if c := w.choice(1); !c.Has(2) || c.Has(1) {
		t.Errorf("Has is wrong about %v", c.Options)
	}
}

// deploying is an ask to hermes itself: may it deploy, where, and anything else.
func deploying() Request {
	go_ := one("Yes", "Stop the release")
	go_.ID, go_.Custom, go_.Options[0].ID, go_.Options[1].ID, go_.Options[1].Cancels = "go", false, "yes", "cancel", true
	where := listed(many("Europe", "America", "Asia and Pacific", "Nowhere"))
	where.ID = "where"
	for i, id := range []string{"eu", "us", "ap", "skip"} {
		where.Options[i].ID, where.Options[i].Cancels = id, id == "skip"
	}
	notes := one()
	notes.ID = "notes"
	return asking(go_, where, notes)
}

func TestCancellingConversations(t *testing.T) {
	for name, script := range map[string]string{
		"at once": `
			tap 2          => answered [#2] [] []
			again          => repeated
			tap 1          => closed`,
		"in the middle": `
			tap 1          => 2/3 [#1] [] []
			tap 2          => 2/3 [#1] [#2] []
			tap 4          => answered [#1] [#2 #4] []`,
		"in words": `
			say yes        => 2/3 [#1] [] []
			say skip       => answered [#1] [#4] []`,
		"in words, while others are added": `
			say yes        => 2/3 [#1] [] []
			tap 1          => 2/3 [#1] [#1] []
			say skip       => answered [#1] [#1 #4] []`,
		"from the review": `
			tap 1          => 2/3 [#1] [] []
			say eu         => 3/3 [#1] [#1] []
			say none       => review [#1] [#1] [«none»]
			change 1       => 1/3 [#1] [#1] [«none»]
			tap 2          => answered [#2] [#1] [«none»]`,
		"one id that is unknown, where one is taken": `
			say maybe      => 1/3 [] [] [] !not-an-option
			say yes, no    => 1/3 [] [] [] !not-an-option
			say yes, cancel => 1/3 [] [] [] !only-one
			say yes        => 2/3 [#1] [] []`,
		"unknown ids among several": `
			tap 1          => 2/3 [#1] [] []
			say mars, venus => 2/3 [#1] [] [] !not-an-option
			say not eu     => 2/3 [#1] [] [] !not-an-option
			say eu, mars and 2 => 3/3 [#1] [#1 #2] []`,
		"a label with a comma's word in it": `
			tap 1          => 2/3 [#1] [] []
			say asia and pacific => 3/3 [#1] [#3] []`,
	} {
		t.Run(name, func(t *testing.T) { play(t, deploying(), script) })
	}
}

// Only an ask to hermes itself passes over what it does not know.
func TestUnknownPartsOfAQuestion(t *testing.T) {
	play(t, asking(listed(languages())), `
		say Go, Zig    => 1/1 [] !not-an-option
		say Go, Rust   => answered [#1 #2]`)
}

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
	answers := w.Answers(r)
	given := answers.Equal(Answers{{Once}}) || answers.Equal(Answers{{Always}}) && len(r.Permission.Always) > 0
	if w.State == Answered && !given || w.State == Dismissed && answers != nil {
		t.Fatalf("%+v gives %q", w, answers)
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
