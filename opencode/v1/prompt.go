package v1

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/prompt"
)

// NextID makes the id of the session's next prompt. It must be made just before the
// prompt is sent: one that sorts before the session's last message makes 1.1.53 keep
// the prompt and never read it, and one that is later than OpenCode's clock makes it
// answer again and again until its clock has passed it. (Newer versions mind neither.)
func (d *Driver) NextID(ctx context.Context, id session.ID) (session.MessageID, error) {
	s, err := d.Session(ctx, id)
	if err != nil {
		return "", err
	}
	last, err := d.latestMessage(ctx, id)
	if err != nil {
		return "", err
	}
	return prompt.NextID(id, last, s.Busy, time.Now().Add(d.ahead)), nil
}

// latestMessage is the latest message of the session, empty if there is none.
func (d *Driver) latestMessage(ctx context.Context, id session.ID) (session.MessageID, error) {
	list, err := d.LastMessages(ctx, id)
	var last session.MessageID
	for _, m := range list {
		last = max(last, session.MessageID(m.Info.ID))
	}
	return last, noSession(err)
}

// Prompted reports whether the prompt is in the session. 1.18.33 writes a message
// before its parts, some seconds before in an instance that has just begun, so one
// without parts does not count: to send it again adds nothing twice.
func (d *Driver) Prompted(ctx context.Context, id session.ID, prompt session.MessageID) (bool, error) {
	var m Message
	err := d.Endpoint.Get(ctx, "prompt", messagePath(id, prompt), d.Endpoint.Query(), &m)
	if call.IsNotFound(err) {
		return false, nil
	}
	return err == nil && len(m.Parts) > 0, err
}

// Prompt gives the session what a person said, one attempt; nothing is sent if it is
// there already. What OpenCode would take and then not run is refused with one of
// question's errors: an unknown session, agent, model or command, a file that no model
// reads, an id that comes too late; and so is a command's text that OpenCode would run or
// read. Success is no proof: Prompted is.
//
// While the agent works, the prompt is queued: it is read after the step under way.
func (d *Driver) Prompt(ctx context.Context, p session.Prompt) error {
	if p.Command != "" && session.Expands(prompt.JoinTexts(p.Parts)) {
		return refusal("command", session.ErrSigns)
	}
	if there, err := d.Prompted(ctx, p.Session, p.ID); there || err != nil {
		return err
	}
	last, err := d.checkPrompt(ctx, p)
	if err != nil {
		return err
	}
	if p.Agent, err = d.agentFor(ctx, p, last); err != nil {
		return err
	}
	if p.Command != "" {
		return d.runCommand(ctx, p)
	}
	body := promptBody{MessageID: string(p.ID), Agent: p.Agent, NoReply: p.NoReply, Model: refOf(p.Model)}
	if body.Parts, err = d.encodeParts(p); err != nil {
		return err
	}
	return d.post(ctx, "prompt", sessionPath(p.Session)+"/prompt_async", body, nil)
}

type promptBody struct {
	MessageID string           `json:"messageID"`
	Parts     []map[string]any `json:"parts"`
	Agent     string           `json:"agent,omitempty"`
	Model     *modelRef        `json:"model,omitempty"`
	NoReply   bool             `json:"noReply,omitempty"`
}

type modelRef struct {
	Provider string `json:"providerID"`
	ID       string `json:"modelID"`
}

func refOf(m session.Model) *modelRef {
	if m == (session.Model{}) {
		return nil
	}
	return &modelRef{m.Provider, m.ID}
}

// checkPrompt checks what 1.1.53 does not: that the session is there, that its model is
// known, and that the prompt would be read. It gives the session's last messages.
func (d *Driver) checkPrompt(ctx context.Context, p session.Prompt) ([]Message, error) {
	if _, err := d.Info(ctx, p.Session); err != nil {
		return nil, noSession(err)
	}
	list, err := d.LastMessages(ctx, p.Session)
	if err != nil {
		return nil, noSession(err)
	}
	for _, m := range list {
		if m.Info.ID > string(p.ID) {
			return nil, refusal("prompt", session.ErrLateID)
		}
	}
	if p.Model == (session.Model{}) {
		return list, nil
	}
	models, err := d.Models(ctx)
	if err == nil && !slices.Contains(models, p.Model) {
		err = refusal("prompt", session.ErrNoModel)
	}
	return list, err
}

// agentFor is the agent that is asked: the one that was named, else the session's
// last. OpenCode remembers the last model, and not the agent; a prompt for an agent
// that it does not know is lost without a word.
func (d *Driver) agentFor(ctx context.Context, p session.Prompt, last []Message) (string, error) {
	wanted := p.Agent
	for _, m := range slices.Backward(last) {
		if wanted == "" {
			wanted = m.agent()
		}
	}
	if wanted == "" {
		return "", nil
	}
	agents, err := d.listAgents(ctx)
	if err != nil {
		return "", err
	}
	known := slices.ContainsFunc(agents, func(a agentInfo) bool { return a.Name == wanted })
	switch {
	case known:
		return wanted, nil
	case p.Agent != "":
		return "", refusal("prompt", session.ErrNoAgent)
	}
	return "", nil
}

// commandWait is how long a command's answer is waited for: it comes at the end of the
// turn. To stop waiting does not stop the command (both versions).
const commandWait = 2 * time.Second

// runCommand runs a command of OpenCode's own, unless its template would have OpenCode run
// or read the text.
func (d *Driver) runCommand(ctx context.Context, p session.Prompt) error {
	list, err := d.listCommands(ctx)
	if err != nil {
		return err
	}
	said := prompt.JoinTexts(p.Parts)
	switch n := slices.IndexFunc(list, func(w commandInfo) bool { return w.Name == p.Command }); {
	case n < 0:
		return refusal("command", session.ErrNoCommand)
	case strings.TrimSpace(said) != "" && !list[n].takesText():
		return refusal("command", session.ErrNoText)
	}
	body := map[string]string{"messageID": string(p.ID), "command": p.Command, "arguments": said}
	if p.Agent != "" {
		body["agent"] = p.Agent
	}
	if p.Model != (session.Model{}) {
		body["model"] = p.Model.Provider + "/" + p.Model.ID
	}
	short, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	err = d.post(short, "command", sessionPath(p.Session)+"/command", body, nil)
	if err == nil || short.Err() == nil {
		return err
	}
	there, lookErr := d.Prompted(ctx, p.Session, p.ID)
	if there || lookErr != nil {
		return lookErr
	}
	return err
}

func refusal(op string, why error) error {
	return &call.Error{Op: op, Reason: call.Refused, Status: http.StatusBadRequest, Err: fmt.Errorf("%w", why)}
}
