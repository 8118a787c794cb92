package telegramsim_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// form makes a call with the body of a multipart form.
func form(s *telegramsim.Server, call, body string) answer {
	return post(s, call, "multipart/form-data; boundary=B", body)
}

func post(s *telegramsim.Server, call, kind, body string) answer {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/bot"+token+"/"+call, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	s.ServeHTTP(w, r)
	got := answer{Status: w.Code}
	_ = json.Unmarshal(w.Body.Bytes(), &got)
	return got
}

// fileForm is the form of a document.
func fileForm(data, caption string) string {
	return "--B\r\nContent-Disposition: form-data; name=\"document\"; filename=\"a.txt\"\r\n\r\n" + data + "\r\n" +
		"--B\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\n" + caption + "\r\n--B--\r\n"
}

func TestParameterEncodings(t *testing.T) {
	const parts = "--B\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n42\r\n" +
		"--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\na+b\r\n--B--\r\n"
	for _, c := range []struct{ query, kind, body string }{
		{"?chat_id=42&text=a%2Bb", "", ""},
		{"", "application/json; charset=utf-8", `{"chat_id":42,"text":"a+b","disable_notification":null}`},
		{"", "multipart/form-data; boundary=B", parts},
		{"?text=a%2Bb", "application/json", `{"chat_id":"42","text":"no"}`}, // the first counts
	} {
		s := world(t, telegramsim.Options{})
		got := post(s, "sendMessage"+c.query, c.kind, c.body)
		if m := s.Messages(ada); !got.OK || len(m) != 2 || m[1].Text != "a+b" {
			t.Errorf("%s%s: %+v", c.kind, c.query, got)
		}
	}
}

// A form that ends too early is refused, and one without any part (HttpReader.cpp, read_next). Of JSON that cannot be read nothing is
// said (HttpReader.cpp:222-227). Both are violations.
func TestBrokenBodies(t *testing.T) {
	for _, body := range []string{"--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nx", "\r\n--B--\r\n", "x"} {
		s := world(t, telegramsim.Options{})
		if got := form(s, "sendMessage?chat_id=42&text=x", body); got.Description != "Bad Request: unexpected end of request content" || len(s.Violations()) != 1 {
			t.Errorf("%q: %+v, %q", body, got, s.Violations())
		}
	}
	s := world(t, telegramsim.Options{})
	if got := post(s, "sendMessage?chat_id=42", "application/json", `{"text":"x"`); got.Description != "Bad Request: message text is empty" || len(s.Violations()) != 2 {
		t.Errorf("%+v, %q", got, s.Violations())
	}
}

func TestCaptionLimit(t *testing.T) {
	for n, want := range map[int]int{1024: http.StatusOK, 1025: http.StatusBadRequest} {
		got := form(world(t, telegramsim.Options{}), "sendDocument?chat_id=42", fileForm("x", strings.Repeat("é", n)))
		if got.Status != want || want != http.StatusOK && got.Description != "Bad Request: message caption is too long" {
			t.Errorf("%d characters: %+v", n, got)
		}
	}
}
