package standby_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/standby"
)

// world is what is at each address: "acts", "standby", "hangs", "dead", "refuses", "gateway" or "breaks", which acts and breaks off requests.
type world struct {
	mu sync.Mutex
	is map[string]string
}

func newWorld(a, b string) *world { return &world{is: map[string]string{"A": a, "B": b}} }

func (w *world) set(address, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.is[address] = what
}

func (w *world) get(address string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.is[address]
}

const standbySays = `{"error":"standby","standby":true,"acting":"https://elsewhere.example"}`

var errBroken = errors.New("connection reset")

func (w *world) at(ctx context.Context, address, what string) (*http.Response, error) {
	switch w.get(address) {
	case "standby":
		return says(503, standbySays), nil
	case "hangs":
		<-ctx.Done()
		return nil, ctx.Err()
	case "dead":
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	case "refuses":
		return says(401, "{}"), nil
	case "gateway":
		return says(502, ""), nil
	case "breaks":
		if what != "ping" {
			return nil, errBroken
		}
	}
	return says(200, address), nil
}

func says(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body))}
}

func (w *world) addresses(list ...string) *standby.Addresses {
	return standby.NewAddresses(list, func(ctx context.Context, address string) error {
		res, err := w.at(ctx, address, "ping")
		if err != nil {
			return err
		}
		return standby.Judge(address, res)
	})
}

// do makes a request, and returns who answered it.
func (w *world) do(t *testing.T, a *standby.Addresses, sent *[]string) (string, error) {
	t.Helper()
	res, err := a.Do(t.Context(), func(ctx context.Context, address string) (*http.Response, error) {
		*sent = append(*sent, address)
		return w.at(ctx, address, "request")
	})
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}

func TestAddresses_Do(t *testing.T) {
	for name, c := range map[string]struct {
		a, b  string
		by    string // who answers
		says  string // else the error
		most  time.Duration
		calls string
	}{
		"the first acts":      {"acts", "standby", "A", "", 0, "A"},
		"the second acts":     {"standby", "acts", "B", "", 0, "B"},
		"dead":                {"dead", "acts", "B", "", 0, "B"},
		"hangs":               {"hangs", "acts", "B", "", 0, "B"},
		"a proxy of nothing":  {"gateway", "acts", "B", "", 0, "B"},
		"another refuses":     {"refuses", "acts", "B", "", 0, "B"},
		"refused":             {"refuses", "dead", "{}", "", 0, "A"}, // what is answered says why
		"nobody":              {"dead", "dead", "", "connection refused", 0, ""},
		"one does not answer": {"dead", "hangs", "", "B does not answer within 3s", 3 * time.Second, ""},
		"standbys alone":      {"standby", "standby", "", "is a standby", 10 * time.Second, ""},
		"dead and standby":    {"dead", "standby", "", "is a standby", 10 * time.Second, ""},
		"outcome not known":   {"breaks", "standby", "", "connection reset", 0, "A"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, sent, began := newWorld(c.a, c.b), []string(nil), time.Now()
				by, err := w.do(t, w.addresses("A", "B"), &sent)
				if by != c.by || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %q, %v", by, err)
				}
				if took := time.Since(began); took != c.most {
					t.Errorf("it took %v, want %v", took, c.most)
				}
				if got := strings.Join(sent, " "); got != c.calls {
					t.Errorf("requests went to %q, want %q", got, c.calls)
				}
			})
		})
	}
}

// With one address there is nothing to seek: the answer is what it was, but that of a standby is told apart.
func TestAddresses_One(t *testing.T) {
	for what, want := range map[string]string{"acts": "", "refuses": "", "gateway": "", "dead": "connection refused", "standby": "is a standby"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(what, "")
			a := standby.NewAddresses([]string{"A"}, func(context.Context, string) error { t.Error("a ping was sent"); return nil })
			_, err := w.do(t, a, new([]string))
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v", what, err)
			}
		})
	}
}

// A request that waits for long is made again at the hermes that took over, if it was certainly not carried out, and fails soon if it may have been.
func TestAddresses_ATakeover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, sent := newWorld("acts", "standby"), []string(nil)
		a := w.addresses("A", "B")
		if by, err := w.do(t, a, &sent); by != "A" || err != nil {
			t.Fatalf("got %q, %v", by, err)
		}
		w.set("A", "hangs") // its process was stopped
		began := time.Now()
		if _, err := w.do(t, a, &sent); err == nil || !strings.Contains(err.Error(), "A does not answer within 3s") {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("it was left after %v", took)
		}
		time.AfterFunc(2*time.Second, func() { w.set("B", "acts") })
		began = time.Now()
		if by, err := w.do(t, a, &sent); by != "B" || err != nil || time.Since(began) > 3*time.Second {
			t.Errorf("got %q, %v after %v", by, err, time.Since(began))
		}
		w.set("B", "standby") // it was deposed
		w.set("A", "acts")
		if by, err := w.do(t, a, &sent); by != "A" || err != nil {
			t.Errorf("got %q, %v", by, err)
		}
		w.set("A", "dead")
		time.AfterFunc(7*time.Second, func() { w.set("B", "acts") })
		if by, err := w.do(t, a, &sent); by != "B" || err != nil {
			t.Errorf("got %q, %v", by, err)
		}
	})
}

func TestAddresses_AnAskingThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := newWorld("standby", "hangs").addresses("A", "B").Acting(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestReplyOf_ABodyStaysReadable(t *testing.T) {
	long := `{"standby":false,"error":"` + strings.Repeat("x", 10_000) + `"}`
	for _, c := range []struct {
		status int
		body   string
		want   bool
	}{
		{503, standbySays, true}, {200, standbySays, false}, {503, long, false}, {503, `"standby"`, false}, {503, "", false}, {503, `{"standby":"yes"}`, false},
	} {
		res := says(c.status, c.body)
		if _, got := standby.ReplyOf(res); got != c.want {
			t.Errorf("%d %.40s: got %v", c.status, c.body, got)
		}
		if text, err := io.ReadAll(res.Body); string(text) != c.body || err != nil {
			t.Errorf("%d %.40s: the body became %.40s, %v", c.status, c.body, text, err)
		}
	}
}
