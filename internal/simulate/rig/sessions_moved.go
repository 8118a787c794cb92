package rig

// Upgrade makes a group a supergroup, and returns its new id.
func (c Talk) Upgrade(group int64) int64 {
	c.T.Helper()
	after, err := c.Telegram.Upgrade(Ada, group)
	if err != nil {
		c.T.Fatal(err)
	}
	return after
}
