package opencode2sim

import (
	"strings"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

// Shape is which of the two known shapes of OpenCode 2.x is played. The facts
// call them P and R.
type Shape int

const (
	// Release is 2.0.26 as its source reads (section 10); it was not run live.
	Release Shape = iota
	// Preview is the v2 branch of 2026-07-20, which was measured live.
	Preview
)

// The versions that the shapes tell of themselves.
const (
	VersionPreview = "2.0.0-v2.44b6938b2" // capture 01
	VersionRelease = "2.0.26"             // section 10
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

// Options configures a Simulator. The zero value is an `opencode serve` of a
// Release with the home /home/ada and the password "secret", in no registration file.
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
	// Changes are what every working tree differs by.
	Changes []Change
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
	// ShutdownFirst has location.shutdown before the events of what a reload cancels (section 10 names no order).
	ShutdownFirst bool
	// StopTells has a clean stop of Release tell what it cancels before the streams are cut, as a reload does (section 4, [S]).
	StopTells bool
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
	version := VersionRelease
	if o.Shape == Preview {
		version = VersionPreview
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

// names are the words that differ between the shapes (sections 2 to 5).
type names struct {
	admitted, promoted string // events of an input
	input, payload     string // keys of these events
	asked, replied     string // events of a permission
	reply              string // key of a permission reply
	call               string // key of a tool call's id in events, forms and permissions
	structured         string // key of a tool's typed result
	dismissed          string // error text of a question call that was dismissed
	declined           string // error text of a call whose permission was rejected
}

func namesOf(s Shape) names {
	if s == Release {
		return names{
			admitted: "session.inbox.enqueued", promoted: "session.inbox.delivered", input: "inboxID", payload: "payload",
			asked: "permission.asked", replied: "permission.replied", reply: "decision",
			call: "id", structured: "metadata", dismissed: "The user dismissed this question",
			declined: "The user declined this tool call", // step.ts
		}
	}
	return names{
		admitted: "session.input.admitted", promoted: "session.input.promoted", input: "inputID", payload: "data",
		asked: "permission.v2.asked", replied: "permission.v2.replied", reply: "reply",
		call: "callID", structured: "structured", dismissed: interrupted, declined: interrupted,
	}
}

// captures 04, 05, 08
const (
	interrupted     = "Tool execution interrupted"
	stepInterrupted = "Step interrupted"
	locationClosed  = "Interaction cancelled because the location shut down" // of Release, step.ts
)
