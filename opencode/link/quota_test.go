package link_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// machines is a journal behind its guard, for two machines with a token each; "" is the API's.
type machines struct {
	*journal
	tokens  map[string]secret.Text
	hub     http.Handler
	revoked string // since the request was let through
}

func newMachines(t *testing.T) *machines {
	m := &machines{}
	*m = machines{journal: newJournal(t, link.Config{Valid: func(name string) bool { return m.revoked == "" || name != m.revoked }, Requests: 1024}), tokens: map[string]secret.Text{"": "the API's token", "a": link.NewToken(), "b": link.NewToken()}}
	m.hub = link.Access{API: m.tokens[""], Link: func(h link.Hash) (string, bool) {
		for name, token := range m.tokens {
			if name != "" && link.HashOf(token) == h {
				return name, true
			}
		}
		return "", false
	}}.GuardLinks(m.Hub)
	return m
}

func (m *machines) as(ctx context.Context, name, method, path string, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, method, path, body)
	r.Header.Set("Authorization", "Bearer "+m.tokens[name].Reveal())
	w := httptest.NewRecorder()
	m.hub.ServeHTTP(w, r)
	return w
}

// opens says with which status a machine's hello is answered.
func (m *machines) opens(t *testing.T, name, hello string) int {
	t.Helper()
	return m.as(t.Context(), name, "POST", "/v1/link", strings.NewReader(hello)).Code
}

func (m *machines) newest() *link.Link { return m.links[len(m.links)-1] }

func TestQuota_Links(t *testing.T) {
	m := newMachines(t)
	for i := range 64 {
		if code := m.opens(t, "a", hello("i", "p", fmt.Sprint("/", i))); code != 200 {
			t.Fatalf("link %d gave %d", i, code)
		}
	}
	for _, c := range []struct {
		name, process, directory string
		want                     int
	}{
		{"a", "p", "/more", 429},
		{"a", "p", "/0", 200}, // takes the place of the first
		{"b", "q", "/0", 200}, // a noisy machine keeps no other one out
		{"", "r", "/0", 200},
	} {
		if got := m.opens(t, c.name, hello("i", c.process, c.directory)); got != c.want {
			t.Errorf("%q opening %s gave %d, want %d", c.name, c.directory, got, c.want)
		}
	}
	m.as(t.Context(), "a", "POST", "/v1/link/"+m.links[1].ID()+"/events", strings.NewReader(`{"events":[{"type":"hermes.closed"}]}`))
	if got := m.opens(t, "a", hello("i", "p", "/more")); got != 200 {
		t.Errorf("after one has closed, another one gave %d", got)
	}
}

func TestQuota_LinksOfTheAPIToken(t *testing.T) {
	m := newMachines(t)
	for i := range 256 {
		m.opens(t, "", hello("i", "p", fmt.Sprint("/", i)))
	}
	if got := m.opens(t, "", hello("i", "p", "/more")); got != 429 || len(m.links) != 256 {
		t.Errorf("one more than %d gave %d", len(m.links), got)
	}
}

// When there are as many links as the Hub takes, it is told who was refused, and those that are open stay.
func TestHub_IsFull(t *testing.T) {
	var refused []string
	j := newJournal(t, link.Config{Links: 3, Full: func(h link.Hello) { refused = append(refused, h.Directory) }})
	open := func(directory string) int {
		w := httptest.NewRecorder()
		j.ServeHTTP(w, httptest.NewRequest("POST", "/v1/link", strings.NewReader(hello("i", "p", directory))))
		return w.Code
	}
	for i, want := range []int{200, 200, 200, 503} {
		if got := open(fmt.Sprint("/", i)); got != want {
			t.Errorf("link %d gave %d", i, got)
		}
	}
	if got := open("/1"); got != 200 {
		t.Errorf("one that replaces another gave %d", got)
	}
	if !slices.Equal(refused, []string{"/3"}) {
		t.Errorf("refused were %q", refused)
	}
}

// slowBody never ends; it is read until the request is given up.
type slowBody struct{ ctx context.Context }

func (b slowBody) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, io.ErrUnexpectedEOF
}

