package voice_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/voice"
)

const key = "key-canary"

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func answer(code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func server(t transport) voice.Server {
	return voice.Server{URL: "https://stt.test/v1", Key: key, Model: "whisper-1", Transport: t}
}

func TestServer_Transcribe(t *testing.T) {
	s := server(func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodPost || r.URL.String() != "https://stt.test/v1/audio/transcriptions" || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		file, head, err := r.FormFile("file")
		if err != nil {
			t.Fatal(err)
		}
		sound, err := io.ReadAll(file)
		if err != nil || string(sound) != "la la" || head.Filename != "voice.ogg" || head.Header.Get("Content-Type") != "audio/ogg" || r.FormValue("model") != "whisper-1" {
			t.Errorf("%q %v %v %q %v", sound, head.Filename, head.Header, r.FormValue("model"), err)
		}
		return answer(200, `{"text":" Now the tests.\n","language":"en"}`), nil
	})
	if got, err := s.Transcribe(t.Context(), "a\"b\r\nX: y.OGG", "audio/ogg", []byte("la la")); err != nil || got != "Now the tests." {
		t.Errorf("%q, %v", got, err)
	}
}

// What may pass is tried again; nothing that fails shows the key, or what the server said.
func TestServer_TranscribeFails(t *testing.T) {
	down := errors.New("no connection")
	for name, c := range map[string]struct {
		answer func() (*http.Response, error)
		tries  int
		want   string
	}{
		"refused":      {func() (*http.Response, error) { return answer(401, key), nil }, 1, "refuses the key"},
		"a mistake":    {func() (*http.Response, error) { return answer(400, key), nil }, 1, "HTTP 400"},
		"a fault":      {func() (*http.Response, error) { return answer(503, key), nil }, 3, "HTTP 503"},
		"down":         {func() (*http.Response, error) { return nil, down }, 3, "cannot be reached"},
		"elsewhere":    {func() (*http.Response, error) { return moved(), nil }, 1, "HTTP 307"},
		"a page":       {func() (*http.Response, error) { return answer(200, "<html>"), nil }, 1, "has no text"},
		"no text":      {func() (*http.Response, error) { return answer(200, `{"error":"x"}`), nil }, 1, "has no text"},
		"a text of no": {func() (*http.Response, error) { return answer(200, `{"text":5}`), nil }, 1, "has no text"},
		"endless": {func() (*http.Response, error) {
			return answer(200, `{"text":"`+strings.Repeat("a", 1<<20)+`"}`), nil
		}, 1, "has no text"},
		"too long": {func() (*http.Response, error) {
			return answer(200, `{"text":"`+strings.Repeat("a", 64<<10+1)+`"}`), nil
		}, 1, "more text"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				s := server(func(*http.Request) (*http.Response, error) { tries++; return c.answer() })
				text, err := s.Transcribe(t.Context(), "voice.ogg", "audio/ogg", []byte("la"))
				if err == nil || text != "" || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "canary") || tries != c.tries {
					t.Errorf("%q, %v after %d tries; want %q after %d", text, err, tries, c.want, c.tries)
				}
			})
		})
	}
}

func moved() *http.Response {
	resp := answer(307, "")
	resp.Header.Set("Location", "https://elsewhere.test/")
	return resp
}

func TestServer_TranscribeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := server(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, err := s.Transcribe(ctx, "voice.ogg", "audio/ogg", nil); err == nil || time.Since(began) > 4*time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		if _, err := s.Transcribe(ctx, "voice.ogg", "audio/ogg", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// A server that asks for a day does not get it: the prompts of a session wait meanwhile.
func TestServer_TriesAgainSoon(t *testing.T) {
	for _, code := range []int{429, 503} {
		synctest.Test(t, func(t *testing.T) {
			began, tries := time.Now(), 0
			s := server(func(*http.Request) (*http.Response, error) {
				tries++
				resp := answer(code, "")
				resp.Header.Set("Retry-After", "86400")
				return resp, nil
			})
			if _, err := s.Transcribe(t.Context(), "voice.ogg", "audio/ogg", nil); err == nil || tries != 3 || time.Since(began) > 15*time.Second {
				t.Errorf("%d: %v after %d tries in %v", code, err, tries, time.Since(began))
			}
		})
	}
}

func TestServer_Check(t *testing.T) {
	for code, want := range map[int]string{200: "", 404: "", 401: "refuses the key", 400: "HTTP 400"} {
		s := server(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path != "/v1/models" {
				t.Error(r.URL)
			}
			return answer(code, ""), nil
		})
		if err := s.Check(t.Context()); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %q", code, err, want)
		}
	}
}

func TestServer_SendsFormTypes(t *testing.T) {
	for name, want := range map[string]string{"a.mp3": "voice.mp3", "a": "voice.ogg", "a.\r\nb": "voice.ogg", `a."x`: "voice.ogg", "a.verylong": "voice.ogg"} {
		s := server(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil || !strings.Contains(string(body), `filename="`+want+`"`) || strings.Contains(string(body), "X-Evil") {
				t.Errorf("%q: %s, %v", name, body, err)
			}
			return answer(200, `{"text":""}`), nil
		})
		if _, err := s.Transcribe(t.Context(), name, "audio/ogg\r\nX-Evil: 1", nil); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
