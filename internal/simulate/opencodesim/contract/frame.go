package contract

import (
	"encoding/json"
	"errors"
	"strings"
)

// frame is one frame of an event stream.
type frame struct {
	Directory string
	Project   string
	ID        string
	Type      string
	Raw       string
	Props     struct {
		ID        string     `json:"id"`
		SessionID string     `json:"sessionID"`
		RequestID string     `json:"requestID"`
		Answers   [][]string `json:"answers"`
		Reply     string     `json:"reply"`
		Status    struct {
			Type string `json:"type"`
		} `json:"status"`
		Error struct {
			Name string `json:"name"`
		} `json:"error"`
		Info struct {
			ID        string `json:"id"`
			SessionID string `json:"sessionID"`
		} `json:"info"`
		Part part `json:"part"`
	}
}

// session is the session that an event is about.
func (f frame) session() string {
	for _, id := range []string{f.Props.SessionID, f.Props.Part.SessionID, f.Props.Info.SessionID} {
		if id != "" {
			return id
		}
	}
	return f.Props.Info.ID
}

// label names what the order of events is checked by; empty for all else.
func (f frame) label() string {
	switch f.Type {
	case "session.status":
		return f.Props.Status.Type
	case "session.idle", "session.error", "question.asked", "question.replied", "question.rejected",
		"permission.asked", "permission.replied":
		return f.Type
	case "message.part.updated":
		if f.Props.Part.Type == "tool" {
			return f.Props.Part.Tool + " " + f.Props.Part.State.Status
		}
	}
	return ""
}

func parseFrame(data string) (frame, error) {
	f := frame{Raw: data}
	var env struct {
		Directory string          `json:"directory"`
		Project   string          `json:"project"`
		Payload   json.RawMessage `json:"payload"`
	}
	if err := json.Unmarshal([]byte(data), &env); err != nil {
		return f, err
	}
	f.Directory, f.Project = env.Directory, env.Project
	if env.Payload == nil {
		env.Payload = json.RawMessage(data) // a frame of /event
	}
	body := struct {
		ID         *string `json:"id"`
		Type       *string `json:"type"`
		Properties any     `json:"properties"`
	}{&f.ID, &f.Type, &f.Props}
	err := json.Unmarshal(env.Payload, &body)
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		err = nil // an event of another shape, which no check looks at
	}
	return f, err
}

// labels is the order of a session's events: repeated busy marks are one.
func labels(frames []frame, session string) string {
	var list []string
	for _, f := range frames {
		l := f.label()
		if l == "" || session != "" && f.session() != session || l == "busy" && len(list) > 0 {
			continue
		}
		list = append(list, l)
	}
	return strings.Join(list, ", ")
}
