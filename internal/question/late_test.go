package question

import (
	"testing"

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
		"restarted":                    {nil, true},
		"stopped":                      {func(t *Thread) { t.Outcome.Kind = OutcomeStopped }, true},
		"deleted":                      {func(t *Thread) { t.Outcome.Kind = OutcomeDeleted }, false},
		"never asked":                  {func(t *Thread) { t.Outcome.Kind = OutcomeVoid }, false},
		"not known":                    {func(t *Thread) { t.Outcome.Kind = OutcomeUnknown }, false},
		"open":                         {func(t *Thread) { t.Outcome = nil }, false},
		"answered by a person":         {func(t *Thread) { t.Outcome = &Outcome{Kind: OutcomeAnswered, By: Actor{Kind: Person}} }, false},
		"answered by a rule":           {byRule(OutcomeAnswered, []string{"SQLite"}), true},
		"dismissed by a rule":          {byRule(OutcomeDismissed), true},
		"dismissed by the deadline":    {byDeadline(OutcomeDismissed), true},
		"answered by the deadline":     {byDeadline(OutcomeAnswered, []string{"SQLite"}), true},
		"a permission by the deadline": {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Request.Permission = &Permission{} }, false},
		"a form by the deadline":       {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Request.Form = &Form{} }, false},
		"a program's, by the deadline": {func(t *Thread) { byDeadline(OutcomeDismissed)(t); t.Origins[0].Way = session.AskAPI }, false},
		"a permission by a rule":       {func(t *Thread) { byRule(OutcomeAnswered)(t); t.Request.Permission = &Permission{} }, false},
		"a permission":                 {func(t *Thread) { t.Request.Permission = &Permission{} }, false},
		"dismissed, and lost":          {func(t *Thread) { t.Decision = &Decision{Reject: true, By: Actor{Kind: Person}} }, false},
		"answered, and lost":           {func(t *Thread) { t.Decision = &Decision{By: Actor{Kind: Person}} }, true},
		"expired, and lost":            {func(t *Thread) { t.Decision = &Decision{Reject: true, By: Actor{Kind: Deadline}} }, true},
		"no root":                      {func(t *Thread) { t.Place.Root = "" }, true},
		"no session":                   {func(t *Thread) { t.Place.Root, t.Request.Session = "", "" }, false},
		"no directory":                 {func(t *Thread) { t.Origins = nil }, false},
		"of a program":                 {func(t *Thread) { t.Origins[0].Way = session.AskAPI }, false},
		"under /api":                   {func(t *Thread) { t.Request.Protocol = session.Preview }, false},
		"without items":                {func(t *Thread) { t.Request.Items = nil }, false},
		"stopped, of a permission":     {func(t *Thread) { t.Outcome.Kind = OutcomeStopped; t.Request.Permission = &Permission{} }, false},
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

