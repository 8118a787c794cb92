package model

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// answer is one completion: a text, or tool calls, or both.
type answer struct {
	id      string
	model   string
	created int64
	text    string
	calls   []wireToolCall
}

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Delta        *delta  `json:"delta,omitempty"`
	Message      *delta  `json:"message,omitempty"`
	FinishReason *string `json:"finish_reason"`
}

type delta struct {
	Role      string         `json:"role,omitempty"`
	Content   string         `json:"content,omitempty"`
	ToolCalls []wireToolCall `json:"tool_calls,omitempty"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func (a *answer) finish() *string {
	reason := "stop"
	if len(a.calls) > 0 {
		reason = "tool_calls"
	}
	return &reason
}

func (a *answer) completion(object string, c choice) completion {
	return completion{ID: a.id, Object: object, Created: a.created, Model: a.model, Choices: []choice{c}}
}

func (a *answer) whole() completion {
	msg := &delta{Role: "assistant", Content: a.text, ToolCalls: a.calls}
	c := a.completion("chat.completion", choice{Message: msg, FinishReason: a.finish()})
	c.Usage = &usage{10, 5, 15}
	return c
}

// stream sends the text in small pieces, each tool call in one, and the end.
func (a *answer) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(d delta, finish *string) {
		c := a.completion("chat.completion.chunk", choice{Delta: &d, FinishReason: finish})
		if finish != nil {
			c.Usage = &usage{10, 5, 15}
		}
		sendFrame(w, c)
	}
	send(delta{Role: "assistant"}, nil)
	for _, piece := range pieces(a.text, 12) {
		send(delta{Content: piece}, nil)
	}
	for _, call := range a.calls {
		send(delta{ToolCalls: []wireToolCall{call}}, nil)
	}
	send(delta{}, a.finish())
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func sendFrame(w http.ResponseWriter, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("model: " + err.Error()) // plain structs always encode
	}
	fmt.Fprintf(w, "data: %s\n\n", raw)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// pieces cuts text into strings of n characters.
func pieces(text string, n int) []string {
	var list []string
	for runes := []rune(text); len(runes) > 0; {
		k := min(n, len(runes))
		list = append(list, string(runes[:k]))
		runes = runes[k:]
	}
	return list
}
