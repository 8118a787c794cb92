// Package forum gives each root session a topic of its own, in chats that have topics.
//
// A Forum has the record of each topic, and does at most one thing at a time with it: make it,
// rename, close or open it again. A card that is to go there waits for that, but not for long:
// what cannot be done in time is shown in the chat itself. All that was done is stored; that a
// topic is about to be made is stored before, because nothing tells two tries from one.
package forum
