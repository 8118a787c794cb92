package rig

import (
	"net/http"
	"strings"
	"time"

	"hermes/internal/daemon"
)

// SlowOpenCode starts hermes anew with an OpenCode that thinks about sessions for a while.
func (c Talk) SlowOpenCode(t time.Duration) {
	c.T.Helper()
	c.Halt()
	c.Wrap = func(out daemon.Outside) daemon.Outside {
		next := out.Opencode
		out.Opencode = RoundTripper(func(req *http.Request) (*http.Response, error) {
			if strings.HasPrefix(req.URL.Path, "/session") {
				time.Sleep(t)
			}
			return next.RoundTrip(req)
		})
		return out
	}
	c.Start()
	c.Wait(10 * time.Second)
}

// SessionsByPrompt are the sessions that each text went to.
func (c Talk) SessionsByPrompt() map[string]string {
	all := map[string]string{}
	for _, p := range c.Opencode.Prompts() {
		all[p.Text] += p.Session
	}
	return all
}
