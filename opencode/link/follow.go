package link

import (
	"net/http"
	"slices"
	"strconv"
)

// maxFollowed bounds how many sessions are followed at a time.
const maxFollowed = 100

// FollowList are the sessions of which the plugin tells what they say, while they say it, as events of the type hermes.spoke. A
// plugin that can do so (from 1.3.0 on) says with every poll which of these it has, by Rev; a link begins with 0, which is
// the Rev of no list.
type FollowList struct {
	Rev      int      `json:"rev"`
	Sessions []string `json:"sessions"`
}

// Handed is the answer to a poll.
type Handed struct {
	Calls  []Call      `json:"calls"`
	Follow *FollowList `json:"follow,omitempty"` // only if the plugin has another
}

// Follow sets the sessions that are followed, at most 100 of them, in place of those before. The same list, in the same order, is
// no news to any plugin. Without Config.Remote there are none.
func (h *Hub) Follow(sessions []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sessions = sessions[:min(len(sessions), maxFollowed)]
	if !h.config.Remote || slices.Equal(sessions, h.followed.Sessions) {
		return
	}
	h.followed = FollowList{h.followed.Rev + 1, append([]string{}, sessions...)}
	for _, l := range h.links {
		l.wakePoll()
	}
}

// newsFor tells what is followed, nil if the plugin knows it, or does not ask.
func (h *Hub) newsFor(r *http.Request) func() *FollowList {
	has, err := strconv.Atoi(r.URL.Query().Get("follow"))
	return func() *FollowList {
		h.mu.Lock()
		defer h.mu.Unlock()
		if err != nil || has == h.followed.Rev {
			return nil
		}
		now := h.followed
		return &now
	}
}
