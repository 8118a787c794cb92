// Package outbound has what the bridge wants a chat to show: cards, notes, reply boxes, topics,
// the answers to taps, and the search for copies of what was shown; and what became of it.
// What package sessions wants shown is a remote.Message.
package outbound
