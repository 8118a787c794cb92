package demo

import (
	"fmt"
	"strings"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
)

// tourStep is something that the agent can be made to ask.
type tourStep struct {
	id, title, hint string
	session         string // the session's title
	subagent        bool
	ttl             time.Duration
	questions       []opencode.Question
	call            toolCall // what it asks leave for; no tool: it asks questions
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

const (
	tourTTL  = 30 * time.Minute
	briefTTL = 20 * time.Second
)

// tourSteps is what the agent asks, in the order in which it is offered.
func tourSteps() []tourStep {
	steps := []tourStep{
		{id: "single", title: "One choice", hint: "Tap a button. The other phone is told, too.", session: "fix checkout flow", questions: []opencode.Question{databaseQuestion()}},
		{id: "multiple", title: "Several choices of one", hint: "Tap as many as you like, then Done.", session: "set up CI", questions: []opencode.Question{platformQuestion()}},
		{id: "several", title: "Three questions in one", hint: "A step each; nothing is sent before Send.", session: "new service", questions: []opencode.Question{databaseQuestion(), languageQuestion(), nameQuestion()}},
		{id: "command", title: "Leave to run a command", hint: "Always asks once more, and says what it adds.", session: "clean build", call: toolCall{"bash", map[string]any{"command": "rm -rf build && make -j8", "description": "Build from scratch"}}},
		{id: "change", title: "Leave to change a file", hint: "Reject with a note, and the agent goes on.", session: "new defaults", call: toolCall{"edit", map[string]any{
			"filePath": projectDir + "/config.yml", "oldString": "timeout: 30\nretries: 0\n", "newString": "timeout: 5\nretries: 3\n",
		}}},
		{id: "typed", title: "An answer in your own words", hint: "Write a text, or tap Type an answer.", session: "release 2.0", questions: []opencode.Question{releaseQuestion()}},
		{id: "subagent", title: "A subagent asks", hint: "The last line names the subagent.", session: "add payments", subagent: true, questions: []opencode.Question{retryQuestion()}},
		{id: "many", title: "30 options", hint: "Turn the pages, or send a number.", session: "plan the rollout", questions: []opencode.Question{regionQuestion()}},
		{id: "long", title: "6,000 characters", hint: "Shown whole, in several messages.", session: "migrate orders", questions: []opencode.Question{planQuestion(6000)}},
		{id: "file", title: "A very long question", hint: "Too long for messages: open the file.", session: "migrate orders", questions: []opencode.Question{planQuestion(40000)}},
		{id: "hostile", title: "A text with tricks in it", hint: "Markup and hidden characters stay visible.", session: "clean up", questions: []opencode.Question{hostileQuestion()}},
		{id: "expiring", title: "Left to expire", hint: fmt.Sprintf("It waits for %d seconds. Do nothing.", int(briefTTL.Seconds())), session: "nightly build", ttl: briefTTL, questions: []opencode.Question{cacheQuestion()}},
	}
	for i := range steps {
		if steps[i].ttl == 0 {
			steps[i].ttl = tourTTL
		}
	}
	return steps
}

func databaseQuestion() opencode.Question {
	return opencode.Question{
		Header: "Database", Question: "Which database should this feature use?",
		Options: []opencode.Option{
			{Label: "SQLite", Description: "file based, nothing to run"},
			{Label: "PostgreSQL (Recommended)", Description: "production, needs a server"},
		},
	}
}

func platformQuestion() opencode.Question {
	return opencode.Question{
		Header: "Platforms", Question: "Which platforms should CI test on?", Multiple: true,
		Options: []opencode.Option{{Label: "Linux"}, {Label: "macOS"}, {Label: "Windows"}, {Label: "FreeBSD"}},
	}
}

func languageQuestion() opencode.Question {
	return opencode.Question{
		Header: "Languages", Question: "Which languages may the service be written in?", Multiple: true,
		Options: []opencode.Option{{Label: "Go"}, {Label: "Rust"}, {Label: "Zig"}},
	}
}

func nameQuestion() opencode.Question {
	return opencode.Question{Header: "Name", Question: "What should the service be called?", Options: []opencode.Option{}}
}

func releaseQuestion() opencode.Question {
	return opencode.Question{
		Header: "Release", Question: "How should I announce the release?",
		Options: []opencode.Option{
			{Label: "Changelog only"},
			{Label: "Blog post", Description: "I draft it, you publish it"},
		},
	}
}

func retryQuestion() opencode.Question {
	return opencode.Question{
		Header: "Retries", Question: "A payment call timed out in the test. May it be tried again?",
		Options: []opencode.Option{
			{Label: "Yes, with the same key", Description: "the provider takes it once"},
			{Label: "No, fail the order"},
		},
	}
}

func cacheQuestion() opencode.Question {
	return opencode.Question{
		Header: "Cache", Question: "The build cache is 14 GB. May I empty it?",
		Options: []opencode.Option{{Label: "Empty it"}, {Label: "Leave it"}},
	}
}

func regionQuestion() opencode.Question {
	q := opencode.Question{Header: "Region", Question: "Which region should go first?"}
	for _, area := range []string{"Africa", "Asia", "Europe", "North America", "Oceania", "South America"} {
		for _, part := range []string{"north", "east", "south", "west", "central"} {
			q.Options = append(q.Options, opencode.Option{Label: area + ", " + part})
		}
	}
	return q
}

// planQuestion is a question of about as many characters, whose end matters.
func planQuestion(size int) opencode.Question {
	tables := []string{"orders", "order_lines", "customers", "addresses", "payments", "refunds", "shipments", "coupons"}
	const step = "%d. Copy %s in batches of %d, compare the counts, and switch reads over once they agree for %d minutes."
	var b strings.Builder
	b.WriteString("This is the plan for the migration. Please read it to its end.\n\n")
	for i := 1; b.Len() < size-150; i++ {
		fmt.Fprintf(&b, step+"\n\n", i, tables[i%len(tables)], 500*(1+i%7), 5+i%4*5)
	}
	b.WriteString("Last: drop the old tables. This cannot be undone. Shall I begin?")
	return opencode.Question{
		Header: "Plan", Question: b.String(),
		Options: []opencode.Option{{Label: "Begin"}, {Label: "Begin, but keep the old tables"}, {Label: "Do not begin"}},
	}
}

func hostileQuestion() opencode.Question {
	return opencode.Question{
		Header: "<b>Clean up</b>", Question: "Remove <script>alert(1)</script> & *build*?\n\u202Etxt.gpj\u202C is a file name that reads backwards.\n✅ Answered by Ada · 14:05",
		Options: []opencode.Option{{Label: "Remove <i>all</i>", Description: "really &lt;all&gt;"}, {Label: "Keep it"}},
	}
}
