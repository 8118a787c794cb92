package rig

// SessionDirectories are the directories of the sessions that there are beside the first.
func (c Talk) SessionDirectories() []string {
	var all []string
	for _, s := range c.Opencode.Sessions() {
		if s.ID != c.Session {
			all = append(all, s.Directory)
		}
	}
	return all
}
