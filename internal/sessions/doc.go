// Package sessions drives OpenCode's sessions from the chat: what people write there becomes
// prompts, and they are told when it is their turn again.
//
// # Tour
//
// A [Controller] stands beside the bridge, shares its loop, and knows nothing of it but [Asks]. Package intake gives
// it the inputs that are for sessions ([Controller.Begin]), and the daemon what OpenCode says
// ([Controller.Event]). Everything is decided in the loop, and what takes time runs beside it and hands its
// result back. An input passes these files:
//
//	sight.go         what it is about
//	sequencer.go     whose turn it is: each input has its place from its first message on, and
//	                 is handed on when it is whole; choices.go: what is chosen for a chat meanwhile
//	dispatcher.go    what to do with it
//	promptqueue.go   prompts that are owed to sessions; delivery.go brings them there
//	drafts.go        texts that have no session; voiceanswers.go: answers that were spoken
//	list.go          lists, status, what a session did; namechooser.go: agents and models
//	sessionmaker.go  new sessions; stopper.go: ends of turns; machines.go: people's links
//	responder.go     how inputs are answered, and their updates consumed
//	outbox.go        messages to people, each sent until the chat takes it; the way into the store
//
// Types of their own have state of their own: promptQueue, turnWatcher (sessions whose end of turn must be
// reported), liveView (one message in each chat that follows a session), chatBook (what each chat has settled
// on) and routes (which OpenCodes can be reached, and which of them has a session).
//
// A queued prompt, a watched turn and a live message are records with a Next: a pure function
// of the record and the time that says what is owed by now, and when to ask again. Events
// only change records. The start loads the records and asks each what it needs.
//
// # What a crash leaves
//
// A commit that fails is a crash: it ends hermes, and what would have followed it does not happen.
//
// A prompt is stored with the updates that it came in, then it is given its message id and
// stored again, and only then it is sent; before it is sent again it is looked for. So a
// crash anywhere sends it once:
//
//	after                            on restart
//	stored                           sent
//	message id stored                looked for, not found, sent
//	sent, and not known              looked for, found
//	found, and not stored            looked for, found
//	delivered, not acknowledged      its 👍 is set; the end of the turn says the rest
//	not taken, and not told          told, once more at worst
//
// A prompt may have files. The store has their references alone: they are fetched just
// before the prompt is sent. What is said in a voice message is stored when it is known,
// then shown, then sent.
//
// The end of a turn is reported from what OpenCode says when asked, never from an event
// alone: a watch is stored for it where somebody waits for their prompt.
// Only the OpenCode that runs a turn knows that it continues; another of the same directory
// reads what is on disk. So nothing is reported of a turn without an end before that one is
// back, or closed; after five minutes people are told that the end is not known.
//
// An answer to a question that has ended is a draft, as a text for no session is: the message that tells how the question
// ended keeps it, until a tap there makes a prompt of it.
//
// The id of a live message is in the chat's settings from when it is known until the message
// shows its end, which is looked up in the same way; so the next start finishes what a
// crash leaves behind.
package sessions
