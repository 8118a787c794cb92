package opencode2sim

import (
	"net/http"
	"slices"
)

// messageCursor is where a page of messages begins (captures 04, 07).
type messageCursor struct {
	ID        string `json:"id"`
	Order     string `json:"order"`
	Direction string `json:"direction"`
}

// listMessages: newest first unless the order says otherwise (section 5, capture 07).
func listMessages(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	query := r.URL.Query()
	limit, f := limitOf(query, 50)
	if f != nil {
		return no(f)
	}
	c := messageCursor{Order: query.Get("order")}
	if text := query.Get("cursor"); text != "" && !uncursor(text, &c) {
		return no(badCursor())
	}
	if c.Order == "" {
		c.Order = "desc"
	}
	all := slices.Clone(ses.messages)
	if c.Order == "desc" {
		slices.Reverse(all)
	}
	page := pageOf(all, limit, c.Direction, func(m *message) bool { return m.id == c.ID })
	cursors := data{"previous": nil, "next": nil}
	if len(page) > 0 {
		cursors["previous"] = cursor(messageCursor{page[0].id, c.Order, "previous"})
		cursors["next"] = cursor(messageCursor{page[len(page)-1].id, c.Order, "next"})
	}
	return ok(data{"data": r.sim.wireMessages(page), "cursor": cursors})
}

func (s *process) wireMessages(all []*message) []data {
	found := []data{}
	for _, m := range all {
		found = append(found, m.wire(s.names))
	}
	return found
}

func getMessage(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	id := r.PathValue("message")
	for _, m := range ses.messages {
		if m.id == id {
			return wrapped(m.wire(r.sim.names))
		}
	}
	return no(tagged(http.StatusNotFound, "MessageNotFoundError", "Message not found: "+id, data{"sessionID": ses.info.ID, "messageID": id}))
}

func contextMessages(r *request) (answer, *fail) {
	ses, f := r.session()
	if f != nil {
		return no(f)
	}
	return wrapped(r.sim.wireMessages(ses.messages))
}
