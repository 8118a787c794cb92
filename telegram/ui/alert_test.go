package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// said is a line, or a message, under the name that it has in a golden file.
type said struct {
	name string
	line ui.Line
	text ui.Text
}

func reader(lang string) ui.Reader { return ui.Reader{Words: words.For(lang), Now: cardtest.Noon()} }

func alerts() []said {
	one := func(name string, l ui.Line) said { return said{name: name, line: l} }
	r := question.Request{Items: []question.Item{cardtest.Database()}}
	at := cardtest.Noon().Add(-time.Hour)
	roles := []string{"lead", "ops"}
	all := []said{
		one("", nil),
		one("stale", ui.Stale()),
		one("stranger", ui.Stranger()),
		one("not-here", ui.NotHere()),
		one("not-yours", ui.NotYours()),
		one("no-role", ui.NoRole(nil)),
		one("no-role", ui.NoRole(roles)),
		one("wrong-role", ui.WrongRole(roles)),
		one("unknown", ui.NoSuchAsk()),
		one("partly", ui.NotPartly()),
		one("sent", ui.AlreadySent()),
		one("no-text", ui.NotKept()),
		one("not-theirs", ui.NotWriter()),
		one("noticepick-one", ui.NotTaken(question.Notice{Kind: question.PickOne}, r)),
		one("noticetap-send", ui.NotTaken(question.Notice{Kind: question.TapSend}, r)),
		one("ended", ui.HowItStands(question.View{Request: r})),
		one("decided", ui.HowItStands(question.View{Request: r})),
	}
	ended := func(o question.Outcome) {
		all = append(all, one("ended "+string(o.Kind)+" by "+string(o.By.Kind), ui.HowItStands(question.View{Request: r, Outcome: &o})))
	}
	decided := func(phase question.Phase, d question.Decision) {
		all = append(all, one(fmt.Sprintf("decided by %s, rejected: %v", d.By.Kind, d.Reject), ui.HowItStands(question.View{Request: r, Decision: &d, Phase: phase})))
	}
	sqlite := question.Answers{{"SQLite"}}
	for _, by := range []question.Actor{cardtest.Ada(), {Kind: question.Deadline}, {Kind: question.Caller, Name: "ci"}, {Kind: question.OpenCode}, cardtest.Databases()} {
		decided("", question.Decision{Answers: sqlite, By: by, At: at})
		decided("", question.Decision{Reject: true, By: by, At: at})
		ended(question.Outcome{Kind: question.OutcomeAnswered, Answers: sqlite, By: by, At: at})
		ended(question.Outcome{Kind: question.OutcomeDismissed, By: by, At: at})
	}
	decided(question.PhaseHeld, question.Decision{Answers: sqlite, By: cardtest.Ada(), At: at})
	for _, kind := range question.OutcomeKinds()[2:] {
		ended(question.Outcome{Kind: kind, At: at})
	}
	return all
}

func TestAlert(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, a := range alerts() {
			fmt.Fprintf(&b, "%-45s %s\n", a.name, a.line.Alert(reader(lang)))
		}
		cardtest.Golden(t, "alerts."+lang+".txt", b.String())
	}
}

func TestAlert_Fits(t *testing.T) {
	long := strings.Repeat("長い😀", 300)
	for _, l := range []ui.Line{
		ui.HowItStands(question.View{Decision: &question.Decision{Answers: question.Answers{{long}}, By: question.Actor{Kind: question.Person, Name: long}}}),
		ui.NotTaken(question.Notice{Kind: question.Ambiguous, Options: []int{0, 1, 2}, Text: long}, question.Request{
			Items: []question.Item{{Custom: true, Options: []question.Option{{Label: long}, {Label: long}, {Label: long}}}},
		}),
	} {
		text := l.Alert(reader("en"))
		if n := len(utf16.Encode([]rune(text))); n > ui.MaxAlert || n < 50 {
			t.Errorf("%d: %q", n, text)
		}
	}
}

func notes() []said {
	asks, ada := cardtest.Asks(cardtest.Database()), chat.User{ID: 7, Name: "Ada"}
	sqlite := question.Answers{{"SQLite"}}
	stopped := cardtest.Ended(asks, question.Outcome{Kind: question.OutcomeStopped})
	all := []said{{name: "remind", text: ui.Reminder(asks)}}
	add := func(name string, l ui.Line) { all = append(all, said{name: name, text: l.Text()}) }
	add("ask-again", ui.NotTaken(question.Notice{Kind: question.NotAnOption}, question.Request{}))
	add("ask-again", ui.NotTaken(question.Notice{Kind: question.OnlyOne}, question.Request{}))
	add("ended", ui.HowItStands(cardtest.Ended(asks, question.Outcome{Kind: question.OutcomeAnswered, Answers: sqlite, By: cardtest.Ada()})))
	add("ended", ui.HowItStands(stopped))
	add("ended", ui.HowItStands(cardtest.Decided(asks, question.PhaseSending, question.Decision{Reject: true, By: cardtest.Ada()})))
	add("ended", ui.HowItStands(asks))
	add("ended", ui.HowItStands(cardtest.Held(asks, question.Decision{Answers: sqlite, By: cardtest.Ada()})))
	all = append(all, said{name: "ended", text: ui.NoPromptEither(stopped)})
	add("no-role", ui.NoRole([]string{"lead", "ops"}))
	add("wrong-role", ui.WrongRole([]string{"lead", "ops"}))
	add("nothing", ui.NothingAsked())
	add("which", ui.WhichAsk())
	add("greeting", ui.Greeting(ada))
	add("elsewhere", ui.Elsewhere(ada))
	add("stranger", ui.StrangersID(7, 7))
	add("forwarded", ui.Forwarded())
	add("paced", ui.Paced())
	add("moved-on", ui.MovedOn())
	add("no-box", ui.UnknownBox())
	add("no-file", ui.FileNoAnswer())
	add("unsigned", ui.Unsigned())
	return all
}

func TestNote(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, n := range notes() {
			body := n.text(reader(lang))
			checkMessage(t, body.Parts[0])
			fmt.Fprintf(&b, "=== %s\n%s\n\n", n.name, body.Parts[0].HTML())
		}
		cardtest.Golden(t, "notes."+lang+".txt", b.String())
	}
}
