package link

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// serveOpen answers POST /v1/link.
func (h *Hub) serveOpen(w http.ResponseWriter, r *http.Request) {
	raw, ok := readBody(w, r)
	if !ok {
		return
	}
	if other, ok := helloOfOther(raw); ok {
		other.Token = tokenOf(r)
		if h.config.Refused != nil {
			h.config.Refused(other)
		}
		refuseProtocol(w, other)
		return
	}
	hello, err := parseHello(raw)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if hello.Token = tokenOf(r); hello.Kind == Service && hello.Token == "" {
		refuse(w, http.StatusForbidden, "hermes link run takes the token of a link alone; hermes link add makes one")
		return
	}
	hello.Local = IsLocal(r)
	l := newLink(rand.Text(), hello)
	l.size = len(raw)
	if err := h.startLink(l); err != nil {
		var no refusal
		errors.As(err, &no) // start makes no other error
		if no == errFull && h.config.Full != nil {
			h.config.Full(hello)
		}
		refuse(w, no.status, no.sentence)
		return
	}
	answer(w, Opened{l.id, int(h.config.Poll.Seconds()), h.config.Remote})
}

// Opened is the answer to a hello.
type Opened struct {
	Link   string `json:"link"`
	Poll   int    `json:"poll"` // seconds for which a poll without calls is held
	Remote bool   `json:"remote"`
}

// WrongProtocol is the answer to a hello of a protocol number that this hermes does not take. A hermes from before there were links of services
// does not tell its own; one from before Oldest takes Protocol alone.
type WrongProtocol struct {
	Error    string `json:"error"`
	Protocol int    `json:"protocol"` // the newest that a link of this kind may speak
	Oldest   int    `json:"oldest"`   // the oldest
}

// refuseProtocol says what has to be updated.
func refuseProtocol(w http.ResponseWriter, h Hello) {
	oldest, want := h.Kind.protocols()
	sentence := fmt.Sprintf("this hermes speaks link protocol %d, the plugin %d; run hermes plugin install and restart OpenCode", want, h.Protocol)
	if h.Kind != Service && h.Protocol > want {
		sentence = fmt.Sprintf("this hermes speaks link protocol %d, and the plugin %d; update hermes here", want, h.Protocol)
	}
	if h.Kind == Service {
		where := "there"
		if h.Protocol > want {
			where = "here"
		}
		sentence = fmt.Sprintf("this hermes speaks link protocol %d with hermes link run, and that one %d; update hermes %s", want, h.Protocol, where)
	}
	writeRefusal(w, http.StatusUpgradeRequired, WrongProtocol{sentence, want, oldest})
}

// serveName answers GET /v1/link: it tells a plugin's installer whose token it has, so that no new one is made for nothing.
func (h *Hub) serveName(w http.ResponseWriter, r *http.Request) {
	name := tokenOf(r)
	if h.config.Name != nil && name != "" {
		name = h.config.Name(name)
	}
	answer(w, struct {
		Name string `json:"name"` // of the link; empty: the token is the API's
	}{name})
}

// helloOfOther is what somebody of another protocol number says of himself, so far as this one's names and limits fit; false: the number is
// right, or is not there.
func helloOfOther(raw []byte) (Hello, bool) {
	var speaks struct {
		Protocol *int
		Kind     text
	}
	if json.Unmarshal(raw, &speaks) != nil || speaks.Protocol == nil || Kind(speaks.Kind).takes(*speaks.Protocol) {
		return Hello{}, false
	}
	var fields struct{ Plugin, Process, Host, Directory, Version text }
	_ = json.Unmarshal(raw, &fields) // an object, as it has a protocol
	short := func(t text, most int) string {
		if len(t) > most {
			return ""
		}
		return string(t)
	}
	return Hello{
		Kind: Kind(short(speaks.Kind, 32)), Protocol: *speaks.Protocol, Plugin: short(fields.Plugin, 64), Process: short(fields.Process, 128),
		Host: short(fields.Host, 255), Directory: short(fields.Directory, 4096), Version: short(fields.Version, 64),
	}, true
}

// text takes any JSON value; it is empty for one that is no string.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = text(s)
	}
	return nil
}

// startLink closes what l replaces, then reports l as opened. The lock on order keeps events and the end of l behind that.
func (h *Hub) startLink(l *Link) error {
	l.order.Lock()
	defer l.order.Unlock()
	replaced, err := h.addLink(l)
	if err != nil {
		return err
	}
	for _, old := range replaced {
		h.tellEnd(old, Replaced)
	}
	if h.config.Opened != nil {
		h.config.Opened(l)
	}
	h.tellSeen(l)
	l.startGrace(0, h.config.Grace, h.closeLost)
	return nil
}

func parseHello(raw []byte) (Hello, error) {
	var hello Hello
	if err := decode(raw, &hello); err != nil {
		return Hello{}, err
	}
	if hello.Kind != Plugin && hello.Kind != Service {
		return Hello{}, errors.New(`"kind" must be "service" or absent`)
	}
	directory := 1
	if hello.Kind == Service {
		directory = 0
	}
	for _, field := range []struct {
		name, value string
		min, max    int
	}{
		{"instance", hello.Instance, 1, 128},
		{"process", hello.Process, 1, 128},
		{"directory", hello.Directory, directory, 4096},
		{"resolved", hello.Resolved, 0, 4096},
		{"host", hello.Host, 0, 255},
		{"url", hello.URL, 0, 255},
		{"version", hello.Version, 0, 64},
		{"plugin", hello.Plugin, 0, 64},
	} {
		if n := len(field.value); n < field.min || n > field.max {
			return Hello{}, fmt.Errorf("%q must have %d to %d bytes", field.name, field.min, field.max)
		}
	}
	var err error
	if hello.Questions, err = list("questions", hello.Questions); err != nil {
		return Hello{}, err
	}
	if hello.Permissions, err = list("permissions", hello.Permissions); err != nil {
		return Hello{}, err
	}
	return hello, checkNumbers(hello)
}

func checkNumbers(hello Hello) error {
	if !hello.Kind.takes(hello.Protocol) {
		return errors.New(`"protocol" is missing`)
	}
	if hello.PID < 0 {
		return errors.New(`"pid" must not be negative`)
	}
	if hello.Kind == Service && hello.PID == 0 {
		return errors.New(`"pid" must be that of the service`)
	}
	return nil
}

// list returns raw if it is a JSON array; an absent one and null are the empty array.
func list(name string, raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("[]"), nil
	}
	if raw[0] != '[' {
		return nil, fmt.Errorf("%q must be an array", name)
	}
	return raw, nil
}
