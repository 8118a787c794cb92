package demo

import (
	"fmt"
	"time"

	"hermes/internal/page"
	opencode "hermes/internal/simulate/opencodesim"
)

// tourStep is something that the agent can be made to ask, a step of the tour, or both. Its title, text
// and hint are English (page.State); what the agent says is in its script's language.
type tourStep struct {
	id, title, text, hint string
	session               string // the session's title; a step's own
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
func allSteps(of func(script) []tourStep) map[string][]tourStep {
	scripts := map[string]script{"en": englishScript(), "zh": chineseScript()}
	all := map[string][]tourStep{}
	for _, lang := range page.Languages() {
		all[lang] = of(scripts[lang])
	}
	return all
}

// tourSteps are all steps, in the order in which they are offered.
func tourSteps(w script) []tourStep { return fill(append(guidedSteps(w), furtherSteps(w)...), w) }

// questionSteps are those in which the agent asks no leave to do something: a real OpenCode would do it.
func questionSteps(w script) []tourStep {
	var list []tourStep
	for _, s := range tourSteps(w) {
		if s.call.tool == "" {
			list = append(list, s)
		}
	}
	return list
}

func fill(steps []tourStep, w script) []tourStep {
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
		{id: "change", title: "Permission to change a file", hint: "Reject with a note, and the agent reads the note.", call: toolCall{"edit", map[string]any{
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
