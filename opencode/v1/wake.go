package v1

import (
	"context"

	"hermes/internal/session"
)

// Wake makes a session begin with a prompt that it has and ignored: OpenCode does that
// with one that comes in the moment in which a turn ends (measured on 1.1.53). The prompt
// is sent again by its id, without parts, which adds nothing to it (measured on 1.1.53 and
// 1.18.33). If anything came after it, nothing is sent. The session must be at rest.
func (d *Driver) Wake(ctx context.Context, id session.ID, prompt session.MessageID) error {
	list, err := d.LastMessages(ctx, id)
	if err != nil {
		return noSession(err)
	}
	if len(list) == 0 || list[len(list)-1].Info.ID != string(prompt) {
		return nil
	}
	last := list[len(list)-1].Info
	body := promptBody{MessageID: last.ID, Agent: last.Agent, Model: last.Asked, Parts: []map[string]any{}}
	return d.post(ctx, "prompt", sessionPath(id)+"/prompt_async", body, nil)
}
