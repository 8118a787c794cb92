package link

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Which numbers of a protocol this hermes takes: its own and the one before it, where there was one. What it refuses it tells the range.
func TestProtocols(t *testing.T) {
	for name, c := range map[string]struct {
		kind     Kind
		protocol int
		status   int
		sentence string
	}{
		"the plugin's":                         {Plugin, Protocol, 200, ""},
		"the oldest of plugins":                {Plugin, OldestProtocol, 200, ""},
		"before the oldest of plugins":         {Plugin, OldestProtocol - 1, 426, "run hermes plugin install"},
		"of a newer plugin":                    {Plugin, Protocol + 1, 426, "update hermes here"},
		"of hermes link run":                   {Service, ServiceProtocol, 200, ""},
		"the oldest of hermes link run":        {Service, OldestServiceProtocol, 200, ""},
		"before the oldest of hermes link run": {Service, OldestServiceProtocol - 1, 426, "update hermes there"},
		"of a newer hermes link run":           {Service, ServiceProtocol + 1, 426, "update hermes here"},
	} {
		t.Run(name, func(t *testing.T) {
			var refused []Hello
			h := New(Config{Refused: func(h Hello) { refused = append(refused, h) }})
			directory := "/src"
			if c.kind == Service {
				directory = ""
			}
			body := fmt.Sprintf(`{"kind":%q,"protocol":%d,"instance":"i","process":"p","pid":7,"directory":%q,"plugin":"1.2.3","complete":true}`, c.kind, c.protocol, directory)
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/link", strings.NewReader(body))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, "laptop")))
			if w.Code != c.status {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if c.status == http.StatusOK {
				return
			}
			var got WrongProtocol
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || !strings.Contains(got.Error, c.sentence) {
				t.Errorf("%s: %v", w.Body, err)
			}
			if oldest, newest := c.kind.protocols(); got.Oldest != oldest || got.Protocol != newest {
				t.Errorf("it tells %d to %d", got.Oldest, got.Protocol)
			}
			if len(refused) != 1 || refused[0].Protocol != c.protocol || refused[0].Token != "laptop" {
				t.Errorf("refused: %+v", refused)
			}
		})
	}
}

// A hermes takes the number before its own, and no more.
func TestProtocols_OneBack(t *testing.T) {
	for _, k := range []Kind{Plugin, Service} {
		if oldest, newest := k.protocols(); newest-oldest > 1 || oldest > newest {
			t.Errorf("of kind %q it takes %d to %d", k, oldest, newest)
		}
	}
}
