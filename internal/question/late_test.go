package question

import (
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/session"
)

// gone is a question that OpenCode forgot.
func gone(alter func(*Thread)) Thread {
	t := Thread{
		ID: "abcdefghijkl", Origins: []session.Origin{{Way: session.Link, Process: "p", Directory: "/src/shop"}}, Place: session.Place{Root: "ses_root"},
		Request: Request{ID: "que_1", Session: "ses_child", Items: []Item{
			{Header: "Database", Text: "Which database?", Options: []Option{{Label: "SQLite"}, {Label: "Postgre, SQL"}}, Custom: true},
		}},
		Outcome: &Outcome{Kind: OutcomeRestarted},
	}
	if alter != nil {
		alter(&t)
	}
	return t
}

func byRule(kind OutcomeKind, answers ...[]string) func(*Thread) {
	return func(t *Thread) {
		t.Outcome = &Outcome{Kind: kind, By: Actor{Kind: RuleActor, Name: "databases"}, Answers: answers}
	}
}

func byDeadline(kind OutcomeKind, answers ...[]string) func(*Thread) {
	return func(t *Thread) {
		t.Outcome = &Outcome{Kind: kind, By: Actor{Kind: Deadline}, Answers: answers}
	}
}

func TestWhatTakesALateAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*Thread)
		want  bool
	}{
		"restarted":                     {nil, true},
		"stopped":                       {func(t *Thread) { t.Outcome.Kind = OutcomeStopped }, true},
		"deleted":                       {func(t *Thread) { t.Outcome.Kind = OutcomeDeleted }, false},
		"never asked":                   {func(t *Thread) { t.Outcome.Kind = OutcomeVoid }, false},
		"not known":                     {func(t *Thread) { t.Outcome.Kind = OutcomeUnknown }, false},
		"open":                          {func(t *Thread) { t.Outcome = nil }, false},
		"answered by a person":          {func(t *Thread) { t.Outcome = &Outcome{Kind: OutcomeAnswered, By: Actor{Kind: Person}} }, false},
		"answered by a rule":            {byRule(OutcomeAnswered, []string{"SQLite"}), true},
		"dismissed by a rule":           {byRule(OutcomeDismissed), true},
		"dismissed by the deadline":     {byDeadline(OutcomeDismissed), true},
		"answered by the deadline":      {byDeadline(OutcomeAnswered, []string{"SQLite"}), true},
		"a permission by the deadline":  {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Request.Permission = &Permission{} }, false},
		"a form by the deadline":        {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Request.Form = &Form{} }, false},
		"a program's, by the deadline":  {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Origins[0].Way = session.AskAPI }, false},
		"by the deadline, sent already": {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Late = &Late{State: LateSent} }, false},
		"a permission by a rule":        {func(t *Thread) { byRule(OutcomeAnswered)(t); t.Request.Permission = &Permission{} }, false},
		"a permission":                  {func(t *Thread) { t.Request.Permission = &Permission{} }, false},
		"dismissed, and lost":           {func(t *Thread) { t.Decision = &Decision{Reject: true, By: Actor{Kind: Person}} }, false},
		"answered, and lost":            {func(t *Thread) { t.Decision = &Decision{By: Actor{Kind: Person}} }, true},
		"expired, and lost":             {func(t *Thread) { t.Decision = &Decision{Reject: true, By: Actor{Kind: Deadline}} }, true},
		"no root":                       {func(t *Thread) { t.Place.Root = "" }, true},
		"no session":                    {func(t *Thread) { t.Place.Root, t.Request.Session = "", "" }, false},
		"no directory":                  {func(t *Thread) { t.Origins = nil }, false},
		"of a program":                  {func(t *Thread) { t.Origins[0].Way = session.AskAPI }, false},
		"under /api":                    {func(t *Thread) { t.Request.Protocol = session.Preview }, false},
		"without items":                 {func(t *Thread) { t.Request.Items = nil }, false},
		"owed already":                  {func(t *Thread) { t.Late = &Late{} }, false},
		"sent already":                  {func(t *Thread) { t.Late = &Late{State: LateSent} }, false},
		"perhaps sent already":          {func(t *Thread) { t.Late = &Late{State: LateUnsure} }, false},
		"refused before":                {func(t *Thread) { t.Late = &Late{State: LateRefused} }, true},
		"the session was deleted":       {func(t *Thread) { t.Late = &Late{State: LateDeleted} }, false},
		"stopped, of a permission":      {func(t *Thread) { t.Outcome.Kind = OutcomeStopped; t.Request.Permission = &Permission{} }, false},
	} {
		thread := gone(c.alter)
		if got := thread.TakesLate(); got != c.want || thread.View().LateTo != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhereALateAnswerGoes(t *testing.T) {
	if got := gone(nil).LateSession(); got != "ses_root" {
		t.Errorf("a subagent's goes to %q", got)
	}
	if got := gone(func(t *Thread) { t.Place = session.Place{} }).LateSession(); got != "ses_child" {
		t.Errorf("without a root it goes to %q", got)
	}
}

func TestWhatTheSessionIsTold(t *testing.T) {
	second := func(t *Thread) { t.Request.Items = append(t.Request.Items, Item{Header: "Name", Multiple: true}) }
	for name, c := range map[string]struct {
		alter   func(*Thread)
		answers Answers
		want    string
	}{
		"lost":      {nil, Answers{{"Postgre, SQL"}}, "Your question was: Which database?\nMy answer: Postgre, SQL"},
		"lost, two": {second, Answers{{"SQLite"}, {"a", "b"}}, "Your question was: Which database?\nMy answer: SQLite\n\nYour question was: Name\nMy answer: a, b"},
		"ruled": {
			byRule(OutcomeAnswered, []string{"SQLite"}),
			Answers{{"Postgre, SQL"}},
			"A rule answered your question “Which database?” with “SQLite”. Correction: “Postgre, SQL”.",
		},
		"ruled well": {
			byRule(OutcomeAnswered, []string{"SQLite"}),
			Answers{{"SQLite"}},
			"A rule answered your question “Which database?” with “SQLite”. That is right.",
		},
		"ruled, two": {
			func(t *Thread) { second(t); byRule(OutcomeAnswered, []string{"SQLite"}, []string{"x"})(t) },
			Answers{{"SQLite"}, {"a", "b"}},
			"A rule answered your question “Which database?” with “SQLite”. That is right.\n\n" +
				"A rule answered your question “Name” with “x”. Correction: “a”, “b”.",
		},
		"timed out": {byDeadline(OutcomeDismissed), Answers{{"SQLite"}}, "Nobody answered your question “Which database?” in time. My answer: “SQLite”."},
		"timed out, and taken": {
			byDeadline(OutcomeAnswered, []string{"SQLite"}),
			Answers{{"Postgre, SQL"}},
			"Nobody answered your question “Which database?” in time, so it got “SQLite”. Correction: “Postgre, SQL”.",
		},
		"timed out, and taken well": {
			byDeadline(OutcomeAnswered, []string{"SQLite"}),
			Answers{{"SQLite"}},
			"Nobody answered your question “Which database?” in time, so it got “SQLite”. That is right.",
		},
		"timed out, two": {
			func(t *Thread) { second(t); byDeadline(OutcomeDismissed)(t) },
			Answers{{"SQLite"}, {"a", "b"}},
			"Nobody answered your question “Which database?” in time. My answer: “SQLite”.\n\n" +
				"Nobody answered your question “Name” in time. My answer: “a”, “b”.",
		},
		"dismissed": {byRule(OutcomeDismissed), Answers{{"SQLite"}}, "A rule dismissed your question “Which database?”. My answer: “SQLite”."},
	} {
		if got := gone(c.alter).LatePrompt(c.answers); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWhereALateConversationBegins(t *testing.T) {
	chosen := func(choices ...Choice) func(*Thread) {
		return func(t *Thread) {
			t.Request.Items = append(t.Request.Items, Item{Header: "Name"})
			t.Wizard = Wizard{State: Answered, Step: 1, Rev: 7, Typing: true, Choices: choices}
		}
	}
	first, own := Choice{Options: []int{1}}, Choice{Texts: []string{"own"}}
	for name, c := range map[string]struct {
		alter func(*Thread)
		step  int
		want  int // choices
	}{
		"nothing chosen":    {nil, 0, 0},
		"the first of two":  {chosen(first), 1, 2},
		"the second of two": {chosen(Choice{}, own), 0, 2},
		"both":              {chosen(first, own), 2, 2},
		"none of two":       {chosen(Choice{}, Choice{}), 0, 0},
		"ruled, and chosen": {func(t *Thread) { chosen(first, own)(t); byRule(OutcomeAnswered)(t) }, 0, 0},
		"timed out, half answered": {func(t *Thread) {
			chosen(first)(t)
			byDeadline(OutcomeDismissed)(t)
			t.Decision = &Decision{Reject: true, By: Actor{Kind: Deadline}}
		}, 1, 2},
		"the deadline chose": {func(t *Thread) { chosen(first)(t); t.Decision = &Decision{By: Actor{Kind: Deadline}} }, 0, 0},
	} {
		w := gone(c.alter).LateWizard()
		if w.Step != c.step || len(w.Choices) != c.want || w.State != Asking || w.Rev != 0 || w.Typing {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

// One item has a review where its answer is known before it is asked for.
func TestReviewOfOneItem(t *testing.T) {
	thread := gone(func(t *Thread) { t.Wizard.Choices = []Choice{{Options: []int{1}}} })
	w := thread.LateWizard()
	back, err := w.Apply(thread.Request, WizardInput{Action: Go, Item: 0})
	if err != nil || back.Step != 0 {
		t.Errorf("back: %+v, %v", back, err)
	}
	changed, err := back.Apply(thread.Request, WizardInput{Action: Pick, Rev: back.Rev, Option: 0})
	if err != nil || changed.State != Asking || changed.Step != 1 {
		t.Errorf("changed from the review, it is to be reviewed again: %+v, %v", changed, err)
	}
	said, err := back.Apply(thread.Request, WizardInput{Action: Say, Text: "other words"})
	if err != nil || said.State != Asking || said.Step != 1 {
		t.Errorf("changed in words: %+v, %v", said, err)
	}
	if w, err = w.Apply(thread.Request, WizardInput{Action: Send}); err != nil || !w.Answers(thread.Request).Equal(Answers{{"Postgre, SQL"}}) {
		t.Errorf("sent: %+v, %v", w, err)
	}
	if _, err := back.Apply(thread.Request, WizardInput{Action: Go, Rev: back.Rev}); err == nil {
		t.Error("from its item there is nowhere to go")
	}
}

// Cards say that a late answer is on its way only if it is for some time.
func TestLateAnswersHaveASecond(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	thread := gone(func(t *Thread) {
		t.Rev, t.Cards, t.Late = 2, []Card{{Chat: 1, Messages: []chat.MessageID{5}, Rev: 1}}, &Late{At: now}
	})
	if steps, wake := thread.Next(now); len(steps) != 0 || !wake.Equal(now.Add(time.Second)) {
		t.Errorf("at once: %v, %v", steps, wake)
	}
	if steps, _ := thread.Next(now.Add(time.Second)); !slices.Equal(steps, []Step{{Refresh, 0}}) {
		t.Errorf("after a second: %v", steps)
	}
	thread.Late.State = LateSent
	if steps, _ := thread.Next(now); !slices.Equal(steps, []Step{{Refresh, 0}}) {
		t.Errorf("sent: %v", steps)
	}
}

func TestWhatAReplyTells(t *testing.T) {
	for text, want := range map[string]string{
		"go on":        "go on",
		"2":            "About your question “Which database?”: “Postgre, SQL”.",
		" sqlite ":     "About your question “Which database?”: “SQLite”.",
		"3":            "3",
		"SQLite is it": "SQLite is it",
	} {
		if got := gone(nil).ReplyPrompt(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	several := gone(func(t *Thread) { t.Request.Items = append(t.Request.Items, Item{Header: "Name"}) })
	if got := several.ReplyPrompt("2"); got != "2" {
		t.Errorf("of several: %q", got)
	}
}

func TestWhichSessionsTakeReplies(t *testing.T) {
	for name, c := range map[string]struct {
		alter               func(*Thread)
		prompts, unanswered bool
	}{
		"lost":                  {nil, true, true},
		"open":                  {func(t *Thread) { t.Outcome = nil }, false, false},
		"deleted":               {func(t *Thread) { t.Outcome.Kind = OutcomeDeleted }, false, false},
		"timed out":             {byDeadline(OutcomeDismissed), true, true},
		"timed out, and taken":  {byDeadline(OutcomeAnswered, []string{"SQLite"}), true, false},
		"answered":              {func(t *Thread) { t.Outcome = &Outcome{Kind: OutcomeAnswered, By: Actor{Kind: Person}} }, true, false},
		"answered late already": {func(t *Thread) { t.Late = &Late{State: LateSent} }, true, false},
		"a permission":          {func(t *Thread) { t.Request.Items, t.Request.Permission = nil, &Permission{} }, true, false},
		"somebody to let in":    {func(t *Thread) { t.Request.Items, t.Request.Admission = nil, &Admission{} }, false, false},
		"a form":                {func(t *Thread) { t.Request.Form = &Form{} }, false, false},
		"of a program":          {func(t *Thread) { t.Origins[0].Way = session.AskAPI }, false, false},
	} {
		thread := gone(c.alter)
		if p, u := thread.TakesPrompts(), thread.Outcome != nil && thread.Unanswered(); p != c.prompts || u != c.unanswered {
			t.Errorf("%s: %v and %v", name, p, u)
		}
	}
}
