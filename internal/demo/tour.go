package demo

import (
	"fmt"
	"slices"
	"time"

	"hermes/internal/page"
	opencode "hermes/internal/simulate/opencodesim"
)

// tourStep is something that the agent can be made to ask, a step of the tour, or both. Its title, text
// and hint are English (page.State); what the agent says is in its script's language.
type tourStep struct {
	id, title, text, hint string
	session               string // the session's title
	subagent, crashes     bool
	ttl                   time.Duration
	questions             []opencode.Question
	call                  toolCall                    // what it asks leave for; no tool: it asks questions
	lead                  func(tourStep, facts) stage // nil: it is no step of the tour
}

// toolCall is what the agent wants to do.
type toolCall struct {
	tool  string
	input map[string]any
}

// inWords is the call's input in words.
func (c toolCall) inWords() string {
	if command, ok := c.input["command"].(string); ok {
		return command
	}
	return fmt.Sprintf("%v → %v", c.input["oldString"], c.input["newString"])
}

// asks reports whether the agent asks something in it.
func (s tourStep) asks() bool { return len(s.questions) > 0 || s.call.tool != "" }

const (
	tourTTL  = 30 * time.Minute
	briefTTL = 20 * time.Second
)

// allSteps are the steps in each language of the page.
func allSteps() map[string][]tourStep {
	scripts := map[string]script{"en": englishScript(), "zh": chineseScript()}
	all := map[string][]tourStep{}
	for _, lang := range page.Languages() {
		all[lang] = tourSteps(scripts[lang])
	}
	return all
}

// tourSteps are all steps, in the order in which they are offered.
func tourSteps(w script) []tourStep {
	steps := append(guidedSteps(w), furtherSteps(w)...)
	for i := range steps {
		steps[i].session = w.sessions[steps[i].id]
		if steps[i].ttl == 0 {
			steps[i].ttl = tourTTL
		}
	}
	return steps
}

// guidedSteps are the tour, from a first question to the setup.
func guidedSteps(w script) []tourStep {
	return []tourStep{
		{
			id: "single", title: "A question", hint: "Tap a button; the other phone shows the answer, too.", questions: []opencode.Question{w.database},
			text: "The agent has to choose a database, so it asks and waits. Hermes sends the question to both phones. The first answer counts, and the agent gets exactly the option that was tapped.",
			lead: answering("Tap an option on Ada’s or Bob’s phone.", "The agent has the answer and goes on. Both phones show who gave it."),
		},
		{
			id: "several", title: "Several questions, and your own words", hint: "One step each; nothing is sent before Send.", questions: []opencode.Question{w.database, w.languages, w.name},
			text: "An agent may ask several things at once. Each becomes a step on the phone, and nothing is sent before you tap Send. Where no option fits, write your own answer.",
			lead: answering("Answer the three questions on Ada’s phone: tap, tick and tap Next, then write a name. Check the summary and tap Send.", "The agent got all three answers together."),
		},
		{
			id: "crash", title: "A crash", hint: "Kill Hermes, tap an answer, start Hermes.", questions: []opencode.Question{w.retry}, crashes: true,
			text: "Hermes stores every question before it acts on it. Your tap waits at Telegram until Hermes has stored it, for up to two and a half minutes. So a crash in the middle loses nothing, and nothing arrives twice.",
			lead: crashing,
		},
		{
			id: "command", title: "A permission", hint: "Always allow asks once more, and shows what it adds.", call: toolCall{"bash", map[string]any{"command": "rm -rf build && make -j8", "description": w.build}},
			text: "Some commands need your permission. You can allow this one, or always: Hermes then shows the pattern that will no longer be asked about, and wants a second tap. Nothing is really run here.",
			lead: answering("On Ada’s phone, tap Allow once or Always allow.", "The agent knows your decision, and the phones show it."),
		},
		{
			id: "deploy", title: "Two approvals", hint: "A rule wants both Ada and Bob.", call: toolCall{"bash", map[string]any{"command": "kubectl apply -f production.yaml", "description": w.deploy}},
			text: "A file of rules says who may decide what. The rule here wants two people for every kubectl command, so Ada and Bob both have to allow it.",
			lead: approving,
		},
		{
			id: "drive", title: "Driving a session",
			text: "You need not wait for a question. From the chat you can choose a session, tell the agent what to do, and read how its turn ended. The scripted agent only repeats your words; a real one works.",
			lead: driving,
		},
		{
			id: "setup", title: "Your own bot",
			text: "That was the tour. With a Telegram bot of your own and your OpenCode it works the same. The setup takes about five minutes.",
			lead: atTheEnd,
		},
	}
}

