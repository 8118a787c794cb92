package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"hermes/question"
)

// answer is the Bot API's envelope.
type answer struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// judge returns nil for a success, and an *Error for anything else. An answer
// that is not the Bot API's, such as a proxy's page, is left out of the error.
func (c *client) judge(op string, resp *http.Response, body []byte) error {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil || !a.OK && a.Code == 0 {
		return &Error{
			Op: op, Reason: Server, Unknown: true,
			Detail: fmt.Sprintf("HTTP %d with an answer that is not the Bot API's", resp.StatusCode),
		}
	}
	if a.OK {
		return nil
	}
	e := &Error{Op: op, Reason: classify(a.Code, a.Description), Detail: c.redact(a.Description)}
	e.Unknown = e.Reason == Server
	e.RetryAfter = time.Duration(a.Parameters.RetryAfter) * time.Second
	if a.Parameters.MigrateTo != 0 {
		e.Reason, e.MovedTo = Moved, question.ChatID(a.Parameters.MigrateTo)
	}
	return e
}

// call makes a call with JSON parameters and decodes its result.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return &Error{Op: method, Reason: Refused, Detail: err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.root(method), bytes.NewReader(body))
	if err != nil {
		return &Error{Op: method, Reason: Refused, Detail: c.redact(err.Error())}
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	var a answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return &Error{Op: method, Reason: Server, Detail: c.redact(err.Error())}
	}
	if err := json.Unmarshal(a.Result, result); err != nil {
		return &Error{Op: method, Reason: Server, Detail: c.redact(err.Error())}
	}
	return nil
}
