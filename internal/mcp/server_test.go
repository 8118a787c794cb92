package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"hermes/internal/mcp"
)

// echo is a server whose tool gives its arguments back, tells of progress where that is wanted, and waits for the end of "wait".
func echo() mcp.Server {
	return mcp.Server{Name: "test", Title: "Test", Version: "1", Instructions: "Call it.", Tools: []mcp.Tool{{
		Name: "echo", Title: "Echo", Description: "Echoes.", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"type":"object"}`), ReadOnly: true,
		Do: func(ctx context.Context, c *mcp.Call) mcp.Result {
			if c.WantsProgress() {
				if err := c.Tell(ctx, mcp.Progress{Done: 1, Total: 2, Message: "half"}); err != nil {
					return mcp.Result{Texts: []string{err.Error()}, Failed: true}
				}
			}
			if strings.Contains(string(c.Arguments), "wait") {
				<-ctx.Done()
			}
			if strings.Contains(string(c.Arguments), "fail") {
				return mcp.Result{Texts: []string{"it failed"}, Failed: true}
			}
			return mcp.Result{Texts: []string{c.Client}, Structured: c.Arguments}
		},
	}}}
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"Ada","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// Each conversation is what the client sends before it closes its end, and what it reads; a line each.
func TestServe(t *testing.T) {
	const signed = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","title":"Test","version":"1"}}`
	for name, test := range map[string]struct{ in, out string }{
		"nothing":           {"", ""},
		"agreed":            {`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"x","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"tools":{}},"instructions":"Call it.","protocolVersion":"2025-06-18","serverInfo":{"name":"test","title":"Test","version":"1"}}}`},
		"an unknown time":   {`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}`, `{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"tools":{}},"instructions":"Call it.","protocolVersion":"2025-11-25","serverInfo":{"name":"test","title":"Test","version":"1"}}}`},
		"a ping":            {`{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"jsonrpc":"2.0","id":"a","result":{}}`},
		"discovered":        {`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`, `{"jsonrpc":"2.0","id":1,"result":{` + signed + `,"cacheScope":"public","capabilities":{"tools":{}},"instructions":"Call it.","resultType":"complete","supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"ttlMs":0}}`},
		"discovered in old": {`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found: \"server/discover\""}}`},
		"initialize in new": {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` + meta + `}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found: \"initialize\""}}`},
		"a later version":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + strings.Replace(meta, "2026", "2099", 1) + `}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"requested":"2099-07-28","supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]}}}`},
		"no capabilities":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing or invalid _meta field \"io.modelcontextprotocol/clientCapabilities\""}}`},
		"no such method":    {`{"jsonrpc":"2.0","id":1,"method":"no/method"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found: \"no/method\""}}`},
		"no such tool":      {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool \"nothing\""}}`},
		"bad parameters":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params of tools/call"}}`},
		"another version":   {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a message of JSON-RPC 2.0"}}`},
		"no message":        {`7`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a message of JSON-RPC 2.0"}}`},
		"a response":        {`{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		"a batch":           {`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`},
		"only notes":        {`[{"jsonrpc":"2.0","method":"x"}]`, ""},
		"left in a call":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"wait":1}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := echo().Serve(t.Context(), strings.NewReader(test.in), &out); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(out.String(), "\n"); got != test.out {
				t.Errorf("it says\n%s\nwant\n%s", got, test.out)
			}
		})
	}
}

// dialogue is a client that sends and reads lines.
type dialogue struct {
	t *testing.T
	net.Conn
	read  *json.Decoder
	ended chan error
	stop  context.CancelFunc
}

func talk(t *testing.T) *dialogue {
	here, there := net.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	d := &dialogue{t, here, json.NewDecoder(here), make(chan error, 1), stop}
	go func() {
		defer there.Close()
		d.ended <- echo().Serve(ctx, there, there)
	}()
	return d
}

func (d *dialogue) says(line string) {
	d.t.Helper()
	if _, err := io.WriteString(d, line+"\n"); err != nil {
		d.t.Fatal(err)
	}
}

func (d *dialogue) hears(want string) {
	d.t.Helper()
	var got json.RawMessage
	if err := d.read.Decode(&got); err != nil || string(got) != want {
		d.t.Errorf("it says %s, %v\nwant %s", got, err, want)
	}
}

// A call that the client cancels ends without a response; its id may be used again then, and not before.
func TestServe_Cancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := talk(t)
		call := func(arguments string) string {
			return `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"echo","arguments":` + arguments + `}}`
		}
		d.says(call(`{"wait":1}`))
		d.says(call(`{}`))
		d.hears(`{"jsonrpc":"2.0","id":"1","error":{"code":-32600,"message":"a request with this id is under way"}}`)
		d.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"2"}}`)
		d.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1","reason":"enough"}}`)
		synctest.Wait()
		d.says(call(`{"a":1}`))
		d.hears(`{"jsonrpc":"2.0","id":"1","result":{"content":[{"text":"","type":"text"}],"structuredContent":{"a":1}}}`)
		d.Close()
		if err := <-d.ended; err != nil {
			t.Error(err)
		}
	})
}

// The end of the context ends calls, also while the client reads nothing.
func TestServe_Ends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := talk(t)
		d.says(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"wait":1},"_meta":{"progressToken":1}}}`)
		time.Sleep(time.Minute)
		d.stop()
		if err := <-d.ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestServe_Nonsense(t *testing.T) {
	if err := echo().Serve(t.Context(), strings.NewReader("nonsense"), io.Discard); err == nil {
		t.Error("nonsense is taken")
	}
	if err := echo().Serve(t.Context(), io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), endless{t.Context()}), broken{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("with nobody who reads: %v", err)
	}
}

// endless says nothing.
type endless struct{ ctx context.Context }

func (e endless) Read([]byte) (int, error) { <-e.ctx.Done(); return 0, io.EOF }

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The official client gets on with each version: it agrees on it, lists the tool, calls it, and hears of progress and failures.
func TestServe_TheOfficialClient(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			here, there := net.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- echo().Serve(t.Context(), there, there) }()
			told := make(chan *sdk.ProgressNotificationParams, 1)
			client := sdk.NewClient(&sdk.Implementation{Name: "Ada", Version: "1"}, &sdk.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params },
			})
			s, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: here, Writer: here}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if is := s.InitializeResult(); is.ProtocolVersion != version || is.Instructions != "Call it." || is.Capabilities.Tools == nil || is.ServerInfo.Name != "test" {
				t.Errorf("they agree on %+v", is)
			}
			list, err := s.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 1 || list.Tools[0].Title != "Echo" || !list.Tools[0].Annotations.ReadOnlyHint || list.Tools[0].OutputSchema == nil {
				t.Errorf("its tools: %+v, %v", list, err)
			}
			call := &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"a": "b"}}
			call.SetProgressToken("token")
			result, err := s.CallTool(t.Context(), call)
			if err != nil || result.IsError || result.Content[0].(*sdk.TextContent).Text != "Ada" || result.StructuredContent.(map[string]any)["a"] != "b" {
				t.Errorf("the call ends with %+v, %v", result, err)
			}
			if p := <-told; p.Progress != 1 || p.Total != 2 || p.Message != "half" || p.ProgressToken != "token" {
				t.Errorf("told %+v", p)
			}
			result, err = s.CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"fail": true}})
			if err != nil || !result.IsError || result.Content[0].(*sdk.TextContent).Text != "it failed" {
				t.Errorf("a failure is %+v, %v", result, err)
			}
			s.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
