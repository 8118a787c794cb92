package model

import "encoding/json"

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
