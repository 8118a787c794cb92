// Package ui renders what chats show: the card of a question, of a permission request or of somebody who wants to be
// let in; the short texts about it, which are notes, the answers to taps, and reply boxes; and the messages about
// sessions: what a session did and does, lists, and what became of a prompt.
//
// It is pure: typed arguments, a language and a time make a message. Text from agents and people is shown whole, and
// cannot change direction, hide, or be taken for hermes' own words.
package ui
