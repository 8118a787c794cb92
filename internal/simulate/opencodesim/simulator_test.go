package opencodesim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencodesim"
)

const proj = "/home/ada/proj"

var colour = opencodesim.Question{
	Question: "Which colour?", Header: "Colour",
	Options: []opencodesim.Option{{Label: "Red", Description: "warm"}, {Label: "Blue", Description: "cold"}},
}

func versions(t *testing.T, test func(t *testing.T, version string)) {
	for _, v := range []string{opencodesim.VersionOld, opencodesim.VersionNew} {
		t.Run(v, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, v) })
		})
	}
}

type client struct {
	t    *testing.T
	http http.Client
}

func dial(t *testing.T, s *opencodesim.Simulator) *client {
	return &client{t, http.Client{Transport: s.Transport()}}
}

func (c *client) do(method, path string, body any) (int, string) {
	c.t.Helper()
	status, text, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return status, text
}

func (c *client) try(method, path string, body any) (int, string, error) {
	var raw io.Reader
	if body != nil {
		b, _ := json.Marshal(body)
		raw = bytes.NewReader(b)
	}
	req, _ := http.NewRequest(method, "http://opencode"+path, raw)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

func TestStreamEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, "GET", "http://opencode/global/event", nil)
		resp, err := s.Transport().RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		synctest.Wait()
		if n := s.Listeners(); n != 0 {
			t.Errorf("%d streams are open", n)
		}
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, context.Canceled) {
			t.Errorf("read: %v", err)
		}
	})
}

func TestStreamGapLosesEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opencodesim.New(opencodesim.Options{StreamGap: time.Second})
		resp, err := dial(t, s).http.Get("http://opencode/global/event")
		if err != nil {
			t.Fatal(err)
		}
		lost, _ := s.Ask(proj, "", colour)
		time.Sleep(time.Second)
		seen, _ := s.Ask(proj, "", colour)
		var read bytes.Buffer
		go io.Copy(&read, resp.Body)
		synctest.Wait()
		s.Stop()
		synctest.Wait()
		if text := read.String(); strings.Contains(text, lost) || !strings.Contains(text, seen) {
			t.Errorf("the stream carried\n%s", text)
		}
	})
}

func TestStopRefusesAndForgets(t *testing.T) {
	versions(t, func(t *testing.T, v string) {
		s := opencodesim.New(opencodesim.Options{Version: v})
		c := dial(t, s)
		s.Ask(proj, "", colour)
		s.Stop()
		if _, _, err := c.try("GET", "/question", nil); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("error %v", err)
		}
		s.Start()
		if _, text := c.do("GET", "/question", nil); text != "[]" {
			t.Errorf("after the restart %s is pending", text)
		}
		if _, text := c.do("GET", "/session", nil); !strings.Contains(text, `"ses_`) {
			t.Errorf("the session is lost: %s", text)
		}
	})
}
