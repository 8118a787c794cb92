// Package relay is a tunnel for HTTP from a hermes to the background service of OpenCode 2 on another machine: it is hermes
// link run, a process beside the service. It follows the service's file (opencode/service) and listens on no port. It dials out
// to hermes (opencode/link) and to the service, and to nothing else; it writes, moves and starts nothing, and keeps
// nothing: what is known begins anew with each start.
//
// One link is one connection to the service's event stream. The stream is opened first, then the link, and when either
// ends so does the other: hermes lists what waits when a link begins, so between two of them nothing is missed, and
// nothing that was known before counts any more. If the service's end is final (its file is removed, or its process
// ended, for ten seconds), hermes is told that what waited there ended with it.
//
// Each call of hermes is made once at most: calls are numbered, and those that came are counted before they are made. One
// that was made and whose result hermes does not get, as the link broke, has an unknown outcome, as over HTTP: hermes looks.
//
// Who can cause what:
//
//   - hermes, or whoever holds it: the calls of the list in rules.go, which are what opencode/v2 makes; no header of theirs
//     is passed on, and no redirect is followed. What was checked of a body is what is sent; directories are those in
//     which the service has sessions; a file in a prompt is in its address; a command gets no text that OpenCode would run or
//     read; of answers and events only what hermes reads crosses (crossing.go). Sessions are driven only while hermes says
//     that people may.
//   - the service, or whoever runs in its place: what a link may at hermes, within the quotas of its token, for asks and
//     sessions of that token alone.
//   - others on the machine: nothing. There is no port, and the file of the service is believed only where
//     opencode/service says.
//
// The service's password is sent to the service alone, and the link's token to hermes alone, each in a header; neither is
// in a log, an error or an argument.
package relay
