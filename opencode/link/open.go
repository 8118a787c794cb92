package link

import (
	"cmp"
	"crypto/rand"
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
	hello, err := parseHello(raw)
	hello.Token, hello.Local = tokenOf(r), IsLocal(r)
	if err == nil && hello.Kind == Service && hello.Token == "" {
		err = refusal{http.StatusForbidden, "hermes link run takes the token of a link alone; hermes link add makes one"}
	}
	l := newLink(rand.Text(), hello)
	if err == nil {
		err = h.startLink(l)
	}
	no := refusal{status: http.StatusBadRequest}
	switch {
	case err == nil:
		answer(w, Opened{l.id, int(h.config.Poll.Seconds()), h.config.Remote})
		return
	case err == errProtocol:
		tell(h.config.Refused, hello)
		refuseProtocol(w, hello)
		return
	case err == errFull:
		tell(h.config.Full, hello)
	}
	errors.As(err, &no)
	refuse(w, no.status, err.Error())
}

// tell gives a hello to a function of Config, if there is one.
func tell(of func(Hello), hello Hello) {
	if of != nil {
		of(hello)
	}
}

// Opened is the answer to a hello.
type Opened struct {
	Link   string `json:"link"`
	Poll   int    `json:"poll"` // seconds for which a poll without calls is held
	Remote bool   `json:"remote"`
}

// WrongProtocol is the answer to a hello of a protocol number that this hermes does not take. A hermes from before there were links of services
// does not tell its own.
type WrongProtocol struct {
	Error    string `json:"error"`
	Protocol int    `json:"protocol"` // that a link of this kind speaks
}

// refuseProtocol says what has to be updated.
func refuseProtocol(w http.ResponseWriter, h Hello) {
	want := h.Kind.protocol()
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
	writeRefusal(w, http.StatusUpgradeRequired, WrongProtocol{sentence, want})
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

// errProtocol: a hello has a protocol number that this hermes does not take.
var errProtocol = errors.New("another protocol")

// parseHello reads a hello. With errProtocol it gives what somebody of another protocol says of himself, so far as this one's names, types
// and limits fit.
func parseHello(raw []byte) (Hello, error) {
	var hello Hello
	malformed := decode(raw, &hello)
	if isObject(raw) && hello.Protocol != hello.Kind.protocol() {
		malformed = errProtocol
	}
	directory := 1
	if hello.Kind == Service {
		directory = 0
	}
	err := cmp.Or(malformed, checkNumbers(hello))
	for _, field := range []struct {
		name     string
		value    *string
		min, max int
	}{
		{"kind", (*string)(&hello.Kind), 0, 32},
		{"instance", &hello.Instance, 1, 128},
		{"process", &hello.Process, 1, 128},
		{"directory", &hello.Directory, directory, 4096},
		{"resolved", &hello.Resolved, 0, 4096},
		{"host", &hello.Host, 0, 255},
		{"url", &hello.URL, 0, 255},
		{"version", &hello.Version, 0, 64},
		{"plugin", &hello.Plugin, 0, 64},
	} {
		if n := len(*field.value); n < field.min || n > field.max {
			err = cmp.Or(err, fmt.Errorf("%q must have %d to %d bytes", field.name, field.min, field.max))
			*field.value = ""
		}
	}
	return hello, err
}

func checkNumbers(hello Hello) error {
	switch {
	case hello.Kind != Plugin && hello.Kind != Service:
		return errors.New(`"kind" must be "service" or absent`)
	case hello.PID < 0:
		return errors.New(`"pid" must not be negative`)
	case hello.Kind == Service && hello.PID == 0:
		return errors.New(`"pid" must be that of the service`)
	}
	return nil
}
