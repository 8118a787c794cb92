// Package question is what hermes is about: what an agent asks, how a person
// answers it step by step, and what hermes owes to both until it is settled.
//
// Everything here is a value. A [Request] is what OpenCode asks. A [Wizard] is
// the conversation about it: a value with one step function, [Wizard.Apply]. A
// [Thread] is all that hermes remembers of one request, and [Thread.Next] says
// what hermes still has to do for it at a given time. A [View] is what a person sees
// of it. Chats and people are of package chat, sessions and where OpenCode runs of
// package session; what OpenCode says is an event.Event, what a person did an
// inbound.Input, what to show of package outbound, and what the store keeps
// in one transaction a storage.Change.
//
// A Request can also be a [Form]: typed fields that no agent asks for, but a program that works for
// OpenCode. The same wizard leads through it, and [Values] is what that program gets.
//
// The package does no I/O, takes no locks, starts no timers and knows no HTML. Types with
// JSON tags are stored, here and in the packages that it uses: package pending says how they may change. Values are safe to copy; slices inside them are never changed
// in place, so a copy may be read while another goroutine works on its own.
package question
