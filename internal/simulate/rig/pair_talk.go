package rig

import (
	"slices"
	"time"
)

// Decides has somebody tap in their private chat.
func (c Crew) Decides(user int64, lets bool) {
	c.T.Helper()
	word := c.InLanguage("🚫 Refuse", "🚫 拒绝")
	if lets {
		word = c.InLanguage("✅ Let in", "✅ 准许加入")
	}
	for _, m := range slices.Backward(c.Telegram.Messages(user)) {
		if len(m.Rows) > 0 {
			if _, err := c.Telegram.Tap(user, user, m.ID, word); err != nil {
				c.T.Fatal(err)
			}
			break
		}
	}
	c.Wait(2 * time.Second)
}
