// Package contract is the contract test between OpenCode's HTTP API and
// whoever stands in for it: the same checks run against package simulator and
// against the real binaries, and what the versions do differently is written
// down here once. In this it is like testing/fstest.
package contract

import (
	"net/http"
	"testing"

	"hermes/opencode/release"
)

// Target is a running server whose agent follows the script language of
// package model.
type Target struct {
	// Version decides what is expected: release.Oldest or release.Newest.
	Version string
	// URL is the server's root, Transport the way to it.
	URL       string
	Transport http.RoundTripper
	// Password is the server's; the user is "opencode".
	Password string
	// Dir and OtherDir are two existing folders without a symbolic link in
	// their paths. Dir is the server's working directory.
	Dir, OtherDir string
	// Agent is a subagent that may ask questions. The tools bash, edit and write ask
	// for leave, and so does whatever reaches out of the project.
	Agent string
	// Exists reports whether the agent's tools have made a file.
	Exists func(path string) bool
	// Restart ends the process as kill -9 does and starts it on the same data.
	Restart func()
}

// Run checks a target. The checks share the server: one after the other, each
// with sessions of its own.
func Run(t *testing.T, target Target) {
	for _, check := range checks() {
		t.Run(check.name, func(t *testing.T) { check.run(newProber(t, target)) })
	}
}

type check struct {
	name string
	run  func(*prober)
}

func checks() []check {
	return []check{
		{"Health", health},
		{"Password", password},
		{"UnknownRoute", unknownRoute},
		{"Streams", streams},
		{"QuestionList", questionList},
		{"DirectoryText", directoryText},
		{"ReplyRefused", replyRefused},
		{"Reply", reply},
		{"RepliesAtOnce", repliesAtOnce},
		{"AnyAnswer", anyAnswer},
		{"InvalidArguments", invalidArguments},
		{"Reject", reject},
		{"AbortLeaks", abortLeaks},
		{"AbortThenReject", abortThenReject},
		{"AbortElsewhere", abortElsewhere},
		{"AbortWithQueue", abortWithQueue},
		{"RejectWithQueue", rejectWithQueue},
		{"DeleteLeaks", deleteLeaks},
		{"Subagent", subagent},
		{"SubagentRejected", subagentRejected},
		{"SubagentAborted", subagentAborted},
		{"TwoAtOnce", twoAtOnce},
		{"PromptWhilePending", promptWhilePending},
		{"PromptAgain", promptAgain},
		{"PartOrder", partOrder},
		{"PromptEarly", promptEarly},
		{"NoReply", noReply},
		{"PromptWoken", promptWoken},
		{"AgentAndModel", agentAndModel},
		{"UnknownAgent", unknownAgent},
		{"UnknownModel", unknownModel},
		{"Todos", todos},
		{"Diffs", diffs},
		{"Choices", choices},
		{"Command", command},
		{"FileParts", fileParts},
		{"BrokenByFile", brokenByFile},
		{"BrokenImage", brokenImage},
		{"SessionOrder", sessionOrder},
		{"Permission", permission},
		{"PermissionRefused", permissionRefused},
		{"PermissionCompound", permissionCompound},
		{"PermissionEdit", permissionEdit},
		{"PermissionOutside", permissionOutside},
		{"PermissionAlways", permissionAlways},
		{"PermissionRejected", permissionRejected},
		{"PermissionNote", permissionNote},
		{"PermissionRejectedTogether", permissionRejectedTogether},
		{"PermissionInSubagent", permissionInSubagent},
		{"PermissionAborted", permissionAborted},
		{"PermissionLate", permissionLate},
		{"PermissionLeakRejected", permissionLeakRejected},
		{"PermissionDeleted", permissionDeleted},
		{"Sessions", sessions},
		{"UnknownSession", unknownSession},
		{"Dispose", dispose},
		{"Restart", restart},
	}
}

// modern tells the behaviour since 1.15.8 from that before.
func (t Target) modern() bool { return release.Since(t.Version, 1, 15, 8) }

// pick is what is expected: before on 1.1.53, since on newer versions.
func pick[T any](p *prober, before, since T) T {
	if p.modern() {
		return since
	}
	return before
}
