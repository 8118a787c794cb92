package model

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Request is one completion request, as far as it matters here.
type Request struct {
	Model    string
	Messages []Message
	// Tools are the names of the tools that were offered.
	Tools []string
	// Stream tells whether the answer was to be streamed.
	Stream bool
}

// Message is one message of a Request. Text is the text content, Images are the URLs of
// the pictures; ToolCalls are those of an assistant's message; ToolCallID is what a
// tool's message answers.
type Message struct {
	Role       string
	Text       string
	Images     []string
	ToolCalls  []ToolCall
	ToolCallID string
}

// ToolCall is a tool call that the model made earlier.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

type wireRequest struct {
	Model    string        `json:"model"`
	Stream   bool          `json:"stream"`
	Messages []wireMessage `json:"messages"`
	Tools    []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []wireToolCall  `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type wireToolCall struct {
	Index    int          `json:"index"`
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (w wireRequest) request() Request {
	r := Request{Model: w.Model, Stream: w.Stream}
	for _, m := range w.Messages {
		r.Messages = append(r.Messages, m.message())
	}
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	return r
}

func (w wireMessage) message() Message {
	m := Message{Role: w.Role, Text: contentText(w.Content), Images: contentImages(w.Content), ToolCallID: w.ToolCallID}
	for _, c := range w.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, ToolCall{c.ID, c.Function.Name, c.Function.Arguments})
	}
	return m
}

// contentText is the text of a content that is a string or a list of parts,
// which are joined by lines.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for i, p := range parts {
		if i > 0 {
			text += "\n"
		}
		text += p.Text
	}
	return text
}

// contentImages are the URLs of the pictures in a content that is a list of parts.
func contentImages(raw json.RawMessage) []string {
	var parts []struct {
		Image struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	var urls []string
	for _, p := range parts {
		if p.Image.URL != "" {
			urls = append(urls, p.Image.URL)
		}
	}
	return urls
}

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
