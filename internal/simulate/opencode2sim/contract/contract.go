// Package contract is the contract test between OpenCode 2.x' HTTP API and whoever
// stands in for it: the same checks run against package opencode2sim and against a
// real binary, and what the two known shapes do differently is written down here once.
package contract

import (
	"net/http"
	"testing"
)

// Target is a running server whose agent follows the script language of package model.
type Target struct {
	// Release tells the names of a release from those of the preview of 2026-07-20.
	Release bool
	// URL is the server's root, Transport the way to it. The user is "opencode".
	URL       string
	Transport http.RoundTripper
	Password  string
	// Dir and OtherDir are two existing repositories without a symbolic link in their
	// paths, and not the server's working directory.
	Dir, OtherDir string
	// Agent is a subagent that may ask questions. The shell and edit tools ask for leave.
	Agent string
	// Restart stops the server cleanly and starts it on the same data.
	Restart func()
	// Kill ends it as kill -9 does and starts it again.
	Kill func()
}

// Run checks a target. The checks share the server: one after the other, each with
// sessions of its own.
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
		{"OldRoutes", oldRoutes},
		{"Stream", stream},
		{"Question", question},
		{"Directories", directories},
		{"Answers", answers},
		{"BadAnswers", badAnswers},
		{"RepliesAtOnce", repliesAtOnce},
		{"Dismissed", dismissed},
		{"TwoForms", twoForms},
		{"Interrupted", interrupted},
		{"Deleted", deleted},
		{"PromptWhileOpen", promptWhileOpen},
		{"OwnForm", ownForm},
		{"Subagent", subagent},
		{"SubagentDismissed", subagentDismissed},
		{"Permission", permission},
		{"PermissionRejected", permissionRejected},
		{"PermissionWords", permissionWords},
		{"PermissionAlways", permissionAlways},
		{"PermissionInterrupted", permissionInterrupted},
		{"Prompts", prompts},
		{"NoReply", noReply},
		{"UnknownAgent", unknownAgent},
		{"Sessions", sessions},
		{"Messages", messages},
		{"Restart", restart},
		{"Kill", kill},
	}
}
