package rig

import (
	"fmt"
	"strings"
	"time"
)

// PermissionWithin has the agent ask for a permission, and fails the test unless the chat
// shows it in time. What hermes waits for before it shows anything is not counted.
func (r *Rig) PermissionWithin(chat int64, limit time.Duration) {
	r.T.Helper()
	dir := r.Opencode.Directory()
	command := fmt.Sprintf("rm -rf build-%d", time.Now().UnixNano())
	began := time.Now()
	r.Opencode.AskBash(dir, r.Opencode.NewSession(dir, "fix checkout flow"), command)
	for time.Since(began) < 3*time.Minute {
		r.Wait(100 * time.Millisecond)
		for _, m := range r.Telegram.Messages(chat) {
			if strings.Contains(m.Text, command) {
				if took := time.Since(began) - r.Config.NotifyDelay; took > limit {
					r.T.Errorf("the card came after %v, want %v at most", took, limit)
				}
				return
			}
		}
	}
	r.T.Errorf("no card in chat %d", chat)
}
