// Package wire is what OpenCode's protocols have in common: the JSON that they share,
// and the one form into which each of them brings the messages and tool calls that an
// ask belongs to.
//
// Types hold what hermes reads of OpenCode's JSON; everything else is ignored, and
// what is missing stays empty, as fields come and go between versions.
package wire