// What people had chosen stays with a late answer.
func TestWhatATapTellsAfterTheEnd(t *testing.T) {
	two := func(choices ...Choice) func(*Thread) {
		return func(t *Thread) {
			t.Request.Items = append(t.Request.Items, Item{Header: "Name", Multiple: true, Options: []Option{{Label: "x"}, {Label: "y"}}})
			t.Wizard = Wizard{Rev: 7, Choices: choices}
		}
	}
	for name, c := range map[string]struct {
		alter func(*Thread)
		move  WizardInput
		want  string
	}{
		"a choice":               {nil, WizardInput{Action: Pick, Option: 1}, "Your question was: Which database?\nMy answer: Postgre, SQL"},
		"no choice":              {nil, WizardInput{Action: Pick, Option: 9}, ""},
		"to type":                {nil, WizardInput{Action: Type, On: true}, ""},
		"to dismiss":             {nil, WizardInput{Action: Dismiss}, ""},
		"the first of two":       {two(), WizardInput{Action: Pick, Rev: 7}, "Your question was: Which database?\nMy answer: SQLite"},
		"one of several":         {two(Choice{Options: []int{0}}), WizardInput{Action: Pick, Item: 1, Rev: 7, Option: 1, On: true}, "Your question was: Which database?\nMy answer: SQLite\n\nYour question was: Name\nMy answer: y"},
		"what was chosen":        {two(Choice{Options: []int{0}}), WizardInput{Action: Send, Item: 2, Rev: 7}, "Your question was: Which database?\nMy answer: SQLite"},
		"none of several":        {two(), WizardInput{Action: Done, Item: 1, Rev: 7}, ""},
		"what a rule has chosen": {func(t *Thread) { two(Choice{Options: []int{0}})(t); t.Decision = &Decision{By: Actor{Kind: RuleActor}} }, WizardInput{Action: Send, Item: 2, Rev: 7}, ""},
	} {
		thread := gone(c.alter)
		if got := thread.LatePrompt(thread.AnswersOf(c.move)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A text answers all that people have left open.
func TestWhatATextTellsAfterTheEnd(t *testing.T) {
	two := func(choices ...Choice) func(*Thread) {
		return func(t *Thread) {
			t.Request.Items = append(t.Request.Items, Item{Header: "Name", Custom: true})
			t.Wizard.Choices = choices
		}
	}
	for name, c := range map[string]struct {
		alter      func(*Thread)
		text, want string
	}{
		"a number":            {nil, "2", "Your question was: Which database?\nMy answer: Postgre, SQL"},
		"own words":           {nil, "neither", "Your question was: Which database?\nMy answer: neither"},
		"own words, unwanted": {func(t *Thread) { t.Request.Items[0].Custom = false }, "neither", "Your question was: Which database?\nMy answer: neither"},
		"two":                 {two(), "2, and call it x", "Your question was: Which database? Name\nMy answer: 2, and call it x"},
		"two, timed out":      {func(t *Thread) { two()(t); byDeadline(OutcomeDismissed)(t) }, "x", "Nobody answered your question “Which database? Name” in time. My answer: “x”."},
		"the second of two":   {two(Choice{Options: []int{0}}), "x", "Your question was: Which database?\nMy answer: SQLite\n\nYour question was: Name\nMy answer: x"},
		"chosen before":       {func(t *Thread) { t.Wizard.Choices = []Choice{{Options: []int{0}}} }, "2", "Your question was: Which database?\nMy answer: Postgre, SQL"},
	} {
		if got := gone(c.alter).LateText(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What a person has decided and the agent never got is theirs to send.
func TestLostAnswers(t *testing.T) {
	decided := func(by ActorKind, reject bool) func(*Thread) {
		return func(t *Thread) {
			t.Decision = &Decision{By: Actor{Kind: by}, Reject: reject, Answers: Answers{{"SQLite"}}}
		}
	}
	for name, c := range map[string]struct {
		alter func(*Thread)
		want  bool
	}{
		"nothing":         {nil, false},
		"by a person":     {decided(Person, false), true},
		"dismissed":       {decided(Person, true), false},
		"by the deadline": {decided(Deadline, false), false},
		"used": {func(t *Thread) {
			decided(Person, false)(t)
			t.Outcome = &Outcome{Kind: OutcomeAnswered, By: Actor{Kind: Person}}
		}, false},
		"its session gone": {func(t *Thread) { decided(Person, false)(t); t.Outcome.Kind = OutcomeDeleted }, false},
	} {
		if got := gone(c.alter).LostAnswers() != nil; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func answered(t *Thread) { t.Outcome = &Outcome{Kind: OutcomeAnswered, By: Actor{Kind: Person}} }

func TestWhatAReplyTells(t *testing.T) {
	for text, want := range map[string]string{
		"go on":        "go on",
		"2":            "About your question “Which database?”: “Postgre, SQL”.",
		" sqlite ":     "About your question “Which database?”: “SQLite”.",
		"3":            "3",
		"SQLite is it": "SQLite is it",
	} {
		if got := gone(answered).ReplyPrompt(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	several := gone(func(t *Thread) { answered(t); t.Request.Items = append(t.Request.Items, Item{Header: "Name"}) })
	if got := several.ReplyPrompt("2"); got != "2" {
		t.Errorf("of several: %q", got)
	}
}

func TestWhichSessionsTakeReplies(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*Thread)
		want  bool
	}{
		"lost":                 {nil, true},
		"open":                 {func(t *Thread) { t.Outcome = nil }, false},
		"deleted":              {func(t *Thread) { t.Outcome.Kind = OutcomeDeleted }, false},
		"timed out":            {byDeadline(OutcomeDismissed), true},
		"timed out, and taken": {byDeadline(OutcomeAnswered, []string{"SQLite"}), true},
		"answered":             {func(t *Thread) { t.Outcome = &Outcome{Kind: OutcomeAnswered, By: Actor{Kind: Person}} }, true},
		"a permission":         {func(t *Thread) { t.Request.Items, t.Request.Permission = nil, &Permission{} }, true},
		"somebody to let in":   {func(t *Thread) { t.Request.Items, t.Request.Admission = nil, &Admission{} }, false},
		"a form":               {func(t *Thread) { t.Request.Form = &Form{} }, false},
		"of a program":         {func(t *Thread) { t.Origins[0].Way = session.AskAPI }, false},
	} {
		thread := gone(c.alter)
		if got := thread.TakesPrompts(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