// furtherSteps are what the agent can be made to ask besides.
func furtherSteps(w script) []tourStep {
	return []tourStep{
		{id: "multiple", title: "Several options of one question", hint: "Tap as many as you like, then Done.", questions: []opencode.Question{w.platforms}},
		{id: "change", title: "Permission to change a file", hint: "Reject it and say why: the agent reads that.", call: toolCall{"edit", map[string]any{
			"filePath": projectDir + "/config.yml", "oldString": "timeout: 30\nretries: 0\n", "newString": "timeout: 5\nretries: 3\n",
		}}},
		{id: "typed", title: "An answer in your own words", hint: "Write a text, or tap Type an answer.", questions: []opencode.Question{w.release}},
		{id: "subagent", title: "A subagent asks", hint: "The last line names the subagent.", subagent: true, questions: []opencode.Question{w.payment}},
		{id: "many", title: "30 options", hint: "Turn the pages, or send a number.", questions: []opencode.Question{w.regionQuestion()}},
		{id: "long", title: "6,000 characters", hint: "Shown whole, in several messages.", questions: []opencode.Question{w.planQuestion(6000)}},
		{id: "file", title: "A very long question", hint: "Too long for messages: open the file.", questions: []opencode.Question{w.planQuestion(40000)}},
		{id: "hostile", title: "A text with tricks in it", hint: "Markup and hidden characters stay visible.", questions: []opencode.Question{w.hostile}},
		{id: "expiring", title: "A question that nobody answers", hint: "It waits for 20 seconds. Do nothing.", ttl: briefTTL, questions: []opencode.Question{w.cache}},
	}
}

// facts is what the guide goes by.
type facts struct {
	up, telegram, agent bool       // hermes runs, and reaches both sides
	ask                 page.Ask   // the newest of the step; its ID empty: there is none
	shown               bool       // the ask is on a phone
	interrupted         bool       // hermes was killed while the ask waited
	unread              int        // taps and texts that wait at Telegram
	voted               []string   // who has approved the ask, while it needs more
	drive               driveFacts // of the last step
}

// driveFacts is how far Ada is in driving a session.
type driveFacts struct {
	listed  bool // /sessions was sent, and the list is there
	chosen  bool // her chat uses a session
	carried bool // a session has a prompt from a chat
	working bool // a prompt is on its way, or its turn is not over and told
}

// stage is what the guide says now.
type stage struct {
	hint string
	next *page.Choice
	done bool
}

func askStage(id, hint string) stage {
	return stage{hint, &page.Choice{Do: "ask", ID: id, Label: "Let the agent ask"}, false}
}

// onItsWay is while an ask is on no phone: hermes waits for HERMES_NOTIFY_DELAY first.
func onItsWay() stage {
	return stage{"Hermes waits a moment, as somebody at the terminal may answer at once.", &page.Choice{Do: "wait", Label: "On its way to the phones…"}, false}
}

func goTo(name string) *page.Choice {
	return &page.Choice{Do: "go", ID: name, Label: "Go to " + name + "’s phone"}
}

// guide says what to do next in a step of the tour. First what is broken has to be mended, but in the step
// that breaks it.
func (s tourStep) guide(f facts) stage {
	switch {
	case s.lead == nil:
		return stage{}
	case !f.telegram:
		return stage{"Hermes is cut off from Telegram. Connect it to go on.", &page.Choice{Do: "mend", ID: "telegram", Label: "Connect Telegram"}, false}
	case !f.agent:
		return stage{"Hermes is cut off from OpenCode. Connect it to go on.", &page.Choice{Do: "mend", ID: "opencode", Label: "Connect OpenCode"}, false}
	case !f.up && !s.crashes:
		return stage{"Hermes is stopped. Start it to go on.", startHermes(), false}
	}
	return s.lead(s, f)
}

