// Package opencode speaks with OpenCode servers, 1.1.53 to 1.18 and 2.x, over the ways
// into them: a link, dialled by the plugin that runs inside OpenCode 1.x, or by the process
// beside the service of OpenCode 2 on another machine (opencode/relay); and direct HTTP to a
// server that listens: one that is configured, or the background service of OpenCode 2, found
// by its file (opencode/service). All end in an [http.RoundTripper], so a [Client] does not
// know which way it speaks.
//
// The package reports what OpenCode says as [event.Event] values and carries
// answers to it. It decides nothing: events may be lost, repeated or late, and
// whoever handles them compares them with what it remembers.
//
// A [Gateway] holds the ways in. Each gives instances, one for each directory of an OpenCode
// process: an instance turns what that says into events, in the order in which it was said.
//
// Whether an ask waits, and what the agent got, a look tells; docs/design/proof.md says by what.
//
// The two lines of OpenCode, 1.x and 2, have a package each, opencode/v1 and opencode/v2, with a type that does all that the
// interface line names. What they share is in opencode/wire, how single calls are made and fail in opencode/call, what prompts
// are made of in opencode/prompt, and the numbers of OpenCode's versions in opencode/release.
//
// Protocol facts in comments were measured on the released binaries.
package opencode
