// Package opencode2sim is a stand-in for OpenCode 2.x with a scripted agent behind it.
//
// A [Simulator] is one process: the background service of a user, which owns the
// sessions of all directories, or an `opencode serve` beside it ([Simulator.Beside]).
// It answers the routes that a bridge for questions, permissions and prompts needs, as
// an [http.Handler] or, without a socket, through [Simulator.Transport]. It comes in
// two shapes: [Release], of which the source was read, and [Preview], which was measured
// live. What is not measured is played both ways ([Unsure]).
//
// "section" and "capture" in comments name the facts about OpenCode 2.x that a
// behaviour is taken from; the captures are in testdata, and a test plays them against
// the simulator. [L], [S] and [I] mark what was measured live, read in source, and told
// by others.
//
// What is not there are the routes that hermes does not send to. They answer as unknown routes do.
//
// The agent is driven in two ways: from Go ([Simulator.Ask], [Simulator.AskBash],
// [Simulator.AskEdit], [Simulator.Task]), or by a prompt over HTTP in the script
// language of package model. Its tools ask for leave as OpenCode's do; what they would
// do to the world is remembered ([Simulator.Ran]) and done to nobody.
//
// Sessions and messages survive [Simulator.Restart] and [Simulator.Kill]; forms,
// permissions, turns and event streams do not. All methods are safe for concurrent
// use. Time is taken from package time, so a Simulator made inside a testing/synctest
// bubble follows the bubble's clock; it has to be stopped before the bubble ends.
package opencode2sim