func startHermes() *page.Choice {
	return &page.Choice{Do: "start", ID: "hermes", Label: "Start Hermes"}
}

// answering leads through an ask that somebody answers.
func answering(waits, ended string) func(tourStep, facts) stage {
	return func(s tourStep, f facts) stage {
		switch f.ask.State {
		case "":
			return askStage(s.id, "Begin with the button.")
		case askWaiting:
			if !f.shown {
				return onItsWay()
			}
			return stage{waits, goTo("Ada"), false}
		case askReceived:
			return stage{ended, nil, true}
		}
		return askStage(s.id, unanswered)
	}
}

const unanswered = "It ended without an answer, and both phones say how. Let the agent ask again."

// crashing leads through a kill between the question and the answer.
func crashing(s tourStep, f facts) stage {
	waits := f.ask.State == askWaiting
	switch {
	case !f.up && f.unread > 0:
		return stage{"Telegram keeps your tap for two and a half minutes. Start Hermes again.", startHermes(), false}
	case !f.up && waits && f.shown:
		return stage{"Hermes is dead. Tap an answer on Ada’s phone all the same.", goTo("Ada"), false}
	case !f.up:
		return stage{"Hermes is stopped. Start it to go on.", startHermes(), false}
	case f.ask.State == "":
		return askStage(s.id, "Begin with the button.")
	case waits && !f.shown:
		return onItsWay()
	case waits && !f.interrupted:
		return stage{"The question is on both phones. Kill Hermes now.", &page.Choice{Do: "kill", ID: "hermes", Label: "Kill Hermes"}, false}
	case waits:
		return stage{"Hermes is back, and the question still waits. Tap an answer on Ada’s phone.", goTo("Ada"), false}
	case f.ask.State != askReceived:
		return askStage(s.id, unanswered)
	case !f.interrupted:
		return askStage(s.id, "The question was answered before the crash. Let the agent ask again to see one.")
	}
	return stage{"The agent got the answer once, although Hermes was dead in between.", nil, true}
}

// approving leads through an ask that two people have to approve.
func approving(s tourStep, f facts) stage {
	if f.ask.State != askWaiting || len(f.voted) == 0 {
		return answering("Tap Allow once on Ada’s phone.", "The agent was told. Both phones and the journal name everybody who decided.")(s, f)
	}
	if slices.Contains(f.voted, "Ada") {
		return stage{"Ada has allowed it: one of two. Now tap Allow once on Bob’s phone.", goTo("Bob"), false}
	}
	return stage{"Bob has allowed it: one of two. Now tap Allow once on Ada’s phone.", goTo("Ada"), false}
}

// driving leads to a prompt from the chat.
func driving(_ tourStep, f facts) stage {
	switch d := f.drive; {
	case d.working:
		return stage{"The agent works. What it says comes to the chat when its turn ends.", goTo("Ada"), false}
	case d.carried:
		return stage{"👍 says that the session has your words, and the last message says how the turn ended.", nil, true}
	case d.chosen:
		return stage{"What Ada writes now goes to this session. Send it a task.", &page.Choice{Do: "write", ID: "Ada", Text: "Run the tests.", Label: "Write “Run the tests.”"}, false}
	case d.listed:
		return stage{"Tap a session in the list.", goTo("Ada"), false}
	}
	return stage{"Send /sessions from Ada’s phone.", &page.Choice{Do: "write", ID: "Ada", Text: "/sessions", Label: "Write “/sessions”"}, false}
}

// atTheEnd has nothing to do on the page any more.
func atTheEnd(tourStep, facts) stage {
	return stage{"Run this in a terminal. It asks for a bot’s token and explains how to get one.", nil, true}
}
