package link

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// serveResults answers POST /v1/link/{id}/results. A result that nobody waits for any more is dropped.
func (h *Hub) serveResults(w http.ResponseWriter, r *http.Request, l *Link) {
	var got Result
	if !readJSON(w, r, &got) {
		return
	}
	number, err := strconv.Atoi(got.ID)
	if err != nil {
		refuse(w, http.StatusBadRequest, `"id" must be the id of a call`)
		return
	}
	if got.Error == "" && (got.Status < 100 || got.Status > 599) {
		refuse(w, http.StatusBadRequest, `a result needs a "status" from 100 to 599, or an "error"`)
		return
	}
	l.settleCall(number, got)
	w.WriteHeader(http.StatusNoContent)
}

func (l *Link) settleCall(number int, got Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.handed[number]; c != nil {
		delete(l.handed, number)
		c.result <- got
	}
}

// The events with which a link speaks of itself.
const (
	ClosedEvent       = "hermes.closed"       // the farewell, of the plugin or of a service that has ended; it is not passed on
	AliveEvent        = "hermes.alive"        // of a Service: a heartbeat came in its event stream
	DisconnectedEvent = "hermes.disconnected" // of a Service: its event stream has ended
)

// serveEvents answers POST /v1/link/{id}/events. Nothing of a malformed batch is passed on, and nothing behind a farewell.
func (h *Hub) serveEvents(w http.ResponseWriter, r *http.Request, l *Link) {
	var batch struct{ Events []json.RawMessage }
	if !readJSON(w, r, &batch) {
		return
	}
	farewell := len(batch.Events)
	for n, event := range batch.Events {
		switch eventType(event) {
		case "":
			refuse(w, http.StatusBadRequest, `every event must be an object with a "type"`)
			return
		case ClosedEvent:
			farewell = min(farewell, n)
		}
	}
	if !h.passEvents(l, batch.Events[:farewell]) {
		refuseUnknown(w)
		return
	}
	if farewell < len(batch.Events) {
		h.closeLink(l, Disposed)
	}
	w.WriteHeader(http.StatusNoContent)
}

// passEvents hands the events on, in order, and reports whether the link was still open for them.
func (h *Hub) passEvents(l *Link, events []json.RawMessage) bool {
	l.order.Lock()
	defer l.order.Unlock()
	if l.Reason() != Open {
		return false
	}
	for _, event := range events {
		if h.config.Event != nil {
			h.config.Event(l, event)
		}
	}
	return true
}

// eventType is empty if event is not an object with a type.
func eventType(event json.RawMessage) string {
	var head struct{ Type string }
	if !isObject(event) || json.Unmarshal(event, &head) != nil {
		return ""
	}
	return head.Type
}
