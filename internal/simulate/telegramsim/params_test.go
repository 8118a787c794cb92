package telegramsim_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

func TestParameterEncodings(t *testing.T) {
	const form = "--B\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n42\r\n" +
		"--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na+b\r\n--B--\r\n"
	for _, c := range []struct{ query, kind, body string }{
		{"?chat_id=42&text=a%2Bb", "", ""},
		{"", "application/x-www-form-urlencoded", "chat_id=42&text=a%2Bb"},
		{"", "application/json; charset=utf-8", `{"chat_id":42,"text":"a+b","disable_notification":null}`},
		{"", "multipart/form-data; boundary=B", form},
		{"?text=a%2Bb", "application/json", `{"chat_id":"42"}`},
		{"?text=a%2Bb", "application/json", `{"chat_id":"42","text":"no","chat_id":"43"}`}, // the first counts
		{"?text=a%2Bb&chat_id=42", "multipart/form-data; boundary=B", ""},
	} {
		s := world(t, telegramsim.Options{})
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/bot"+token+"/sendMessage"+c.query, io.NopCloser(strings.NewReader(c.body)))
		r.Header.Set("Content-Type", c.kind)
		s.ServeHTTP(w, r)
		if m := s.Messages(ada); w.Code != http.StatusOK || len(m) != 2 || m[1].Text != "a+b" {
			t.Errorf("%s%s: %s", c.kind, c.query, w.Body)
		}
	}
}

// A form that ends too early is refused, and one without any part (HttpReader.cpp, read_next).
func TestBrokenForms(t *testing.T) {
	for _, body := range []string{
		"--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nx",
		"\r\n--B--\r\n",
		"x",
	} {
		s := world(t, telegramsim.Options{})
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/bot"+token+"/sendMessage?chat_id=42&text=x", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=B")
		s.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "Bad Request: unexpected end of request content") || len(s.Messages(ada)) != 1 || len(s.Violations()) != 1 {
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	}
}

// Of JSON that cannot be read, the parameters before the mistake count
// (HttpReader.cpp:222-227, 637-690).
func TestBrokenJSON(t *testing.T) {
	for body, want := range map[string]string{
		`{`:                         "",
		`{"text":"x"`:               "x",
		`{"text":"x","silent":tru}`: "x",
		`{"text":"x" "chat_id":43}`: "x",
		`{"silent":[1,{]},"text":1`: "",
		`{"text":"x"}, and more`:    "x",
		`["text"]`:                  "",
		`null`:                      "",
	} {
		s := world(t, telegramsim.Options{})
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/bot"+token+"/sendMessage?chat_id=42", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		s.ServeHTTP(w, r)
		m := s.Messages(ada)
		switch sent := len(m) == 2 && m[1].Text == want; {
		case sent != (want != ""), !sent && !strings.Contains(w.Body.String(), "message text is empty"):
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		case len(s.Violations()) == 0:
			t.Errorf("%s is no violation", body)
		}
	}
}

func TestCaptionLimit(t *testing.T) {
	for n, want := range map[int]int{1024: http.StatusOK, 1025: http.StatusBadRequest} {
		s := world(t, telegramsim.Options{})
		body := "--B\r\nContent-Disposition: form-data; name=\"document\"; filename=\"a.txt\"\r\n\r\nx\r\n" +
			"--B\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\n" + strings.Repeat("é", n) + "\r\n--B--\r\n"
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/bot"+token+"/sendDocument?chat_id=42", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=B")
		s.ServeHTTP(w, r)
		if w.Code != want || want != http.StatusOK && !strings.Contains(w.Body.String(), "Bad Request: message caption is too long") {
			t.Errorf("%d characters: %d %s", n, w.Code, w.Body)
		}
	}
}
