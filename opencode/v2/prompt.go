package v2

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hermes/internal/session"
	"hermes/opencode/call"
	"hermes/opencode/prompt"
)

// NextID makes the id of the session's next prompt.
func (d *Driver) NextID(ctx context.Context, id session.ID) (session.MessageID, error) {
	s, err := d.Session(ctx, id)
	if err != nil {
		return "", err
	}
	few, err := d.readMessages(ctx, id, 3)
	var last session.MessageID
	for _, m := range few {
		last = max(last, m.ID)
	}
	return prompt.NextID(id, last, s.Busy, time.Now()), noSession(err)
}

// Prompted reports whether OpenCode has the prompt: in the session, or waiting for the step
// under way, for a question's answer or, of one without a reply, for the next prompt.
func (d *Driver) Prompted(ctx context.Context, id session.ID, p session.MessageID) (bool, error) {
	if d.taken.has(p) {
		return true, nil
	}
	err := d.Endpoint.Do(ctx, call.Get("prompt", messagePath(id, p), nil))
	if !call.IsNotFound(err) {
		return err == nil, err
	}
	return d.waits(ctx, id, p)
}

// waits reports whether a prompt waits to be read.
func (d *Driver) waits(ctx context.Context, id session.ID, p session.MessageID) (bool, error) {
	_, found, err := d.findWaiting(ctx, id, p)
	if call.IsNotFound(err) {
		return false, nil // as of a session that is not there
	}
	return found, err
}

// waitingPrompt is a prompt that OpenCode has taken and no agent has read.
type waitingPrompt struct {
	ID      session.MessageID `json:"id"`
	InboxID session.MessageID `json:"inboxID"`
	Data    waitingText       `json:"data"`    // the preview
	Payload waitingText       `json:"payload"` // the release
}

// waitingText is what hermes reads of its content.
type waitingText struct {
	Text   string `json:"text"`
	Files  []any  `json:"files"`
	Agents []any  `json:"agents"`
}

func (d *Driver) findWaiting(ctx context.Context, id session.ID, p session.MessageID) (waitingPrompt, bool, error) {
	var waiting struct {
		Data []waitingPrompt `json:"data"`
	}
	inbox := call.Get("waiting prompts", sessionPath(id)+"/inbox", nil).
		Or(call.Get("", sessionPath(id)+"/pending", nil))
	err := d.Endpoint.Decode(ctx, inbox, decodeInto(&waiting))
	for _, w := range waiting.Data {
		if w.ID == p || w.InboxID == p {
			return w, true, err
		}
	}
	return waitingPrompt{}, false, err
}

// errEmpty: OpenCode would run a turn for it.
var errEmpty = errors.New("the prompt is empty")

// Prompt gives the session what a person said, one attempt. Success is proof: OpenCode keeps
// what it has taken. The same prompt sent again is taken once, and begins an empty turn at
// worst; session.ErrLateID says that another one has its id. What OpenCode would take and then
// not run is refused with one of session's errors: an unknown session, agent, model or command,
// and a file that no model reads; and so is a command's text that OpenCode would run or read.
//
// The agent and the model are chosen for the session before the prompt is sent. While the agent
// works, the prompt is read after the step under way. An open question stays open.
func (d *Driver) Prompt(ctx context.Context, p session.Prompt) error {
	body, err := bodyOf(p)
	if err != nil {
		return err
	}
	if there, err := d.Prompted(ctx, p.Session, p.ID); there || err != nil {
		return err
	}
	if err := d.choose(ctx, p); err != nil {
		return err
	}
	if p.Command != "" {
		return d.runCommand(ctx, p)
	}
	return d.send(ctx, p, call.Post("prompt", sessionPath(p.Session)+"/prompt", nil, body))
}

// send makes the call that brings a prompt.
func (d *Driver) send(ctx context.Context, p session.Prompt, c call.Call) error {
	err := d.Endpoint.Do(ctx, c)
	switch {
	case err == nil:
		d.taken.add(p.ID)
		return nil
	case call.HasTag(err, "CommandNotFoundError"):
		return refusal(c.Op, session.ErrNoCommand)
	case call.HasTag(err, "ConflictError"):
		return refusal(c.Op, session.ErrLateID)
	}
	return noSession(err)
}

// promptBody is a prompt as OpenCode takes it.
type promptBody struct {
	ID     session.MessageID `json:"id"`
	Text   string            `json:"text"`
	Files  []fileBody        `json:"files,omitempty"`
	Agents []agentBody       `json:"agents,omitempty"`
	Resume *bool             `json:"resume,omitempty"` // false: no turn begins
}

