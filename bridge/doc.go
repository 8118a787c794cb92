// Package bridge keeps the promise of hermes: every question reaches the phone,
// every answer reaches OpenCode once, and every message ends in the truth.
//
// # Tour
//
// The store says what hermes owes, OpenCode says what is open, and Telegram is
// only a display. There are three main entry points, and one loop behind them:
//
//	Event   what OpenCode said     ┐                     ┌ Agent  look, resolve, reply, reject
//	Take    what a person did      ├→ records → Next() → ┤ Chat   show, note, open a reply box, acknowledge
//	Answer  what a program decided ┘                     └ Store  commit, find
//
// Whom a message is for is decided before Take, by package intake; [Bridge.Recognize] says what a Bridge
// knows of it.
//
// Whatever comes in changes a [question.Thread], in one transaction of the store.
// [question.Thread.Next] then says what the thread still needs, [Bridge] starts
// that (reconcile, in bridge.go), and its result comes back in as one more change. Start-up is no
// special case: the records are loaded and each is asked what it needs.
//
// # The files
//
// One type has all state, and each file is about one thing that it does:
//
//	bridge.go       the state, the start, the end, and reconcile
//	threads.go      threads that are not retired, and the way into the store
//	chats.go        what is remembered of chats, and which of them to forget
//	access.go       the rules in force, and who was let in by invitation
//	owners.go       whose the links are that asks come over
//	places.go       the chats that hermes is set up for
//
//	events.go       what OpenCode says, and new threads
//	groups.go       equal asks on one card
//	display.go      cards and notes; which chats take none
//	boxes.go        reply boxes
//	deadlines.go    reminders, escalation, the end of claims, expiry
//
//	recipients.go   what to do with an input, by whom it is for
//	addressing.go   which thread a message of a person is about
//	answers.go      what people do with a card; votes.go: approvals and claims
//	decisions.go    what is decided, by people, programs, rules and the deadline; and holds, which can be taken back
//
//	delivery.go     asking OpenCode what it did, and sending it what was decided; forms.go: what its server refuses
//	outcomes.go     how a request ended, and by whose decision
//	permissions.go  the same of permission asks, whose calls continue
//	waits.go        when asks of sessions waited for people
//
//	admission.go    invitations, who is let in by them; pair.go: how programs make and remove them
//	machines.go     links of people's machines, and how much each may ask
//	strangers.go    people who are not on the list, and how often people are replied to
//	programs.go     what programs ask and answer
//
// The topics of sessions are package bridge/internal/forum.
//
// # Where a crash can fall
//
// A person's answer is in the store before anything acts on it. Everything that
// acts may be done again: showing (a message may appear twice; a tap on either is told the truth, and makes it correct), delivering (OpenCode
// takes an answer once, and says what it took), editing. A result that was not
// stored is found again by looking.
//
// A commit that fails is such a crash: it ends hermes (package loop), and what would have followed it
// does not happen. The service manager starts hermes again.
//
// # Who may answer
//
// The rules, a policy.Ruleset, are the configuration's and change by [Bridge.SetRules].
// To them come the guests: people and groups that opened a link ([Bridge.Invite]).
// They are records of the store, and what the configuration says of a person or a
// chat goes before them.
//
// # Concurrency
//
// All state belongs to one internal/loop, which the sessions and the intake share: they call one another
// directly, and what one decides the others see in the next line. Entry points for those beside the loop hand it
// functions and wait. Steps run beside it, at most one at a time for each thread's agent and
// for each of its cards, and hand back functions too.
package bridge
