package v1

import "testing"

func TestSessionInfo_GivenTitle(t *testing.T) {
	for title, want := range map[string]string{
		"New session - 2026-01-02T03:04:05.000Z": "", "Child session - 2026-01-02T03:04:05.000Z": "",
		"New sessions for all": "New sessions for all", "": "",
	} {
		if got := (SessionInfo{Title: title}).GivenTitle(); got != want {
			t.Errorf("%q is called %q", title, got)
		}
	}
}
