// Package outbound has what the bridge wants a chat to show: cards, notes, reply boxes, topics
// and the answers to taps; and what became of it.
// What package sessions wants shown is a remote.Message.
package outbound
