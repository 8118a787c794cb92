package ask

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hermes/internal/question"
)

// Tool is the name of the only tool that ServeMCP has.
const Tool = "ask_user"

// What a model reads of the tool. The schemas are those of Parse and Result; a field of
// Parse that is not there is refused.
var (
	//go:embed tool_input.json
	toolInput json.RawMessage
	//go:embed tool_output.json
	toolOutput json.RawMessage
)

const toolInstructions = `ask_user reaches a person on their phone. Use it for decisions that are theirs, and when you would otherwise guess.`

const toolDescription = `Ask a person one or more questions on their phone, and wait for the answer. It can take minutes or hours.

Use it when you cannot go on without a decision that is not yours to make: several reasonable ways, missing facts, or something that is hard to undo. Do not use it for what you can find out yourself, or only to report. Ask everything you need now in one call, as separate questions.

The person sees only what you send, on a small screen: say in "question" or "context" all they must know, in plain text. Give options where you can (2 to 6, with short labels; the consequence belongs into "description"), and "allow_text" if another answer would help you.

The result has a "status": "answered", with the ids of the chosen options and any text that was typed, for each question; "cancelled", when an option that cancels was chosen; "aborted", when the person dismissed the questions. After "cancelled" and "aborted" do not go on as if there were an answer. An error says that nobody was asked, or that nobody answered in time: nothing was decided then.`

// People asks, and waits for the end. told is called with what is known meanwhile;
// reached: hermes answered just now. When the context ends the ask is withdrawn. Its
// error is shown to the agent as it is.
type People func(ctx context.Context, body []byte, told func(result Result, reached bool)) (Result, error)

// ServeMCP speaks the Model Context Protocol with one client, until that closes in, or ctx
// ends. Then, and when the client cancels a call, what is still open is withdrawn before it
// returns. Calls run side by side. A read or write that hangs when ctx ends goes on behind it.
func ServeMCP(ctx context.Context, in io.Reader, out io.Writer, version string, log *slog.Logger, people People) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "hermes", Title: "Hermes", Version: version}, &mcp.ServerOptions{
		Instructions: toolInstructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	a := &askTool{log: log, people: people, life: ctx}
	server.AddTool(&mcp.Tool{
		Name: Tool, Title: "Ask a person", Description: toolDescription,
		InputSchema: toolInput, OutputSchema: toolOutput,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, a.call)
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}}) }()
	select {
	case err := <-ended:
		if ctx.Err() == nil {
			return err
		}
	case <-ctx.Done():
	}
	a.end()
	return nil
}

// unclosed is a writer that is left open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// askTool is the tool.
type askTool struct {
	log    *slog.Logger
	people People
	life   context.Context // of the server

	mu    sync.Mutex
	ended bool
	open  sync.WaitGroup // asks
}

// end waits until all asks are withdrawn, which they are when the life is over.
func (a *askTool) end() {
	a.mu.Lock()
	a.ended = true
	a.mu.Unlock()
	a.open.Wait()
}

// ask asks people, unless the server has ended.
func (a *askTool) ask(ctx context.Context, body []byte, told func(Result, bool)) (Result, error) {
	a.mu.Lock()
	if a.ended {
		a.mu.Unlock()
		return Result{}, a.life.Err()
	}
	a.open.Add(1)
	a.mu.Unlock()
	defer a.open.Done()
	return a.people(ctx, body, told)
}

// call is one call of the tool. Errors are reported to the model, which may do
// better.
func (a *askTool) call(ctx context.Context, c *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(a.life, stop)()
	body, err := toolAsk(c)
	if err != nil {
		return a.failure(err), nil
	}
	p := startProgress(ctx, c)
	result, err := a.ask(ctx, body, p.update)
	stop()
	p.waitDone()
	if err != nil {
		return a.failure(err), nil
	}
	a.log.Info("an ask has ended", "status", result.Status)
	return a.result(result), nil
}

func (a *askTool) failure(err error) *mcp.CallToolResult {
	var fault *Fault
	if errors.As(err, &fault) {
		err = fmt.Errorf("nobody was asked, as the arguments do not fit: %w", err)
	}
	a.log.Warn("a call failed", "err", err)
	return &mcp.CallToolResult{Content: texts(err.Error()), IsError: true}
}

// toolAsk is the ask that the arguments are. Its error is a *Fault. The title of an ask
// that has none is the client's name, so that people see who asks. What happens when
// nobody answers, and who is asked, is the owner's to say, and no agent's.
func toolAsk(c *mcp.CallToolRequest) ([]byte, error) {
	body := c.Params.Arguments
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
	client := c.ClientInfo()
	if !isBlank(parsed.Place.Title) || client == nil || client.Name == "" {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	fields["title"], _ = json.Marshal(client.Name) // a string can be encoded
	return json.Marshal(fields)
}

// result tells the end as structured content and as text. An expiry is an error, so
// that no model takes it for an answer.
func (a *askTool) result(r Result) *mcp.CallToolResult {
	text, err := json.Marshal(r)
	if err != nil {
		return a.failure(err)
	}
	out := &mcp.CallToolResult{StructuredContent: json.RawMessage(text), Content: texts(string(text))}
	if r.Status == Aborted && r.AbortedBy != nil && r.AbortedBy.Kind == question.Deadline {
		out.Content, out.IsError = texts("nobody answered in time, so nothing was decided", string(text)), true
	}
	return out
}

func texts(of ...string) (list []mcp.Content) {
	for _, text := range of {
		list = append(list, &mcp.TextContent{Text: text})
	}
	return list
}
