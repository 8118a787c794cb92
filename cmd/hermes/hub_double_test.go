//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
)

// forgetUpdates takes all updates that wait at the stand-in for Telegram.
func forgetUpdates(b *testing.B, api string) {
	b.Helper()
	for offset := 0; ; {
		res, err := http.Get(fmt.Sprintf("%s/bot%s/getUpdates?timeout=0&limit=100&offset=%d", api, rig.TestToken, offset))
		if err != nil {
			b.Fatal(err)
		}
		var got struct {
			OK     bool
			Result []struct {
				ID int `json:"update_id"`
			}
		}
		err = json.NewDecoder(res.Body).Decode(&got)
		res.Body.Close()
		if err != nil || !got.OK {
			b.Fatal("getUpdates failed: ", err)
		}
		if len(got.Result) == 0 {
			return
		}
		offset = got.Result[len(got.Result)-1].ID + 1
	}
}

// newBenchClient makes the client that all links share, as what is measured is hermes.
func newBenchClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * hubLinks, IdleConnTimeout: time.Minute}}
}

// benchLink plays the plugin inside one OpenCode, with one goroutine.
type benchLink struct {
	hub      *hub
	name     string
	token    secret.Text
	dir      string
	owner    int64
	sessions []string

	id     atomic.Pointer[string] // of the open link; nil: none
	listed atomic.Bool            // hermes has listed what waits here
}

// run keeps the link open until the benchmark ends.
func (l *benchLink) run() {
	for l.hub.ctx.Err() == nil {
		if l.open() {
			l.poll()
		}
		l.id.Store(nil)
		time.Sleep(time.Second) // as the plugin
	}
}

func (l *benchLink) open() bool {
	hello := fmt.Sprintf(`{"protocol":1,"plugin":"1.6.0","looks":true,"instance":%q,"process":%q,"directory":%q,"resolved":%q,"host":%q,"version":"1.18.33","complete":true,"pid":4242,"questions":[],"permissions":[]}`,
		l.name, l.name, l.dir, l.dir, l.name)
	status, raw := l.do("POST", "/v1/link", hello)
	var opened struct{ Link string }
	if status != http.StatusOK || json.Unmarshal(raw, &opened) != nil {
		return false
	}
	l.id.Store(&opened.Link)
	return true
}

// poll takes calls and carries them out, until hermes does not know the link any more.
func (l *benchLink) poll() {
	path, after := "/v1/link/"+*l.id.Load(), "0"
	for l.hub.ctx.Err() == nil {
		status, raw := l.do("GET", path+"/calls?after="+after, "")
		var got struct{ Calls []rig.LinkCall }
		if status != http.StatusNoContent && (status != http.StatusOK || json.Unmarshal(raw, &got) != nil) {
			return
		}
		for _, call := range got.Calls {
			after = call.ID
			code, body := l.carryOut(call)
			result, _ := json.Marshal(map[string]any{"id": call.ID, "status": code, "type": "application/json", "body": body})
			l.do("POST", path+"/results", string(result))
			if call.Path == "/question" {
				l.listed.Store(true)
			}
		}
	}
}

// carryOut makes the call at the stand-in for OpenCode.
func (l *benchLink) carryOut(c rig.LinkCall) (int, string) {
	query := url.Values{"directory": {l.dir}}
	for name, value := range c.Query {
		query.Set(name, value)
	}
	req := httptest.NewRequest(c.Method, "http://opencode"+c.Path+"?"+query.Encode(), bytes.NewReader(c.Body))
	req.Header.Set("Content-Type", "application/json")
	res := httptest.NewRecorder()
	l.hub.opencode.ServeHTTP(res, req)
	return res.Code, res.Body.String()
}

func (l *benchLink) do(method, path, body string) (int, []byte) {
	req, _ := http.NewRequestWithContext(l.hub.ctx, method, "http://"+l.hub.address+path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+l.token.Reveal())
	return l.hub.answerTo(req)
}

func (h *hub) answerTo(req *http.Request) (int, []byte) {
	res, err := h.client.Do(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, raw
}

// forwardEvents tells hermes what the stand-in for OpenCode tells, over the link of the directory.
func (h *hub) forwardEvents() {
	byDir := map[string]*benchLink{}
	for _, l := range h.links {
		byDir[l.dir] = l
	}
	rig.EachEvent(h.ctx, h.opencode, func(directory, batch string) {
		if l := byDir[directory]; l != nil && l.id.Load() != nil {
			l.do("POST", "/v1/link/"+*l.id.Load()+"/events", batch)
		}
	})
}

// get is the body of a GET of hermes' own interface, empty if that fails.
func (h *hub) get(path string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.address+path, nil)
	req.Header.Set("Authorization", "Bearer "+rig.HookKey)
	code, raw := h.answerTo(req)
	if code != http.StatusOK {
		return ""
	}
	return string(raw)
}

// metric is a value of GET /metrics.
func (h *hub) metric(name string) (value float64) {
	for line := range strings.Lines(h.get("/metrics")) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			_, _ = fmt.Sscan(rest, &value)
		}
	}
	return value
}

// heap is what is in use of it, with what waits to be collected.
func (h *hub) heap() float64 { return h.metric("go_memstats_heap_inuse_bytes") }
