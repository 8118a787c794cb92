// Package intake gives each thing that people do in a chat to exactly one recipient.
//
// # Tour
//
// An [Intake] stands above the two that take messages, the asks (package bridge) and the
// sessions that people steer (package sessions). It knows each by a small interface, and they
// know neither it nor one another. What comes in passes these steps, each a file:
//
//	who is it, how do the asks stand to it, what     intake.go: Asks.Recognize,
//	is it about                                      Receiver.Recognize
//	whose is it                                      decide.go: decide
//	is it whole (long texts, albums)                 cut.go
//	may it be for a message that is on its way       flights.go
//	is it an answer or a command                     doubts.go
//	is it a voice message to an ask                  Listener
//	its recipient has it                             intake.go: pass
//
// decide is the one place that decides who owns a message. It is a pure function of what was
// found out, which both owners say before either acts.
//
// A text that Telegram's clients cut, and an album, belong to whom their first message is for,
// whatever happens while the rest is on its way. Sessions give it its place in the order of its
// chat then, too.
//
// # Concurrency
//
// All state belongs to one internal/loop, which the asks and the sessions share. It takes inputs in
// their order, and what an input meant is stored before the next is looked at. What is said to an
// Intake from beside the loop ([Intake.SendingCard], [Intake.SendingMessage]) is posted there.
//
// # What a crash leaves
//
// An input is in the inbox until its recipient has stored what it meant. What waits here is
// therefore stored nowhere else: the next start is given it again, first messages first, and
// comes to the same decisions.
package intake
