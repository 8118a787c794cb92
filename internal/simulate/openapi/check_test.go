package openapi_test

import (
	"net/http"
	"strings"
	"testing"

	"hermes/internal/api"
	"hermes/internal/simulate/openapi"
)

// What the document has passes, and nothing else does.
func TestCheck(t *testing.T) {
	d, err := openapi.Parse(api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	const asJSON, lines = "application/json", "application/x-ndjson"
	entry := `{"number":1,"at":"2026-11-22T10:00:00Z","kind":"asked","hash":"00"}`
	for _, c := range []struct {
		request, sent string
		status        int
		media, got    string
		want          string // "": it passes
	}{
		{"POST /v1/links", `{"name":"a"}`, 200, asJSON, `{"name":"a","token":"b"}`, ""},
		{"POST /v1/links", `{"name":1}`, 400, asJSON, `{"error":"no"}`, ""},
		{"POST /v1/links", `{"name":1}`, 200, asJSON, `{"name":"a","token":"b"}`, "type"},
		{"POST /v1/links", `{"name":"a","more":1}`, 200, asJSON, `{"name":"a","token":"b"}`, "more"},
		{"POST /v1/links", `{"name":"a"}`, 200, asJSON, `{"name":"a"}`, "token"},
		{"POST /v1/links", `{"name":"a"}`, 200, asJSON, `{"name":"a","token":"b","more":1}`, "more"},
		{"POST /v1/links", `{"name":"a"}`, 200, "text/plain", `{"name":"a","token":"b"}`, "no such content"},
		{"POST /v1/links", `{"name":"a"}`, 201, asJSON, `{"name":"a","token":"b"}`, "no such status"},
		{"POST /v1/links", ``, 500, asJSON, `{"fault":"no"}`, "fault"},
		{"POST /v1/link", `{"protocol":1,"instance":"i","process":"p","newer":1}`, 200, asJSON, `{"link":"l","poll":25,"remote":true}`, ""},
		{"POST /v1/link/x/events", `{"events":[{"type":"a","properties":{}}]}`, 204, "", ``, ""},
		{"POST /v1/link/x/events", `{"events":[{}]}`, 204, "", ``, "type"},
		{"POST /v1/link/x/events", `{}`, 204, "", `{}`, "there is a body"},
		{"POST /v1/ask", `{"questions":[{"question_id":"a","question":"A?","allow_text":true}],"ttl":"5m"}`, 202, asJSON, `{"id":"ask_1"}`, ""},
		{"POST /v1/ask", `{"questions":[]}`, 202, asJSON, `{"id":"ask_1"}`, "anyOf"},
		{"POST /v1/ask", `{"questions":[{"question_id":"a","question":"A?"}],"ttl":"soon"}`, 202, asJSON, `{"id":"ask_1"}`, "ttl"},
		{"GET /v1/ask/a?wait=30s", ``, 200, asJSON, `{"status":"pending","answers":[]}`, ""},
		{"GET /v1/ask/a?wait=long", ``, 200, asJSON, `{"status":"pending","answers":[]}`, "wait"},
		{"GET /v1/ask/a?hold=30s", ``, 200, asJSON, `{"status":"pending","answers":[]}`, "no such parameter"},
		{"GET /v1/ask/a", ``, 200, asJSON, `{"status":"done","answers":[]}`, "enum"},
		{"GET /v1/journal", ``, 200, lines, entry + "\n" + `{"error":"broken"}` + "\n", ""},
		{"GET /v1/journal", ``, 200, lines, entry + "\n" + strings.Replace(entry, "asked", "told", 1) + "\n", "oneOf"},
		{"GET /v1/nothing", ``, 404, "text/plain", "404", ""},
		{"GET /v1/nothing", ``, 200, asJSON, "{}", "in no path"},
		{"PATCH /v1/links", ``, 200, asJSON, "{}", "in no path"},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		r, err := http.NewRequest(method, "http://hermes.test"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = d.Check(openapi.Exchange{Request: r, Sent: []byte(c.sent), Status: c.status, Header: http.Header{"Content-Type": {c.media}}, Got: []byte(c.got)})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s, answered with %d %s: got %v, want %q", c.request, c.sent, c.status, c.got, err, c.want)
		}
	}
}
