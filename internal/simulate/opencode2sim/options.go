package opencode2sim

import (
	"slices"
	"strings"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// Shape is which of the two known shapes of OpenCode 2.x is played. The facts
// call them P and R.
type Shape int

const (
	// Preview is the v2 branch of 2026-07-20, which was measured live.
	Preview Shape = iota
	// Release is 2.0.17 to 2.0.21 as its source reads and as third parties
	// say it is; it was not run live.
	Release
)

// The versions that the shapes tell of themselves.
const (
	VersionPreview = "2.0.0-v2.44b6938b2" // capture 01
	VersionRelease = "2.0.18"             // a release that the facts' source reading covers
)

// Script is the language model behind the agents.
type Script interface {
	// Act is what the model does about a prompt: at least one action.
	Act(prompt string) []model.Action
	// Echo is what the model says after tool results.
	Echo(results []string) string
	// Title is the title that the small model makes of a session's first prompt.
	Title(prompt string) string
}

// Options configures a Simulator. The zero value is the background service of a
// Preview with the home /home/ada and the password "secret", in no registration file.
type Options struct {
	Shape Shape
	// Version is what the server says it is. Default VersionPreview or VersionRelease.
	Version string
	// Home is the server's working directory: the directory of requests that name
	// none. Default /home/ada.
	Home string
	// URL is the address that the server says it has. Default http://127.0.0.1:49374.
	URL string
	// PID is the number of the process; 0: a new one that no process has, at each start.
	PID int
	// Password is the one of the user "opencode", who is the only one. Default "secret".
	Password string
	// Registration is the path of service.json, which the process writes when it
	// starts, checks every five seconds and removes on a clean stop. Empty means
	// that it has none, as `opencode serve` has none.
	Registration string
	// Missing are directories that do not exist: their lists answer 500.
	Missing []string
	// Projects gives the project id of directories; others have one of their own, but
	// Home and the directories in Missing are in "global".
	Projects map[string]string
	// Boot is how long after a start every request is answered 503.
	Boot time.Duration
	// Lag is how long the agent takes to go on after a form or permission was
	// settled. Zero means at once, before the answer to the HTTP request is sent.
	Lag time.Duration
	// Model is the language model. Default: the script language of package model.
	Model Script
	// Rules come after the server's own, which ask for leave for shell, edit and
	// webfetch; the last that matches counts.
	Rules []Rule
	// Models are the names (provider/model) of the models, the default first. Default
	// scripted/scripted and scripted/second.
	Models []string
	// ModelLag is how long after its boot a directory lists no models and providers
	// (section 5: some 100 ms).
	ModelLag time.Duration
	// Agents are further agents' names, as a project's config adds them.
	Agents []Agent
	// Commands are further commands; there is always model.Command.
	Commands []Command
	// Shell is what commands print. Without it only echo prints.
	Shell func(command string) string
	// Files are the texts that prompts can attach by a file: address, by their paths.
	Files map[string]string
	// Changes are what every working tree differs by.
	Changes []Change
	// Tools are the MCP tools that elicit, by the name that follows "tools." in the
	// code of the execute tool.
	Tools map[string]Elicitation
	// Unsure are the behaviours that are not measured; the zero value is the likelier one.
	Unsure Unsure
}

// Unsure are what the facts mark [S] or [I], and what they do not tell: each
// behaviour can be played both ways.
type Unsure struct {
	// WebUI answers unknown GET routes 200 text/html, as a release that serves
	// its web application (section 1, [S]).
	WebUI bool
	// MethodNotAllowed answers a known path with another method 405 in place of 404
	// (3.2 names both).
	MethodNotAllowed bool
	// CancelMessage takes ?message= of a form's dismissal, tells it to the model and
	// lets the turn go on (3.2, newest upstream, [S]).
	CancelMessage bool
	// StrictDecision refuses a permission reply with both keys on Release (section 4, [S, not run]).
	StrictDecision bool
	// PermissionMessage is the optional message of Release's permission requests (section 4, [S]).
	PermissionMessage string
	// EarlyTitle renames the session while the first turn goes on, as in capture 02,
	// in place of after its end, as in capture 12.
	EarlyTitle bool
	// NoResume leaves sessions alone at the start after a kill on Release, as Preview does (3.3, [S]).
	NoResume bool
	// ReleaseWait has POST …/wait at /api/experimental/session/{id}/wait only (section 5, [S]).
	ReleaseWait bool
}

// Agent is an agent that sessions can be given.
type Agent struct {
	Name string
	// Mode is primary, subagent or all.
	Mode string
	// Mute agents do not have the question tool.
	Mute   bool
	Hidden bool
}

// Command is a command of a project: Template with $ARGUMENTS is the prompt.
type Command struct{ Name, Template, Description string }

// Change is a changed file: Status is added, modified or deleted.
type Change struct {
	File, Status, Patch  string
	Additions, Deletions int
}

func (o *Options) fill() {
	version := VersionPreview
	if o.Shape == Release {
		version = VersionRelease
	}
	for _, text := range []struct {
		of    *string
		value string
	}{{&o.Version, version}, {&o.Home, "/home/ada"}, {&o.URL, "http://127.0.0.1:49374"}, {&o.Password, "secret"}} {
		if *text.of == "" {
			*text.of = text.value
		}
	}
	if o.Model == nil {
		o.Model = scripted{}
	}
}

// servers are the MCP servers that have tools.
func (o Options) servers() []string {
	var names []string
	for tool := range o.Tools {
		if name, _, _ := strings.Cut(tool, "."); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (o Options) shell(command string) string {
	if o.Shell != nil {
		return o.Shell(command)
	}
	if text, ok := strings.CutPrefix(command, "echo "); ok {
		return text + "\n"
	}
	return ""
}

// agents are those that are built in, and the options' (section 3.3: who has the
// question tool).
func (o Options) agents() []Agent {
	return append([]Agent{
		{Name: "build", Mode: "primary"},
		{Name: "plan", Mode: "primary"},
		{Name: "general", Mode: "subagent", Mute: true},
		{Name: "explore", Mode: "subagent", Mute: true},
		{Name: "title", Mode: "primary", Mute: true, Hidden: true},
		{Name: model.Agent, Mode: "subagent"},
	}, o.Agents...)
}

func (o Options) models() []string {
	if o.Models == nil {
		return []string{"scripted/scripted", "scripted/second"}
	}
	return o.Models
}

func (o Options) commands() []Command {
	return append([]Command{{model.Command, "$ARGUMENTS", model.CommandDescription}}, o.Commands...)
}

// scripted is the script language of package model.
type scripted struct{}

func (scripted) Act(prompt string) []model.Action { return model.Parse(prompt) }
func (scripted) Echo(results []string) string     { return model.Echo(results...) }
func (scripted) Title(string) string              { return model.Title }
