package link_test

import (
	"encoding/json"
	"testing"

	"hermes/opencode/link"
)

// FuzzBodies sends any body to any path: no panic, a known status, and a sentence with every refusal.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		hello("j", "p", "/e"), `{"protocol":2}`, `{"events":[{"type":"question.asked"}]}`, `{"events":[{"type":"hermes.closed"}]}`,
		`{"id":"1","status":200,"body":"x"}`, `{"id":"1","error":"x","refused":true}`, `null`, `[`, "\xff", `{"events":[{}]}`,
	} {
		for path := range 3 {
			f.Add(path, body)
		}
	}
	f.Fuzz(func(t *testing.T, path int, body string) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		paths := []string{"/v1/link", "/v1/link/" + l.ID() + "/results", "/v1/link/" + l.ID() + "/events"}
		w := j.do(t.Context(), "POST", paths[uint(path)%3], body)
		switch w.Code {
		case 200, 204:
		case 400, 413, 426:
			var refusal struct{ Error string }
			if err := json.Unmarshal(w.Body.Bytes(), &refusal); err != nil || refusal.Error == "" {
				t.Errorf("%q was refused with %s", body, w.Body)
			}
		default:
			t.Errorf("%q gave %d", body, w.Code)
		}
	})
}
