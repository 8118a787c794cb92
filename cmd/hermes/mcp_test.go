package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

// mcpClient is an agent's program that speaks with hermes mcp.
type mcpClient struct {
	t       *testing.T
	session *mcp.ClientSession
	wire    mcp.Connection       // under the session
	log     testenv.LockedBuffer // of hermes mcp

	mu   sync.Mutex
	told []mcp.ProgressNotificationParams
}

func (m *mcpClient) client() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "Some Agent", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.told = append(m.told, *req.Params)
		},
	})
}

// over keeps the connection, so that a test can break it.
func (m *mcpClient) over(t mcp.Transport) mcp.Transport {
	return connecting(func(ctx context.Context) (mcp.Connection, error) {
		var err error
		m.wire, err = t.Connect(ctx)
		return m.wire, err
	})
}

type connecting func(context.Context) (mcp.Connection, error)

func (f connecting) Connect(ctx context.Context) (mcp.Connection, error) { return f(ctx) }

func (m *mcpClient) progress() []mcp.ProgressNotificationParams {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.told
}

// startMCP connects an agent to a hermes mcp beside the rig's daemon, in memory. end ends
// the server, as SIGTERM would, and waits for that.
func startMCP(r *rig.Rig, way rig.RoundTripper) (m *mcpClient, end func()) {
	r.T.Helper()
	m = &mcpClient{t: r.T}
	c := r.Config
	c.HookToken = rig.HookKey
	log := secret.NewLogger(&m.log, c.LogLevel, c.LogFormat, secret.NewRedactor(append(c.Secrets(), rig.HookKey)...))
	ctx, stop := context.WithCancel(context.Background())
	here, there := net.Pipe()
	ended := r.Background(func() {
		defer there.Close() // as the end of the process does
		if err := ask.ServeMCP(ctx, there, there, "test", log, apiclient.People(c, way)); err != nil {
			r.T.Error(err)
		}
	})
	var err error
	if m.session, err = m.client().Connect(ctx, m.over(&mcp.IOTransport{Reader: here, Writer: here}), nil); err != nil {
		r.T.Fatal(err)
	}
	return m, func() {
		stop()
		ended()
		m.session.Close()
		rig.NoCanary(r.T, "the log of hermes mcp", m.log.String())
	}
}

// mcpAsk is one call of the tool under way. When end has returned, result and err are
// its end.
type mcpAsk struct {
	t      *testing.T
	result *mcp.CallToolResult
	err    error
	cancel context.CancelFunc
	ended  chan struct{}
}

func (m *mcpClient) asks(arguments string) *mcpAsk {
	ctx, cancel := context.WithCancel(context.Background())
	a := &mcpAsk{t: m.t, cancel: cancel, ended: make(chan struct{})}
	params := &mcp.CallToolParams{Name: ask.Tool, Arguments: json.RawMessage(arguments)}
	params.SetProgressToken("token")
	go func() {
		defer close(a.ended)
		a.result, a.err = m.session.CallTool(ctx, params)
	}()
	return a
}

func (a *mcpAsk) end() { <-a.ended }

// said waits for the end, and is its texts and its structured content.
func (a *mcpAsk) said() (text, structured string) {
	a.t.Helper()
	a.end()
	if a.err != nil {
		a.t.Fatal(a.err)
	}
	for _, c := range a.result.Content {
		text += c.(*mcp.TextContent).Text + "\n"
	}
	if a.result.StructuredContent != nil {
		structured = compactJSON(a.result.StructuredContent)
	}
	rig.NoCanary(a.t, "the result", text+structured)
	return text, structured
}

// answered holds a result that is no error against the protocol's.
func (a *mcpAsk) answered(want string) {
	a.t.Helper()
	text, structured := a.said()
	if a.result.IsError || text != want+"\n" || !sameJSON(structured, want) {
		a.t.Errorf("error %v, %s\n%s\nwant %s", a.result.IsError, text, structured, want)
	}
}

// failed holds an error's first text against the beginning that it should have.
func (a *mcpAsk) failed(want string) {
	a.t.Helper()
	if text, _ := a.said(); !a.result.IsError || !strings.HasPrefix(text, want) {
		a.t.Errorf("error %v, %s\nwant %s", a.result.IsError, text, want)
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return compactJSON(x) == compactJSON(y)
}

func TestMCP_Answers(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(*rig.Rig)
		want string
	}{
		"answered":  {func(r *rig.Rig) { r.Tap("1.") }, `{"status":"answered","answers":[{"question_id":"go","selected_option_ids":["yes"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`},
		"cancelled": {func(r *rig.Rig) { r.Tap("3.") }, `{"status":"cancelled","answers":[],"cancelled_by":{"question_id":"go","option_id":"cancel"}}`},
		"dismissed": {func(r *rig.Rig) { r.Dismiss() }, `{"status":"aborted","answers":[],"aborted_by":{"kind":"person","name":"Ada","user":42}}`},
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				m, end := startMCP(r, r.RoundTrip)
				defer end()
				a := m.asks(rig.AskDeploy)
				r.Wait(3 * time.Second)
				r.WantScreen("Deploy to production?", "Release 1.4 · waits until")
				test.do(r)
				a.answered(test.want)
			})
		})
	}
}

