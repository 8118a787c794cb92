package opencode

import (
	"context"

	"hermes/internal/question"
)

// Wake has a session begin with a prompt that it has and passed over: OpenCode does that
// with one that comes in the moment in which a turn ends (measured on 1.1.53). The prompt
// is sent again by its id, without parts, which adds nothing to it (measured on 1.1.53 and
// 1.18.33). If anything came after it, nothing is sent. The session must be at rest.
func (c *Client) Wake(ctx context.Context, id question.SessionID, prompt question.MessageID) error {
	list, err := c.lastMessages(ctx, one(id)+"/message")
	if err != nil {
		return absent(err)
	}
	if len(list) == 0 || list[len(list)-1].Info.ID != string(prompt) {
		return nil
	}
	last := list[len(list)-1].Info
	body := wirePrompt{MessageID: last.ID, Agent: last.Agent, Model: last.Asked, Parts: []map[string]any{}}
	return c.send(ctx, "prompt", one(id)+"/prompt_async", body, nil)
}