func TestQuota_Bodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachines(t)
		ctx, cancel := context.WithCancel(t.Context())
		for range 1024 { // two are read, of 8 MiB at the most; the rest wait
			go m.as(ctx, "a", "POST", "/v1/link", slowBody{ctx})
		}
		synctest.Wait()
		if got := m.opens(t, "a", hello("i", "p", "/d")); got != 429 {
			t.Errorf("a request beyond those that wait gave %d", got)
		}
		if got := m.opens(t, "b", hello("i", "q", "/d")); got != 200 {
			t.Errorf("the other machine's hello gave %d meanwhile", got)
		}
		cancel()
		synctest.Wait()
		if got := m.opens(t, "a", hello("i", "p", "/d")); got != 200 {
			t.Errorf("afterwards the first machine's hello gave %d", got)
		}
	})
}

func TestLinks_BelongToTheirToken(t *testing.T) {
	m := newMachines(t)
	m.opens(t, "a", hello("i", "p", "/d"))
	l := m.newest()
	if l.Hello().Token != "a" {
		t.Errorf("the link is of %q", l.Hello().Token)
	}
	for _, other := range []string{"b", ""} {
		for path, body := range map[string]string{"calls": "", "results": `{"id":"1","status":200}`, "events": `{"events":[{"type":"hermes.closed"}]}`} {
			method := map[bool]string{true: "GET", false: "POST"}[path == "calls"]
			if got := m.as(t.Context(), other, method, "/v1/link/"+l.ID()+"/"+path, strings.NewReader(body)).Code; got != 410 {
				t.Errorf("%s with the token of %q gave %d", path, other, got)
			}
		}
		for _, directory := range []string{"/d", "/e"} { // a process of its own, whatever it is called
			if got := m.opens(t, other, hello("j", "p", directory)); got != 200 || m.newest() == l || m.newest().Hello().Token != other {
				t.Errorf("%q opening %s gave %d", other, directory, got)
			}
		}
	}
	if l.Reason() != link.Open {
		t.Errorf("the link has ended: %v", l.Reason())
	}
}

// A link whose token is revoked while its request is on the way is not opened.
func TestLinks_AreNotOpenedByARevokedToken(t *testing.T) {
	m := newMachines(t)
	m.revoked = "a"
	if got := m.opens(t, "a", hello("1", "p", "/d")); got != 401 || len(m.links) > 0 {
		t.Errorf("it gave %d", got)
	}
	if got := m.opens(t, "b", hello("1", "p", "/d")); got != 200 {
		t.Errorf("another one gave %d", got)
	}
}

func TestQuota_Opening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachines(t)
		opened := 0
		for range 400 {
			if m.opens(t, "a", hello("i", "p", "/d")) == 200 {
				opened++
			}
		}
		if opened != 256 {
			t.Errorf("%d of 400 links were opened at once", opened)
		}
		if got := m.opens(t, "b", hello("i", "p", "/d")); got != 200 {
			t.Errorf("the other machine's gave %d", got)
		}
		time.Sleep(2 * time.Second)
		if got := m.opens(t, "a", hello("i", "p", "/d")); got != 200 {
			t.Errorf("after a while it gave %d", got)
		}
		m.Close()
	})
}

func TestQuota_Revoke(t *testing.T) {
	m := newMachines(t)
	m.opens(t, "a", hello("1", "p", "/d"))
	m.opens(t, "a", hello("2", "p", "/e"))
	m.opens(t, "b", hello("3", "q", "/d"))
	delete(m.tokens, "a")
	m.Revoke("a")
	if m.links[0].Reason() != link.Revoked || m.links[1].Reason() != link.Revoked || m.links[2].Reason() != link.Open {
		t.Errorf("the links are %v, %v and %v", m.links[0].Reason(), m.links[1].Reason(), m.links[2].Reason())
	}
	if got := m.as(t.Context(), "a", "GET", "/v1/link", nil).Code; got != 401 {
		t.Errorf("the token that was revoked gave %d", got)
	}
}

func TestQuota_Whoami(t *testing.T) {
	m := newMachines(t)
	for name := range m.tokens {
		if w := m.as(t.Context(), name, "GET", "/v1/link", nil); w.Code != 200 || strings.TrimSpace(w.Body.String()) != fmt.Sprintf(`{"name":%q}`, name) {
			t.Errorf("%q is told %d %s", name, w.Code, w.Body)
		}
	}
}
