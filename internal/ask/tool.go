package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hermes/internal/question"
)

// Tool is the name of the only tool that ServeMCP has.
const Tool = "ask_user"

// People asks, and waits for the end. told is called with what is known meanwhile;
// reached: hermes answered just now. When the context ends the ask is withdrawn. Its
// error is shown to the agent as it is.
type People func(ctx context.Context, body []byte, told func(result Result, reached bool)) (Result, error)

// ServeMCP speaks the Model Context Protocol with one client, until that closes the
// connection or ctx ends. Then, and when the client cancels a call, what is still open
// is withdrawn before it returns. Calls run side by side.
func ServeMCP(ctx context.Context, t mcp.Transport, version string, log *slog.Logger, people People) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "hermes", Title: "Hermes", Version: version}, &mcp.ServerOptions{
		Instructions: toolInstructions, Capabilities: &mcp.ServerCapabilities{},
	})
	server.AddTool(&mcp.Tool{
		Name: Tool, Title: "Ask a person", Description: toolDescription,
		InputSchema: json.RawMessage(toolInput), OutputSchema: json.RawMessage(toolOutput),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, askTool{ctx, log, people}.call)
	err := server.Run(ctx, t)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// askTool is the tool.
type askTool struct {
	life   context.Context // of the server: the SDK ends no call when that is over
	log    *slog.Logger
	people People
}

// call is one call of the tool. Errors are reported to the model, which may do
// better.
func (a askTool) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(a.life, stop)()
	body, err := toolAsk(req)
	if err != nil {
		return a.failure(err), nil
	}
	p := startProgress(ctx, req)
	result, err := a.people(ctx, body, p.update)
	stop()
	p.waitDone()
	if err != nil {
		return a.failure(err), nil
	}
	a.log.Info("an ask has ended", "status", result.Status)
	return toolResult(result)
}

func (a askTool) failure(err error) *mcp.CallToolResult {
	var fault *Fault
	if errors.As(err, &fault) {
		err = fmt.Errorf("nobody was asked, as the arguments do not fit: %w", err)
	}
	a.log.Warn("a call failed", "err", err)
	r := &mcp.CallToolResult{}
	r.SetError(err)
	return r
}

// toolAsk is the ask that the arguments are. Its error is a *Fault. The title of an ask
// that has none is the client's name, so that people see who asks. What happens when
// nobody answers, and who is asked, is the owner's to say, and no agent's.
func toolAsk(req *mcp.CallToolRequest) ([]byte, error) {
	body := req.Params.Arguments
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
	client := req.Session.InitializeParams()
	if !isBlank(parsed.Place.Title) || client == nil || client.ClientInfo == nil {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	fields["title"], _ = json.Marshal(client.ClientInfo.Name) // a string can be encoded
	return json.Marshal(fields)
}

// toolResult tells the end as structured content and as text. An expiry is an error, so
// that no model takes it for an answer.
func toolResult(r Result) (*mcp.CallToolResult, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{StructuredContent: json.RawMessage(text)}
	if r.Status == Aborted && r.AbortedBy != nil && r.AbortedBy.Kind == question.Deadline {
		out.SetError(errors.New("nobody answered in time, so nothing was decided"))
	}
	out.Content = append(out.Content, &mcp.TextContent{Text: string(text)})
	return out, nil
}
