// Package opencode speaks with OpenCode servers, 1.1.53 to 1.18, over both ways
// into them: a link, dialled by the plugin that runs inside OpenCode, and direct
// HTTP to a server that listens. Both end in an [http.RoundTripper], so a
// [Client] does not know which way it speaks.
//
// The package reports what OpenCode says as [question.Event] values and carries
// answers to it. It decides nothing: events may be lost, repeated or late, and
// whoever handles them compares them with what it remembers.
//
// Protocol facts in comments were measured on the released binaries.
package opencode
