// Package card makes what a chat shows of a thread: the card of a question, of a permission ask
// or of somebody who wants to be let in, and the short texts about it, which are notes, the
// answers to taps, and reply boxes.
//
// It is pure: a view, a language and a time make a card. Text from agents and people is shown
// whole, and cannot change direction, hide, or be taken for the card's own words.
package card
