// Package model is a scripted language model behind the HTTP API that OpenCode
// and others speak to OpenAI-compatible providers: POST /v1/chat/completions,
// streamed or whole, and GET /v1/models.
//
// It thinks nothing. The last message decides the answer: a user's message is
// read in the script language of [Parse], so a prompt says which tools are
// called with which arguments; tool results are echoed ([Echo]); a request for
// a title gets [Title]. Every request is recorded, so that a test can read
// exactly what a model would have been told.
//
// With it a real OpenCode asks real questions without a provider, a key or
// cost.
package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Title is the answer to every request for a title.
const Title = "Scripted session"

// maxBody bounds a completion request; OpenCode sends the whole conversation.
const maxBody = 16 << 20

// Model is a scripted model. It is an http.Handler, safe for concurrent use;
// its record lasts as long as it does.
type Model struct {
	mux *http.ServeMux

	mu       sync.Mutex
	requests []Request
	changed  chan struct{} // closed and replaced at every request
	calls    int
	failed   map[string]int // requests that were refused, by their prompt
}

// New makes a Model with an empty record.
func New() *Model {
	m := &Model{mux: http.NewServeMux(), changed: make(chan struct{}), failed: map[string]int{}}
	m.mux.HandleFunc("GET /v1/models", m.models)
	m.mux.HandleFunc("POST /v1/chat/completions", m.complete)
	return m
}

// ServeHTTP serves the provider's API.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.mux.ServeHTTP(w, r) }

func (m *Model) models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, map[string]any{"object": "list", "data": []map[string]string{
		{"id": "scripted", "object": "model", "owned_by": "hermes"},
	}})
}

func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	var in wireRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in); err != nil {
		http.Error(w, `{"error":{"message":"the body is no completion request","type":"invalid_request_error"}}`, http.StatusBadRequest)
		return
	}
	req := in.request()
	n, first := m.record(req), actions(req)[0]
	select {
	case <-time.After(first.Delay):
	case <-r.Context().Done():
		return
	}
	if m.fails(req, first) {
		http.Error(w, `{"error":{"message":"scripted failure","type":"invalid_request_error","code":"scripted"}}`, first.Status)
		return
	}
	a := m.answer(n, req)
	if req.Stream {
		a.stream(w)
		return
	}
	writeJSON(w, a.whole())
}

// record keeps a request and returns how many there were before.
func (m *Model) record(req Request) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, req)
	close(m.changed)
	m.changed = make(chan struct{})
	return len(m.requests) - 1
}

func (m *Model) answer(n int, req Request) *answer {
	a := &answer{id: fmt.Sprintf("chatcmpl-%d", n), model: req.Model, created: time.Now().Unix()}
	for _, act := range actions(req) {
		if act.Tool == "" {
			a.text += act.Text
			continue
		}
		a.calls = append(a.calls, wireToolCall{
			Index: len(a.calls), ID: m.callID(), Type: "function",
			Function: wireFunction{act.Tool, string(act.Args)},
		})
	}
	return a
}

// fails tells whether a request is answered with the script's status: until it came as
// often as the script says, for ever if that is 0 times.
func (m *Model) fails(req Request, first Action) bool {
	if first.Status == 0 {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	prompt := req.Messages[len(req.Messages)-1].Text
	m.failed[prompt]++
	return first.Times == 0 || m.failed[prompt] <= first.Times
}

// callID names a call of an answer. It is unique also among the Models of different
// processes.
func (m *Model) callID() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	return fmt.Sprintf("call_%d_%d", time.Now().UnixMilli(), m.calls)
}

// actions decides what the model does: the whole script interpreter.
func actions(req Request) []Action {
	if len(req.Messages) == 0 {
		return []Action{{Text: "You said nothing."}}
	}
	if wantsTitle(req) {
		return []Action{{Text: Title}}
	}
	if results := trailingResults(req.Messages); results != nil {
		return []Action{{Text: Echo(results...)}}
	}
	return Parse(req.Messages[len(req.Messages)-1].Text)
}

// wantsTitle knows OpenCode's title generator by its system prompt (the same
// words in 1.1.53 and 1.18.33).
func wantsTitle(req Request) bool {
	for _, msg := range req.Messages {
		if msg.Role == "system" && strings.Contains(msg.Text, "title generator") {
			return true
		}
	}
	return false
}

// trailingResults are the tool results after which the model is to speak.
func trailingResults(messages []Message) []string {
	var results []string
	for i := len(messages) - 1; i >= 0 && messages[i].Role == "tool"; i-- {
		results = append([]string{messages[i].Text}, results...)
	}
	return results
}
