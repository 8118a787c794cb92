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

// Which numbers of a protocol this hermes takes. What it refuses it tells its own.
func TestProtocols(t *testing.T) {
	for name, c := range map[string]struct {
		kind     Kind
		protocol int
		status   int
		sentence string
	}{
		"the plugin's":                {Plugin, Protocol, 200, ""},
		"of an older plugin":          {Plugin, Protocol - 1, 426, "run hermes plugin install"},
		"of a newer plugin":           {Plugin, Protocol + 1, 426, "update hermes here"},
		"of hermes link run":          {Service, ServiceProtocol, 200, ""},
		"of an older hermes link run": {Service, ServiceProtocol - 1, 426, "update hermes there"},
		"of a newer hermes link run":  {Service, ServiceProtocol + 1, 426, "update hermes here"},
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
			if got.Protocol != c.kind.protocol() {
				t.Errorf("it tells %d", got.Protocol)
			}
			if len(refused) != 1 || refused[0].Protocol != c.protocol || refused[0].Token != "laptop" {
				t.Errorf("refused: %+v", refused)
			}
		})
	}
}
