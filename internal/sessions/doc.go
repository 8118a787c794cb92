// Package sessions drives sessions from the chat: what people write there becomes
// prompts, and they are told when it is their turn again.
//
// # Tour
//
// A [Desk] stands beside the bridge and never before it: the bridge gives it what
// means no question ([Desk.Take]), and OpenCode's events ([Desk.Event]). Neither
// waits for the desk. Everything that the desk decides, it decides in the goroutine
// of [Desk.Run]; what takes time runs beside it and hands its result back.
//
// A prompt is a [question.Errand]. It is stored with the update that it came in, it
// is given its message id and stored again, and only then it is sent; before it is
// sent again it is looked for. So a crash anywhere sends it once:
//
//	after                          on restart
//	stored                         sent
//	message id stored              looked for, not found, sent
//	sent, and not known            looked for, found
//	found, and not stored          looked for, found
//	carried, and not acknowledged  nothing: the end of the turn tells as much
//
// A prompt may have files. The store has their references alone: they are fetched just
// before the prompt is sent. What is said in a voice message is stored when it is known,
// then shown, then sent.
//
// The end of a turn is told from what OpenCode says when asked, never from an event
// alone: a [question.Watch] is stored for it where somebody waits for their prompt.
// Only the OpenCode that runs a turn knows that it goes on; another of the same directory
// reads what is on disk. So of a turn without an end nothing is told before that one is
// back, or closed; after five minutes it is told that the end is not known.
//
// An answer to a question that waits for none any more is an errand as well, once the
// person has chosen it in an offer: a message that goes on with the question's own
// conversation. The bridge, which keeps the question, stores both together.
//
// What a chat follows is shown in one live message while it works. Its id is in the
// chat's [question.Seat] from when it is known until it has told its end, which is looked
// up in the same way; so the next start finishes what a crash leaves behind.
package sessions
