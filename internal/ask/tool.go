package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"hermes/internal/mcp"
	"hermes/internal/question"
)

// Tool is the name of the only tool that ServeMCP has.
const Tool = "ask_user"

// People asks, and waits for the end. told is called with what is known meanwhile;
// reached: hermes answered just now. When the context ends the ask is withdrawn. Its
// error is shown to the agent as it is.
type People func(ctx context.Context, body []byte, told func(result Result, reached bool)) (Result, error)

// ServeMCP speaks the Model Context Protocol with one client, until that closes in, or ctx
// ends. Then, and when the client cancels a call, what is still open is withdrawn before it
// returns. Calls run side by side.
func ServeMCP(ctx context.Context, in io.Reader, out io.Writer, version string, log *slog.Logger, people People) error {
	err := mcp.Server{
		Name: "hermes", Title: "Hermes", Version: version, Instructions: toolInstructions,
		Tools: []mcp.Tool{{
			Name: Tool, Title: "Ask a person", Description: toolDescription,
			Input: json.RawMessage(toolInput), Output: json.RawMessage(toolOutput),
			ReadOnly: true, Do: askTool{log, people}.call,
		}},
	}.Serve(ctx, in, out)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// askTool is the tool.
type askTool struct {
	log    *slog.Logger
	people People
}

// call is one call of the tool. Errors are reported to the model, which may do
// better.
func (a askTool) call(ctx context.Context, c *mcp.Call) mcp.Result {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	body, err := toolAsk(c)
	if err != nil {
		return a.failure(err)
	}
	p := startProgress(ctx, c)
	result, err := a.people(ctx, body, p.update)
	stop()
	p.waitDone()
	if err != nil {
		return a.failure(err)
	}
	a.log.Info("an ask has ended", "status", result.Status)
	return a.result(result)
}

func (a askTool) failure(err error) mcp.Result {
	var fault *Fault
	if errors.As(err, &fault) {
		err = fmt.Errorf("nobody was asked, as the arguments do not fit: %w", err)
	}
	a.log.Warn("a call failed", "err", err)
	return mcp.Result{Texts: []string{err.Error()}, Failed: true}
}

// toolAsk is the ask that the arguments are. Its error is a *Fault. The title of an ask
// that has none is the client's name, so that people see who asks. What happens when
// nobody answers, and who is asked, is the owner's to say, and no agent's.
func toolAsk(c *mcp.Call) ([]byte, error) {
	body := c.Arguments
	parsed, err := Parse(body)
	switch {
	case err != nil:
		return nil, err
	case defaultAt(parsed.Request.Items) != "":
		return nil, &Fault{defaultAt(parsed.Request.Items), "is not a field of this tool"}
	case parsed.Request.Permission != nil:
		return nil, &Fault{"permission", "is not a field of this tool"}
	case parsed.Directory != "":
		return nil, &Fault{"directory", "is not a field of this tool"}
	case parsed.Terms.OnExpiry != "":
		return nil, &Fault{"on_timeout", "is not a field of this tool"}
	case parsed.Terms.Cards != nil:
		return nil, &Fault{"chats", "is not a field of this tool"}
	case parsed.Request.ID != "":
		return nil, &Fault{"idempotency_key", "is not a field of this tool"}
	}
	if !isBlank(parsed.Place.Title) || c.Client == "" {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	fields["title"], _ = json.Marshal(c.Client) // a string can be encoded
	return json.Marshal(fields)
}

// result tells the end as structured content and as text. An expiry is an error, so
// that no model takes it for an answer.
func (a askTool) result(r Result) mcp.Result {
	text, err := json.Marshal(r)
	if err != nil {
		return a.failure(err)
	}
	out := mcp.Result{Structured: text, Texts: []string{string(text)}}
	if r.Status == Aborted && r.AbortedBy != nil && r.AbortedBy.Kind == question.Deadline {
		out.Texts, out.Failed = append([]string{"nobody answered in time, so nothing was decided"}, out.Texts...), true
	}
	return out
}
