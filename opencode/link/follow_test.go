package link_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/opencode/link"
)

// A plugin that asks is told at once what is followed, once; one that does not ask,
// because it is older, never; none is without leave to drive.
func TestFollow_WhatIsFollowedIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{Remote: true})
		l := j.open(t, hello("i", "p", "/d"))
		poll := func(query string, code int, want string) {
			t.Helper()
			got := j.do(t.Context(), "GET", "/v1/link/"+l.ID()+"/calls?"+query, "")
			if got.Code != code || strings.TrimSpace(got.Body.String()) != want {
				t.Errorf("%s was answered with %d %s, want %d %s", query, got.Code, got.Body, code, want)
			}
		}
		poll("after=0&follow=0", http.StatusNoContent, "")
		go func() {
			time.Sleep(time.Second)
			j.Follow([]string{"ses_1"})
		}()
		began := time.Now()
		poll("after=0&follow=0", http.StatusOK, `{"calls":[],"follow":{"rev":1,"sessions":["ses_1"]}}`)
		if took := time.Since(began); took != time.Second {
			t.Errorf("it was told after %v", took)
		}
		poll("after=0&follow=1", http.StatusNoContent, "")
		j.Follow([]string{"ses_1"}) // as before, which is no news
		poll("after=0&follow=1", http.StatusNoContent, "")
		poll("after=0", http.StatusNoContent, "")
		poll("after=0&follow=x", http.StatusNoContent, "")
		j.Follow(nil)
		poll("after=0&follow=1", http.StatusOK, `{"calls":[],"follow":{"rev":2,"sessions":[]}}`)
		j.Follow(make([]string, 500))
		if got := j.do(t.Context(), "GET", "/v1/link/"+l.ID()+"/calls?follow=2", ""); strings.Count(got.Body.String(), `""`) != 100 {
			t.Errorf("many came as %s", got.Body)
		}
		pendingCall(t.Context(), l, "GET", "/question", "")
		synctest.Wait()
		if got := j.do(t.Context(), "GET", "/v1/link/"+l.ID()+"/calls?follow=2", "").Body.String(); !strings.Contains(got, `"path":"/question"`) || !strings.Contains(got, `"rev":3`) {
			t.Errorf("together with a call it came as %s", got)
		}
	})
}

func TestFollow_NothingIsFollowedWithoutLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(t, link.Config{})
		l := j.open(t, hello("i", "p", "/d"))
		j.Follow([]string{"ses_1"})
		if got := j.do(t.Context(), "GET", "/v1/link/"+l.ID()+"/calls?follow=0", ""); got.Code != http.StatusNoContent {
			t.Errorf("got %d %s", got.Code, got.Body)
		}
	})
}
