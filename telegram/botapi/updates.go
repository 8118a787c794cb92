package botapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"hermes/internal/chat"
)

// Poll asks for updates (Bot API getUpdates).
type Poll struct {
	Offset  chat.UpdateID // those below are confirmed: Telegram forgets them
	Limit   int           // 1 to 100
	Hold    time.Duration // how long Telegram may wait for one, in whole seconds: 50 at most
	Allowed []string      // the kinds to be sent, which Telegram remembers; nil: as it is
}

// GetUpdates makes one poll. Each update stays raw: one that nobody can read must not hide
// the others.
func (c *Client) GetUpdates(ctx context.Context, p Poll) ([]chat.Update, error) {
	const op = "getUpdates"
	if c.wire.timeout > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, c.wire.timeout+p.Hold)
		defer cancel()
	}
	result, err := c.wire.postJSON(ctx, op, p.params())
	if err != nil {
		return nil, err
	}
	var raw []json.RawMessage
	if json.Unmarshal(result, &raw) != nil {
		return nil, unreadableAnswer(op)
	}
	batch := make([]chat.Update, 0, len(raw))
	for _, r := range raw {
		if id := UpdateID(r); id > 0 {
			batch = append(batch, chat.Update{ID: id, Raw: r})
		}
	}
	if len(raw) > 0 && len(batch) == 0 {
		return nil, &Error{Op: op, Reason: Server, Detail: "updates without numbers"}
	}
	return batch, nil
}

func (p Poll) params() map[string]any {
	params := map[string]any{"offset": p.Offset, "limit": p.Limit, "timeout": int(p.Hold / time.Second)}
	if p.Allowed != nil {
		params["allowed_updates"] = p.Allowed
	}
	return params
}

// UpdateID reads nothing of an update but its number; 0 for what has none.
func UpdateID(raw []byte) chat.UpdateID {
	var u struct {
		ID chat.UpdateID `json:"update_id"`
	}
	if json.Unmarshal(raw, &u) != nil {
		return 0
	}
	return u.ID
}

// postJSON makes a call with JSON parameters, and returns its result whole.
func (w *wire) postJSON(ctx context.Context, op string, params any) ([]byte, error) {
	body, err := json.Marshal(params)
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.root(op), bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Op: op, Reason: Refused, Detail: w.redact(err.Error())}
	}
	req.Header.Set("Content-Type", "application/json")
	return w.exchange(req)
}
