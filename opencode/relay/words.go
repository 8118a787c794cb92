package relay

import "encoding/json"

// maxSpeakers bounds of how many sessions the last words are kept.
const maxSpeakers = 256

// lastWords are the last texts of the sessions that hermes does not follow. They cross only if the
// session asks something next: then people see what the agent wrote before. Not safe for concurrent use.
type lastWords map[string]frame

// before notes an event. It gives the words that cross before it; false: there are none.
func (w lastWords) before(text string) (frame, bool) {
	var e struct {
		Type string
		Data struct {
			SessionID string
			Form      struct{ SessionID string }
		}
	}
	if json.Unmarshal([]byte(text), &e) != nil {
		return frame{}, false
	}
	switch e.Type {
	case "session.text.ended":
		if len(w) >= maxSpeakers {
			clear(w)
		}
		if words, ok := crossing(text, func(string) bool { return true }); ok {
			w[e.Data.SessionID] = words
		}
		return frame{}, false
	case "form.created":
		return w.take(e.Data.Form.SessionID)
	case "permission.asked", "permission.v2.asked":
		return w.take(e.Data.SessionID)
	case "session.execution.succeeded", "session.execution.failed", "session.execution.interrupted", "session.deleted":
		delete(w, e.Data.SessionID)
	}
	return frame{}, false
}

func (w lastWords) take(session string) (frame, bool) {
	words, ok := w[session]
	delete(w, session)
	return words, ok
}
