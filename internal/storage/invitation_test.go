package storage

import (
	"regexp"
	"testing"
	"time"
)

func TestInvitation(t *testing.T) {
	now := time.Date(2026, 11, 21, 14, 5, 0, 0, time.UTC)
	i, code := Invite(now)
	other, second := Invite(now)
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(code) || code == second || i.ID == other.ID || i.Hash == other.Hash {
		t.Errorf("the codes are %q and %q", code, second)
	}
	if i.Hash != HashCode(code) || i.Hash == HashCode(second) || !i.ID.Valid() {
		t.Error("the hash is not the code's")
	}
	used, group := i, i
	used.Used, group.Group = now, true
	for name, c := range map[string]struct {
		i     Invitation
		group bool
		after time.Duration
		want  string
	}{
		"at once":               {i, false, 0, ""},
		"just in time":          {i, false, InvitedFor - 1, ""},
		"too late":              {i, false, InvitedFor, "invitation-expired"},
		"used":                  {used, false, 0, "invitation-used"},
		"used and too late":     {used, false, InvitedFor, "invitation-used"},
		"in a group":            {i, true, 0, "invitation-elsewhere"},
		"of a group":            {group, true, 0, ""},
		"of a group in private": {group, false, 0, "invitation-elsewhere"},
	} {
		if got := c.i.Refusal(c.group, now.Add(c.after)); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
