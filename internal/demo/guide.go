package demo

import (
	"slices"

	"hermes/internal/page"
)

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
