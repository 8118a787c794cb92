package question

import (
	"errors"
	"math"
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
