// Package browser is a browser without a screen that is on the page of hermes try, for
// tests. It fails the test for what it cannot do.
package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"hermes/internal/page"
)

// patience is how long anything that the page shows may take: the whole of the tests may
// run beside it.
const patience = 3 * time.Minute

// Browser is on one page. It is for the test's goroutine.
type Browser struct {
	Root   string       // of the page's address
	Client *http.Client // with the page's cookie
	Now    page.State   // what the page showed last

	t      testing.TB
	states *json.Decoder // of the stream
	stream io.ReadCloser
}

// Open opens the page's address, until the test ends, and follows its state.
func Open(t testing.TB, address string) *Browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &Browser{t: t, Root: strings.Split(address, "/?")[0], Client: &http.Client{Jar: jar}}
	res, err := b.Client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res, err = b.Client.Get(b.Root + "/state"); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("no state: %v, %v", res, err)
	}
	b.stream = res.Body
	t.Cleanup(func() { b.stream.Close(); b.Client.CloseIdleConnections() })
	b.states = json.NewDecoder(&dataLines{from: res.Body})
	b.next()
	return b
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

func (b *Browser) next() {
	b.t.Helper()
	b.Now = page.State{}
	if err := b.states.Decode(&b.Now); err != nil {
		b.t.Fatalf("the stream of states ended: %v", err)
	}
}

// Until follows the state until it is as wanted.
func (b *Browser) Until(what string, cond func(page.State) bool) {
	b.t.Helper()
	late := time.AfterFunc(patience, func() { b.stream.Close() })
	defer late.Stop()
	for !cond(b.Now) {
		last := b.Now
		b.Now = page.State{}
		if err := b.states.Decode(&b.Now); err != nil {
			b.t.Fatalf("%s: not seen (%v) in:\n%s", what, err, inOneLine(last))
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

// Do acts, and fails the test unless that is taken.
func (b *Browser) Do(a page.Action) {
	b.t.Helper()
	if status, body := b.Try(a); status != http.StatusOK {
		b.t.Fatalf("%+v: %d %s", a, status, body)
	}
}

// Try acts, and returns the status and the body of the answer.
func (b *Browser) Try(a page.Action) (int, string) {
	b.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		b.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.Root+"/do", strings.NewReader(string(raw)))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Origin", b.Root)
	res, err := b.Client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// Last is the newest message on a phone.
func Last(s page.State, phone int) page.Message {
	all := s.People[phone].Messages
	if len(all) == 0 {
		return page.Message{}
	}
	return all[len(all)-1]
}

// Tap taps on a phone the button that begins with the label.
func (b *Browser) Tap(phone int, label string) {
	b.t.Helper()
	m := Last(b.Now, phone)
	for _, row := range m.Keys {
		for _, k := range row {
			if strings.HasPrefix(k.Label, label) {
				b.Do(page.Action{Do: "tap", Person: b.Now.People[phone].ID, Message: m.ID, Label: k.Label, Data: k.Data})
				return
			}
		}
	}
	b.t.Fatalf("there is no button %q: %+v", label, m)
}
