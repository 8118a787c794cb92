package sessions

import (
	"testing"

	"hermes/internal/session"
)

// Sessions whose names read the same are told apart by what is shortest and certain.
func TestList_TellsTwinsApart(t *testing.T) {
	found := func(id session.ID, directory, title string) foundSession {
		return foundSession{Session: session.Session{ID: id, Directory: directory, Title: title}}
	}
	all := []foundSession{
		found("ses_1aaXX", "/src/shop", "fix"), found("ses_2aaXX", "/src/shop", "fix"), found("ses_3bbYY", "/src/shop", "fix"),
		found("ses_4", "/src/shop", "other"), found("ses_5", "/src/web", "fix"), found("ses_6cccc", "/home/shop", "fix"),
		found("ses_7dddd", "/src/shop", ""), found("ses_8eeee", "/src/shop", ""), found("same", "/src/a", "x"), found("asame", "/src/a", "x"),
	}
	type apart struct {
		long bool
		end  string
	}
	want := map[session.ID]apart{
		"ses_1aaXX": {true, "1aaXX"}, "ses_2aaXX": {true, "2aaXX"}, "ses_3bbYY": {true, "bbYY"}, "ses_4": {}, "ses_5": {}, "ses_6cccc": {true, ""},
		"ses_7dddd": {false, "dddd"}, "ses_8eeee": {false, "eeee"}, "same": {false, "same"}, "asame": {false, "asame"},
	}
	for page := range 2 {
		for _, s := range pageOf(all, nil, "", page).Listed {
			if got := (apart{s.Long, s.End}); got != want[s.ID] {
				t.Errorf("%s: %+v, want %+v", s.ID, got, want[s.ID])
			}
			delete(want, s.ID)
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}
