// Package opencodesim is a stand-in for OpenCode's HTTP server with a scripted
// agent behind it.
//
// A [Simulator] answers the routes of OpenCode 1.x that a question bridge
// needs, as an [http.Handler] or, without a socket, through
// [Simulator.Transport]. It comes in two versions whose differences matter to
// a bridge: [VersionOld] (1.1.53: every reply is answered `200 true`,
// directories are compared byte for byte, events have no id) and [VersionNew]
// (1.18.33: 404 for what is not pending, normalised directories, sync
// duplicates on the event stream). The contract test in the folder
// contract runs against both and against the real binaries.
//
// The agent is driven in two ways: from Go ([Simulator.Ask],
// [Simulator.AskBash], [Simulator.AskEdit], [Simulator.Task]), or by a prompt over
// HTTP in the script language of package model (`CALL question {…}`), which is also
// what the real binaries are driven with. Its tools ask for leave as OpenCode's do;
// what they would do to the world is remembered ([Simulator.Ran],
// [Simulator.Exists]) and done to nobody.
//
// As in OpenCode, sessions and messages survive [Simulator.Restart]; pending
// requests, busy marks and event streams do not. All methods are safe for
// concurrent use. Time is taken from package time, so a Simulator made inside a
// testing/synctest bubble follows the bubble's clock.
package opencodesim
