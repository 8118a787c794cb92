package opencode

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/event"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/link"
)

// Whoever learns the name of a process does not become it: it is one of the machine that has the token.
func TestLinks_ProcessOf(t *testing.T) {
	const id = "0c7ff0ee-1111-4222-8333-444444444444"
	names := map[string]link.Hello{}
	for _, hello := range []link.Hello{
		{Token: "laptop-7", Process: id}, {Token: "thief", Process: id}, {Process: id}, {Process: "laptop-7/" + id}, {Token: "laptop-7", Process: "thief/" + id},
	} {
		name := processOf(hello)
		if other, taken := names[name]; taken {
			t.Errorf("%+v and %+v are one process", hello, other)
		}
		names[name] = hello
	}
	if got := processOf(link.Hello{Process: id}); got != id {
		t.Errorf("a process that the database knows from before is called %q", got)
	}
}

// Links that poll and never answer a call hold up no listing of others.
func TestLinks_SilentLinksHoldUpNoListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := watch(t, Config{}), opencodesim.New(opencodesim.Options{})
		stop := make(chan struct{})
		for n := range 16 {
			go silent(w.Handler(), fmt.Sprint("silent", n), stop)
		}
		s.Ask(shop, s.NewSession(shop, "Paint the house"), colour)
		plug(t, w, s, helloFrom("p1", shop))
		wait(time.Second)
		w.take()
		wait(10 * time.Minute)
		listed := 0
		for _, e := range w.take(event.Opened) {
			if e.Origin.Process == "p1" {
				listed++
			}
		}
		if listed < 19 {
			t.Errorf("it was listed %d times in ten minutes", listed)
		}
		close(stop)
		w.Close()
		wait(time.Minute)
	})
}

// silent opens a link and takes calls, and answers none.
func silent(hub http.Handler, process string, stop <-chan struct{}) {
	serve := func(method, path, body string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		hub.ServeHTTP(rec, httptest.NewRequest(method, path, strings.NewReader(body)))
		return rec
	}
	raw, _ := json.Marshal(link.Hello{Protocol: link.Protocol, Instance: "i", Process: process, Directory: "/silent", Version: "1.18.33"})
	var opened struct{ Link string }
	_ = json.Unmarshal(serve(http.MethodPost, "/v1/link", string(raw)).Body.Bytes(), &opened)
	for after := 0; ; {
		rec := serve(http.MethodGet, fmt.Sprintf("/v1/link/%s/calls?after=%d", opened.Link, after), "")
		select {
		case <-stop:
			return
		default:
		}
		if rec.Code == http.StatusGone {
			return
		}
		var got struct{ Calls []struct{ ID string } }
		_ = json.Unmarshal(rec.Body.Bytes(), &got)
		for _, c := range got.Calls {
			_, _ = fmt.Sscan(c.ID, &after)
		}
	}
}
