//go:build e2e

package e2e_test

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"hermes/e2e/lab"
	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim/model"
	"hermes/internal/testlevel"
	"hermes/opencode"
)

// TestClient_CallsOfOneID has a provider give two calls of one message the same id. OpenCode
// 1.1.53 asks for both and keeps the input of the last for both; 1.18.33 is played as well,
// whatever it asks. Nothing may say that the one runs when the other does.
func TestClient_CallsOfOneID(t *testing.T) {
	testlevel.FullOnly(t)
	eachVersion(t, func(t *testing.T, version string) {
		m := model.New()
		m.RepeatIDs()
		oc := lab.Start(t, version, lab.Serve, lab.Options{Config: lab.AskForAll, Model: m})
		var mu sync.Mutex
		asked := map[question.RequestID]*question.Permission{}
		g := opencode.NewGateway(opencode.Config{
			Log: slog.New(slog.DiscardHandler), Servers: []opencode.Server{{URL: oc.URL, Transport: http.DefaultTransport}},
			Events: func(e event.Event) {
				mu.Lock()
				defer mu.Unlock()
				for _, a := range e.Asks {
					if p := a.Request.Permission; p != nil {
						asked[a.Request.ID] = p
						if p.Command != "" && (len(p.Patterns) != 1 || p.Patterns[0] != p.Command) {
							t.Errorf("an ask for %q says that it runs %q", p.Patterns, p.Command)
						}
					}
				}
			},
		})
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { g.Run(ctx); close(done) }()
		t.Cleanup(func() { stop(); <-done })
		oc.Eventually("the server is connected", func() bool { _, direct := g.Ways(); return direct == 1 })
		oc.Prompt(oc.NewSession("x"), run("touch one")+"\n"+run("touch two"))
		want := 1
		if version == oldest {
			want = 2
		}
		oc.Eventually("it has asked", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(asked) >= want
		})
		time.Sleep(time.Second) // for what is listed after it was asked
	})
}
