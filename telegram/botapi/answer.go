package botapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"hermes/internal/chat"
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

// readAnswer returns the result of a success, and an *Error for anything else. An answer
// that is not the Bot API's, such as a proxy's page, is left out of the error.
func (w *wire) readAnswer(op string, resp *http.Response, body []byte) ([]byte, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil || !a.OK && a.Code == 0 {
		return nil, &Error{
			Op: op, Reason: Server, Unknown: true,
			Detail: fmt.Sprintf("the answer (HTTP %d) is not the Bot API's", resp.StatusCode),
		}
	}
	if a.OK {
		return a.Result, nil
	}
	e := &Error{Op: op, Reason: classify(a.Code, a.Description), Code: a.Code, Detail: w.redact(a.Description)}
	e.Unknown = e.Reason == Server
	e.RetryAfter = time.Duration(a.Parameters.RetryAfter) * time.Second
	if a.Parameters.MigrateTo != 0 {
		e.Reason, e.MovedTo = Moved, chat.ID(a.Parameters.MigrateTo)
	}
	return nil, e
}

// unreadableAnswer is the error for a result that is not what the method gives.
func unreadableAnswer(op string) *Error {
	return &Error{Op: op, Reason: Server, Unknown: true, Detail: "the answer cannot be read"}
}
