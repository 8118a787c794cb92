// Package bridge keeps the promise of hermes: every question reaches the phone,
// every answer reaches OpenCode once, and every message ends in the truth.
//
// # Tour
//
// The store says what hermes owes, OpenCode says what is open, and Telegram is
// only a display. So there are three doors, and one loop behind them:
//
//	Event   what OpenCode said     ┐                     ┌ Agent  look, resolve, reply, reject
//	Handle  what a person did      ├→ records → Next() → ┤ Chat   show, look for copies, note, open a reply box, acknowledge
//	Answer  what a program asked   ┘                     └ Store  commit, find
//
// Whatever comes in changes a [question.Thread], in one transaction of the store.
// [question.Thread.Next] then says what the thread still needs, the loop starts
// that, and its result comes back in as one more change. Start-up is no special
// case: the records are loaded and each is asked what it needs.
//
// # Where a crash can fall
//
// A person's answer is in the store before anything acts on it. Everything that
// acts may be done again: showing (two messages, both right), delivering (OpenCode
// takes an answer once, and says what it took), editing. A result that was not
// stored is found again by looking.
//
// # Who may answer
//
// The rules, a policy.Book, are the configuration's and change by [Bridge.SetRules].
// To them come the guests: people and groups that opened a link ([Bridge.Invite]).
// They are records of the store, and what the configuration says of a person or a
// chat goes before them.
//
// # Concurrency
//
// All state belongs to the goroutine of [Bridge.Run]. The doors hand it functions
// and wait. Steps run beside it, at most one at a time for each thread's agent and
// for each of its cards, and hand back functions too.
package bridge
