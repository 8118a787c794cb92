// Package policy says who may answer an ask, which chats get it, and what is decided
// without people.
//
// A [Ruleset] holds the people and the rules. It is read from a file ([Parse]) or made
// of two lists ([Everyone]), and never changes: whoever wants another one exchanges
// it. Which rule fits an ask is asked anew each time, and never stored as a decision:
// a right that was taken away is gone at once.
//
// # Which rule fits
//
// The first rule of the file that fits, in the file's order. A rule fits if all of its
// conditions do; a condition with several values fits if one of them does; a rule
// without conditions fits everything.
//
// Texts are compared as globs: * stands for any text, also for none and across
// slashes and lines; every other character matches itself alone. The whole text must fit,
// upper and lower case are the same, and white space of any kind and length is one
// space. So "rm *" is a command that begins with rm, and "*rm *" one that has it
// anywhere.
//
//   - ask: "question" or "permission".
//   - permission: the kind of permission that is asked for (bash, edit, …).
//   - pattern: any one of the patterns that OpenCode names for the ask, or the whole
//     command. One that fits is enough, so that no harmless command beside it hides
//     the other. An ask that tells neither fits every pattern: it may be anything.
//   - directory: the project's directory, or one above it.
//   - agent: the agent that asks.
//   - session: the root session's id, or a part of its title; no glob.
//   - subagent: whether a subagent asks.
//   - hours: the time of day at which it was asked.
//   - header, text, and the same with _regex: a part of a question's header or text.
//   - option: the label of one of a question's options.
//
// A rule allows if it decides allow-once, accept-first or auto; every other one
// restricts. A path or an address that cannot be understood fits every rule that
// restricts and none that allows. As long as it is not certain that a rule fits, what
// those behind it restrict is restricted as well.
//
// # What a rule decides
//
// A rule may decide by itself ([Rule.Decision]) instead of leaving it to people. One
// that answers questions must fit every question of the ask; one that allows a
// permission must cover all that is asked for, the whole command included. Nothing is
// decided as long as the rule, or one before it, looks at something that is not known
// of the ask yet ([Rule.Unsure]).
//
// A pattern finds what people do by mistake. It does not stop an agent that means to
// hide a command: for that, write a rule without patterns.
package policy