// A client that gave a token hears every five seconds how long it still takes, also
// while hermes restarts, and nothing after the result.
func TestMCP_Progress(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		m, end := startMCP(r, r.RoundTrip)
		defer end()
		a := m.asks(strings.Replace(rig.AskDeploy, "{", `{"ttl":"5m",`, 1))
		r.Wait(22 * time.Second)
		r.Halt()
		r.Wait(10 * time.Second)
		r.Start()
		r.Wait(time.Minute)
		r.Tap("2.")
		a.end()
		told := m.progress()
		r.Wait(time.Minute)
		if len(m.progress()) != len(told) || len(told) != 19 {
			t.Fatalf("told %d times, and %d times in the end", len(told), len(m.progress()))
		}
		for n, p := range told {
			if p.Progress != float64(5*n) || p.ProgressToken != "token" {
				t.Errorf("progress %d is %v for %v", n, p.Progress, p.ProgressToken)
			}
		}
		for n, want := range map[int]string{0: "Waiting for an answer", 4: "Waiting for an answer · 4m4", 6: "Waiting for hermes, which does not answer now · 4m3", 18: "Waiting for an answer · 3m3"} {
			if !strings.HasPrefix(told[n].Message, want) || n > 0 && (told[n].Total < 300 || told[n].Total > 303) {
				t.Errorf("progress %d is %q of %v", n, told[n].Message, told[n].Total)
			}
		}
	})
}

// What is open is withdrawn when the client cancels the call, when it closes the
// connection, and when hermes mcp is to end.
func TestMCP_Withdraws(t *testing.T) {
	for name, leave := range map[string]func(*mcpClient, *mcpAsk, func()){
		"cancelled":  func(_ *mcpClient, a *mcpAsk, _ func()) { a.cancel() },
		"closed":     func(m *mcpClient, _ *mcpAsk, _ func()) { m.wire.Close() },
		"terminated": func(_ *mcpClient, _ *mcpAsk, end func()) { end() },
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				m, end := startMCP(r, r.RoundTrip)
				defer end()
				a := m.asks(rig.AskDeploy)
				r.Wait(3 * time.Second)
				leave(m, a, end)
				r.Wait(5 * time.Second)
				r.WantScreen("🚫", "Withdrawn by the program that asked")
				if name == "cancelled" {
					a.end()
					if !errors.Is(a.err, context.Canceled) {
						t.Errorf("the call ended with %v", a.err)
					}
				}
			})
		})
	}
}

func TestMCP_Errors(t *testing.T) {
	t.Parallel()
	rig.Play(t, nil, func(r *rig.Rig) {
		m, end := startMCP(r, r.RoundTrip)
		defer end()
		a := m.asks(strings.Replace(rig.AskDeploy, "{", `{"ttl":"5m",`, 1))
		r.Wait(6 * time.Minute)
		a.failed("nobody answered in time, so nothing was decided\n" + `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}`)

		const bad = "nobody was asked, as the arguments do not fit: "
		for arguments, want := range map[string]string{
			`{}`: bad + "questions: needs at least one",
			strings.Replace(rig.AskDeploy, `"id":"no"`, `"id":"yes"`, 1):                        bad + "questions[0].options[1].id: is another option's already",
			strings.Replace(rig.AskDeploy, "{", `{"on_timeout":"accept-first",`, 1):             bad + "on_timeout: is not a field of this tool",
			strings.Replace(rig.AskDeploy, `"id":"no"`, `"default":true,"id":"no"`, 1):          bad + "questions[0].options[1].default: is not a field of this tool",
			strings.Replace(rig.AskDeploy, "{", `{"chats":[42],`, 1):                            bad + "chats: is not a field of this tool",
			strings.Replace(rig.AskDeploy, "{", `{"idempotency_key":"k",`, 1):                   bad + "idempotency_key: is not a field of this tool",
			`{"permission":{"kind":"bash","command":"ls"}}`:                                     bad + "permission: is not a field of this tool",
			strings.Replace(rig.AskDeploy, "{", `{"directory":"/x",`, 1):                        bad + "directory: is not a field of this tool",
			strings.Replace(rig.AskDeploy, "{", `{"urgent":true,`, 1):                           bad + "urgent: is not a field that hermes knows",
			fmt.Sprintf(`{"context":%q,%s`, strings.Repeat("x", api.MaxAsk), rig.AskDeploy[1:]): "the body is larger than 1 MiB",
		} {
			m.asks(arguments).failed(want)
		}
		if n := len(r.Journal(storage.EntryAsked)); n != 1 {
			t.Errorf("%d asks were made", n)
		}
	})
}
