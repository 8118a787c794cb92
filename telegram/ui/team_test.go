package ui_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

func teamScenes() []scene {
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	ada := cardtest.Voters("Ada")[0].By
	add("needs two", cardtest.Approving(2))
	add("one of three", cardtest.Approving(3, "Ada"))
	add("two of three, with names of every kind", cardtest.Approving(3, "<b>Ada</b> & co", "名字\u202Eabc"))
	add("two of two, as the rules were exchanged", cardtest.Approving(2, "Ada", "Bob"))
	add("two of one, as the rules were exchanged", cardtest.Approving(1, "Ada", "Bob"))
	always := cardtest.After(cardtest.Approving(2, "Ada"), question.WizardInput{Action: question.Pick, Option: question.PickAlways})
	add("one of two, always asked again", always)
	lost := cardtest.Approving(2, "Ada")
	lost.Wizard.Notice = question.Notice{Kind: question.LostRight, Text: "<b>Bob</b> & co"}
	add("asked again, as one of them lost the right before it was sent", lost)
	wide := cardtest.Approving(2)
	wide.Escalated = true
	add("further chats were asked", wide)
	wide.Votes = cardtest.Voters("Ada")
	add("further chats were asked for one more", wide)
	claimable := cardtest.Asks(cardtest.Database())
	claimable.Claimable = true
	add("a question to claim", claimable)
	claimable.Claim = &question.Claim{By: ada, Until: cardtest.Noon().Add(10 * time.Minute)}
	add("a question that is claimed", claimable)
	claimable.Wizard.Notice = question.Notice{Kind: question.LostRight, Text: "Bob"}
	add("a question that is asked again, as who decided lost the right before it was sent", claimable)
	claimable.Wizard.Notice = question.Notice{}
	add("its end", cardtest.Ended(cardtest.Decided(claimable, "", question.Decision{Answers: question.Answers{{"SQLite"}}, By: ada}), question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{"SQLite"}}, By: ada}))
	mine := cardtest.Approving(2, "Ada")
	mine.Claimable, mine.Claim = true, &question.Claim{By: ada, Until: cardtest.Noon().Add(26 * time.Hour)}
	add("claimed until tomorrow, one of two", mine)
	taken := cardtest.Approving(2, "Ada")
	taken.Owner, taken.Place.Title = question.Owner{ID: 43, Name: "Bob", Link: "bobs-laptop"}, "the title by now"
	add("taken, of a permission", cardtest.Ended(taken, question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{question.Once}}, By: ada}).Take())
	asked := cardtest.Asks(cardtest.Database())
	asked.Owner = taken.Owner
	add("taken, of a question", asked.Take())
	asked.Owner = question.Owner{}
	add("taken, and nobody's", asked.Take())
	return append(append(scenes, namedScenes()...), teamEnds()...)
}

// namedScenes are asks that not everybody may answer.
func namedScenes() []scene {
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	people := func(names ...string) (list []question.Actor) {
		for _, v := range cardtest.Voters(names...) {
			list = append(list, v.By)
		}
		return list
	}
	two := cardtest.Approving(2)
	two.May, two.Mentions, two.Whose = people("<b>Ada</b> & co", "Bob", "Chen"), true, true
	two.Owner, two.Place.Title = question.Owner{ID: 43, Name: "Dana", Link: "danas-laptop"}, "fix checkout flow"
	add("needs two of three, in a group", two)
	two.Votes = cardtest.Voters("Ada")
	add("one of two, in a group", two)
	ended := cardtest.Ended(cardtest.Decided(two, "", question.Decision{Reject: true, By: two.May[1]}), question.Outcome{Kind: question.OutcomeDismissed, By: two.May[1]})
	add("its end, in a group", ended)
	two.Mentions, two.Whose, two.Watches = false, false, true
	add("one of two, in the chat of who asks", two)
	one := cardtest.Asks(cardtest.Database())
	one.May, one.Watches = people("Ada"), true
	add("a question for somebody else", one)
	many := cardtest.Approving(2)
	many.May = people("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L")
	add("needs two of many", many)
	return scenes
}

