package demo

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"hermes/internal/page"
	"hermes/internal/simulate/rig"
)

// visitor is a browser without a screen.
type visitor struct {
	t      *testing.T
	root   string
	client *http.Client
	states *json.Decoder // of the stream
	stream io.ReadCloser
	now    page.State
}

// visit opens the page's address and follows its state.
func visit(t *testing.T, address string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{t: t, root: strings.Split(address, "/?")[0], client: &http.Client{Jar: jar}}
	res, err := v.client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res, err = v.client.Get(v.root + "/state"); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("no state: %v, %v", res, err)
	}
	v.stream = res.Body
	t.Cleanup(func() { v.stream.Close(); v.client.CloseIdleConnections() })
	v.states = json.NewDecoder(&dataLines{from: res.Body})
	v.next()
	return v
}

// dataLines is what stands behind "data:" in a stream of events.
type dataLines struct {
	from io.Reader
	rest []byte
	line []byte
}

func (d *dataLines) Read(p []byte) (int, error) {
	for len(d.rest) == 0 {
		var b [1]byte
		if _, err := d.from.Read(b[:]); err != nil {
			return 0, err
		}
		if d.line = append(d.line, b[0]); b[0] != '\n' {
			continue
		}
		if text, ok := strings.CutPrefix(string(d.line), "data: "); ok {
			d.rest = []byte(text)
		}
		d.line = nil
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

func (v *visitor) next() {
	v.t.Helper()
	v.now = page.State{}
	if err := v.states.Decode(&v.now); err != nil {
		v.t.Fatalf("the stream of states ended: %v", err)
	}
}

// until follows the state until it is as wanted.
func (v *visitor) until(what string, cond func(page.State) bool) {
	v.t.Helper()
	late := time.AfterFunc(rig.VisitorPatience, func() { v.stream.Close() })
	defer late.Stop()
	for !cond(v.now) {
		last := v.now
		v.now = page.State{}
		if err := v.states.Decode(&v.now); err != nil {
			v.t.Fatalf("%s: not seen (%v) in:\n%s", what, err, inOneLine(last))
		}
	}
}

func inOneLine(s page.State) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// do acts, and fails the test unless that is taken.
func (v *visitor) do(a page.Action) {
	v.t.Helper()
	if status, body := v.try(a); status != http.StatusOK {
		v.t.Fatalf("%+v: %d %s", a, status, body)
	}
}

func (v *visitor) try(a page.Action) (int, string) {
	v.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		v.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.root+"/do", strings.NewReader(string(raw)))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Origin", v.root)
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// last is the newest message on a phone.
func last(s page.State, phone int) page.Message {
	all := s.People[phone].Messages
	if len(all) == 0 {
		return page.Message{}
	}
	return all[len(all)-1]
}

func asks(m page.Message, text string) bool { return len(m.Keys) > 0 && strings.Contains(m.Text, text) }

// ask asks a step and waits until both phones show it.
func (v *visitor) ask(step, text string) {
	v.t.Helper()
	v.do(page.Action{Do: "ask", ID: step})
	v.until("the question", func(s page.State) bool {
		return asks(last(s, 0), text) && asks(last(s, 1), text)
	})
}

// tap taps on a phone the button that begins with the label.
func (v *visitor) tap(phone int, label string) {
	v.t.Helper()
	m := last(v.now, phone)
	for _, row := range m.Keys {
		for _, k := range row {
			if strings.HasPrefix(k.Label, label) {
				v.do(page.Action{Do: "tap", Person: v.now.People[phone].ID, Message: m.ID, Label: k.Label, Data: k.Data})
				return
			}
		}
	}
	v.t.Fatalf("there is no button %q: %+v", label, m)
}

// received waits until the agent's newest ask stands so.
func (v *visitor) received(state, text string) {
	v.t.Helper()
	v.until("the agent: "+state+" "+text, func(s page.State) bool {
		a := s.Asks[len(s.Asks)-1]
		return a.State == state && strings.Contains(a.Received, text)
	})
}
