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
// # The parts
//
// Bridge itself is the entry points, the start, the end, and reconcile. Everything else is a part
// with a type of its own. A part is given what it works with when it is made (see [New]);
// those above use those below, and what a part must tell one above it is a function that it
// is given. Each piece of state belongs to one part:
//
//	engine       what most parts embed: the loop, the log, threads, records, and reconcile
//	threads      the threads that have not ended, or for which something is still to be done, by their id and by their request
//	liveThread   one of them: its record, its timer, and which of its steps run
//	records      the way into the store (no state of its own)
//	chatMemory   what is remembered of chats, and which of them to forget
//	agents       which OpenCode can be reached (no state of its own)
//	quotas       how much each machine asks
//
//	access       the rules in force, and who was let in by invitation
//	places       the chats that hermes is set up for
//	replies      how often each person is replied to
//	strangers    whom the journal has named today, and how many got the greeting
//
//	forum        the topics of sessions, and what is under way for each (bridge/internal/forum)
//	deadlines    reminders, escalation, the end of claims, expiry
//	display      cards and notes; which chats take none
//	boxes        reply boxes
//	groups       equal asks on one card
//	decisions    what is decided, by people, programs, rules and the deadline
//	holds        decisions that can still be taken back
//
//	outcomes     how a request ended, and by whose decision; recent decisions, which may settle another ask
//	waits        when asks of sessions waited for people
//	permissions  the same of permission asks, whose calls continue
//	delivery     asking OpenCode what it did, and sending it what was decided
//
//	arrivals     new threads
//	events       what OpenCode says
//	addressing   which thread a message of a person is about
//	answers      what people do with a card
//	admissions   invitations, who is let in by them, and who is removed
//	recipients   to which part an input goes; the albums that were answered
//
// The other parts keep their state in the records of threads.
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