// teamEnds are the ends of asks that several have approved.
func teamEnds() []scene {
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	for _, names := range [][]string{{"Ada"}, {"Ada", "Bob"}, {"Ada", "Bob", "Chen"}} {
		v := cardtest.Approving(len(names), names...)
		by, given := v.Votes[len(names)-1].By, question.Answers{{question.Once}}
		if len(names) == 3 {
			given = question.Answers{{question.Always}}
		}
		v = cardtest.Decided(v, question.PhaseSending, question.Decision{Answers: given, By: by})
		add("on its way: "+strings.Join(names, ", "), v)
		add("allowed by "+strings.Join(names, ", "), cardtest.Ended(v, question.Outcome{Kind: question.OutcomeAnswered, Answers: given, By: by}))
		add("allowed in OpenCode before "+strings.Join(names, ", "), cardtest.Ended(v, question.Outcome{Kind: question.OutcomeAnswered, Answers: given, By: question.Actor{Kind: question.OpenCode}}))
	}
	unsaid := cardtest.Decided(cardtest.Approving(2, "Ada", "Bob"), "", question.Decision{Answers: question.Answers{{question.Once}}, By: cardtest.Voters("Ada", "Bob")[1].By})
	unsaid.Sent = true
	add("let run, and perhaps by what Ada, Bob decided", cardtest.Ended(unsaid, question.Outcome{Kind: question.OutcomeAnswered, By: question.Actor{Kind: question.OpenCode}}))
	chen := question.Actor{Kind: question.Person, User: 9, Name: "Chen", Chat: -5}
	nobody := question.Actor{Kind: question.Deadline}
	no := question.Outcome{Kind: question.OutcomeDismissed, By: chen}
	add("rejected after two approvals", cardtest.Ended(cardtest.Decided(cardtest.Approving(3, "Ada", "Bob"), "", question.Decision{Reject: true, By: chen}), no))
	no.Along = "x"
	add("rejected along with another", cardtest.Ended(cardtest.Approving(3, "Ada", "Bob"), no))
	yes := question.Outcome{Kind: question.OutcomeAnswered, Answers: question.Answers{{question.Always}}, By: chen, Along: "x"}
	add("allowed along with another", cardtest.Ended(cardtest.Approving(3, "Ada", "Bob"), yes))
	late := question.Outcome{Kind: question.OutcomeDismissed, By: nobody}
	add("one of two in time", cardtest.Ended(cardtest.Decided(cardtest.Approving(2, "Ada"), "", question.Decision{Reject: true, By: nobody}), late))
	add("none of two in time", cardtest.Ended(cardtest.Decided(cardtest.Approving(2), "", question.Decision{Reject: true, By: nobody}), late))
	add("enough by the rules, and nobody tapped", cardtest.Ended(cardtest.Decided(cardtest.Approving(1, "Ada"), "", question.Decision{Reject: true, By: nobody}), late))
	second, few := cardtest.Approving(1, "Ada"), cardtest.Approving(2, "Ada")
	second.Request.Protocol, few.Request.Protocol = session.V2, session.V2
	add("in OpenCode 2, one of two in time", cardtest.Ended(cardtest.Decided(few, "", question.Decision{Reject: true, By: nobody}), late))
	add("in OpenCode 2, enough by the rules, and nobody tapped", cardtest.Ended(cardtest.Decided(second, "", question.Decision{Reject: true, By: nobody}), late))
	return scenes
}

// What several people decide together, as it is shown and as taps and texts are met.
func TestCard_Teams(t *testing.T) {
	claim := &question.Claim{By: cardtest.Voters("Ada")[0].By, Until: cardtest.Noon().Add(10 * time.Minute)}
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, s := range teamScenes() {
			c := ui.Render(s.view, words.For(lang), cardtest.Noon())
			b.WriteString("=== " + s.name + "\n" + shown(c) + "\n")
		}
		for _, a := range []said{{name: "voted", line: ui.Voted(1, 2)}, {name: "claimed", line: ui.Claimed(claim)}, {name: "claimed", line: ui.Claimed(nil)}} {
			b.WriteString("=== alert " + a.name + "\n" + a.line.Alert(reader(lang)) + "\n\n")
		}
		for _, n := range []said{{name: "claimed", line: ui.Claimed(claim)}, {name: "unsigned", line: ui.Unsigned()}} {
			b.WriteString("=== note " + n.name + "\n" + n.line.Text()(reader(lang)).Parts[0].HTML() + "\n\n")
		}
		cardtest.Golden(t, "team."+lang+".txt", b.String())
	}
}