type fileBody struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

type agentBody struct {
	Name string `json:"name"`
}

// bodyOf is a prompt without its command. OpenCode keeps files as they are in it.
func bodyOf(p session.Prompt) (promptBody, error) {
	body := promptBody{ID: p.ID, Text: prompt.JoinTexts(p.Parts)}
	if p.NoReply {
		body.Resume = new(bool)
	}
	size := 0
	for _, part := range p.Parts {
		switch {
		case part.Agent != "":
			body.Agents = append(body.Agents, agentBody{part.Agent})
		case part.Data != nil:
			kind, err := prompt.MediaType(part)
			if size += len(part.Data); size > session.MaxFiles {
				err = session.ErrTooLarge
			}
			if err != nil {
				return promptBody{}, refusal("prompt", err)
			}
			body.Files = append(body.Files, fileBody{prompt.DataURL(kind, part.Data), part.Name})
		}
	}
	if strings.TrimSpace(body.Text) == "" && len(body.Files) == 0 && p.Command == "" {
		return promptBody{}, refusal("prompt", errEmpty)
	}
	return body, nil
}

// choose gives the session to the agent and the model that the prompt names. OpenCode takes any
// name, and the next turn fails with one that it does not have.
func (d *Driver) choose(ctx context.Context, p session.Prompt) error {
	s, err := d.info(ctx, p.Session)
	if err != nil {
		return err
	}
	if p.Agent != "" && p.Agent != s.Agent {
		if err := d.chooseAgent(ctx, p); err != nil {
			return err
		}
	}
	if wanted := (modelRef{p.Model.Provider, p.Model.ID}); p.Model != (session.Model{}) && wanted != s.Model {
		return d.chooseModel(ctx, p, wanted)
	}
	return nil
}

func (d *Driver) chooseAgent(ctx context.Context, p session.Prompt) error {
	agents, err := d.Agents(ctx)
	switch {
	case err != nil:
		return err
	case !slices.Contains(agents, p.Agent):
		return refusal("agent", session.ErrNoAgent)
	}
	return noSession(d.Endpoint.Do(ctx, call.Post("agent", sessionPath(p.Session)+"/agent", nil, map[string]string{"agent": p.Agent})))
}

func (d *Driver) chooseModel(ctx context.Context, p session.Prompt, wanted modelRef) error {
	models, err := d.Models(ctx)
	switch {
	case err != nil:
		return err
	case !slices.Contains(models, p.Model):
		return refusal("model", session.ErrNoModel)
	}
	return noSession(d.Endpoint.Do(ctx, call.Post("model", sessionPath(p.Session)+"/model", nil, map[string]modelRef{"model": wanted})))
}

// runCommand runs a command of OpenCode's own, unless its template would have OpenCode run or
// read the text. Its name and text are command and arguments in the preview, and name and text
// in the release.
func (d *Driver) runCommand(ctx context.Context, p session.Prompt) error {
	said := prompt.JoinTexts(p.Parts)
	if session.Expands(said) {
		return refusal("command", session.ErrSigns)
	}
	all, err := d.listCommands(ctx)
	if err != nil {
		return err
	}
	switch n := slices.IndexFunc(all, func(c commandInfo) bool { return c.Name == p.Command }); {
	case n < 0:
		return refusal("command", session.ErrNoCommand)
	case strings.TrimSpace(said) != "" && !all[n].takesText():
		return refusal("command", session.ErrNoText)
	}
	body := map[string]string{"id": string(p.ID), "command": p.Command, "arguments": said, "name": p.Command, "text": said}
	return d.send(ctx, p, call.Post("command", sessionPath(p.Session)+"/command", nil, body))
}

// Wake makes a session begin with a prompt that waits although the session rests, as after the
// service was killed: the same prompt is sent again, which adds nothing to it. One with files or
// mentions cannot be sent as it was; it is read with the session's next prompt.
func (d *Driver) Wake(ctx context.Context, id session.ID, p session.MessageID) error {
	w, found, err := d.findWaiting(ctx, id, p)
	if err != nil || !found {
		return noSession(err)
	}
	said := w.Data
	if said.Text == "" {
		said = w.Payload
	}
	if said.Text == "" || len(said.Files)+len(said.Agents) > 0 {
		return nil
	}
	return noSession(d.Endpoint.Do(ctx, call.Post("prompt", sessionPath(id)+"/prompt", nil, promptBody{ID: p, Text: said.Text})))
}
