package opencode

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"hermes/internal/question"
)

// Prompted reports whether the prompt is in the session. 1.18.33 writes a message
// before its parts, some seconds before in an instance that has just begun, so one
// without parts does not count: to send it again adds nothing twice.
func (c *Client) Prompted(ctx context.Context, id question.SessionID, prompt question.MessageID) (bool, error) {
	var m wireMessage
	err := c.get(ctx, "prompt", messagePath(id, prompt), c.query(), &m)
	if IsNotFound(err) {
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
func (c *Client) Prompt(ctx context.Context, p question.Prompt) error {
	if p.Command != "" && question.Expands(text(p.Parts)) {
		return unwilling("command", question.ErrSigns)
	}
	if there, err := c.Prompted(ctx, p.Session, p.ID); there || err != nil {
		return err
	}
	last, err := c.ready(ctx, p)
	if err != nil {
		return err
	}
	if p.Agent, err = c.agentFor(ctx, p, last); err != nil {
		return err
	}
	if p.Command != "" {
		return c.command(ctx, p)
	}
	body := wirePrompt{MessageID: string(p.ID), Agent: p.Agent, NoReply: p.NoReply, Model: wireModelOf(p.Model)}
	if body.Parts, err = c.parts(p); err != nil {
		return err
	}
	return c.send(ctx, "prompt", one(p.Session)+"/prompt_async", body, nil)
}

type wirePrompt struct {
	MessageID string           `json:"messageID"`
	Parts     []map[string]any `json:"parts"`
	Agent     string           `json:"agent,omitempty"`
	Model     *wireModel       `json:"model,omitempty"`
	NoReply   bool             `json:"noReply,omitempty"`
}

type wireModel struct {
	Provider string `json:"providerID"`
	ID       string `json:"modelID"`
}

func wireModelOf(m question.Model) *wireModel {
	if m == (question.Model{}) {
		return nil
	}
	return &wireModel{m.Provider, m.ID}
}

// ready checks what 1.1.53 does not: that the session is there, that its model is
// known, and that the prompt would be read. It gives the session's last messages.
func (c *Client) ready(ctx context.Context, p question.Prompt) ([]wireMessage, error) {
	if _, err := c.session(ctx, p.Session); err != nil {
		return nil, absent(err)
	}
	list, err := c.lastMessages(ctx, one(p.Session)+"/message")
	if err != nil {
		return nil, absent(err)
	}
	for _, m := range list {
		if m.Info.ID > string(p.ID) {
			return nil, unwilling("prompt", question.ErrLateID)
		}
	}
	if p.Model == (question.Model{}) {
		return list, nil
	}
	models, err := c.Models(ctx)
	if err == nil && !slices.Contains(models, p.Model) {
		err = unwilling("prompt", question.ErrNoModel)
	}
	return list, err
}

// agentFor is the agent that is asked: the one that was named, else the session's
// last. OpenCode remembers the last model, and not the agent; a prompt for an agent
// that it does not know is lost without a word.
func (c *Client) agentFor(ctx context.Context, p question.Prompt, last []wireMessage) (string, error) {
	wanted := p.Agent
	for _, m := range slices.Backward(last) {
		if wanted == "" {
			wanted = m.agent()
		}
	}
	if wanted == "" {
		return "", nil
	}
	agents, err := c.agents(ctx)
	if err != nil {
		return "", err
	}
	known := slices.ContainsFunc(agents, func(a wireAgent) bool { return a.Name == wanted })
	switch {
	case known:
		return wanted, nil
	case p.Agent != "":
		return "", unwilling("prompt", question.ErrNoAgent)
	}
	return "", nil
}

// commandWait is how long a command's answer is waited for: it comes at the end of the
// turn. To stop waiting does not stop the command (both versions).
const commandWait = 2 * time.Second

// command runs a command of OpenCode's own, unless its template would have OpenCode run
// or read the text.
func (c *Client) command(ctx context.Context, p question.Prompt) error {
	list, err := c.commands(ctx)
	if err != nil {
		return err
	}
	said := text(p.Parts)
	switch n := slices.IndexFunc(list, func(w wireCommand) bool { return w.Name == p.Command }); {
	case n < 0:
		return unwilling("command", question.ErrNoCommand)
	case strings.TrimSpace(said) != "" && !list[n].takesText():
		return unwilling("command", question.ErrNoText)
	}
	body := map[string]string{"messageID": string(p.ID), "command": p.Command, "arguments": said}
	if p.Agent != "" {
		body["agent"] = p.Agent
	}
	if p.Model != (question.Model{}) {
		body["model"] = p.Model.Provider + "/" + p.Model.ID
	}
	short, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	err = c.send(short, "command", one(p.Session)+"/command", body, nil)
	if err == nil || short.Err() == nil {
		return err
	}
	there, lookErr := c.Prompted(ctx, p.Session, p.ID)
	if there || lookErr != nil {
		return lookErr
	}
	return err
}

func unwilling(op string, why error) error {
	return &Error{Op: op, Reason: Refused, Status: http.StatusBadRequest, Err: fmt.Errorf("%w", why)}
}
