package ask_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/ask"
)

// The end of the context withdraws what is open before ServeMCP returns, also while the client reads nothing.
func TestServeMCP_ClientHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer there.Close()
		ctx, stop := context.WithCancel(t.Context())
		asked, isWithdrawn := false, false
		people := func(ctx context.Context, _ []byte, _ func(ask.Result, bool)) (ask.Result, error) {
			asked = true
			<-ctx.Done()
			time.Sleep(time.Second) // for the call that withdraws it
			isWithdrawn = true
			return ask.Result{}, ctx.Err()
		}
		ended := make(chan error)
		go func() { ended <- ask.ServeMCP(ctx, there, there, "1", slog.New(slog.DiscardHandler), people) }()
		says := func(line string) {
			if _, err := io.WriteString(here, line+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		says(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		if _, err := bufio.NewReader(here).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		says(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		says(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask_user","arguments":{"questions":[{"question_id":"why","question":"Why?","allow_text":true}]},"_meta":{"progressToken":1}}}`)
		time.Sleep(time.Minute)
		stop()
		if err := <-ended; err != nil || !asked || !isWithdrawn {
			t.Errorf("it ended with %v; asked: %t, withdrawn: %t", err, asked, isWithdrawn)
		}
	})
}
