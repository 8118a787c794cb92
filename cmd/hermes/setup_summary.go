package main

// summary tells what there is now, and what to do next.
func (s *setup) summary() {
	if s.given.dryRun {
		s.t.raw("\nNothing was written. Without --dry-run, hermes setup does all of this.\n")
		return
	}
	s.t.raw("\nDone\n")
	s.t.say("Bot            @%s", legible(s.me.Username))
	s.t.say("Answers from   %s", s.userNames())
	s.t.say("Questions to   %s", s.chatNames())
	s.t.say("Configuration  %s", tilde(s.path))
	if s.plugin != "" {
		s.t.say("Plugin         %s", tilde(s.plugin))
	}
	if s.service != nil {
		s.t.say("Service        %s; to see what it does: %s", s.service.kind, s.service.look)
	}
	s.next()
}

func (s *setup) next() {
	s.t.raw("\nNext\n")
	if s.service == nil && !s.running {
		s.t.say("Run hermes serve, and leave it running.")
	}
	if s.service != nil && s.service.loggedIn != "" {
		s.t.say("%s.", s.service.loggedIn)
	}
	if s.plugin != "" {
		s.t.say("Restart OpenCode, then tell it: “Ask me which of two names I like better, with the question tool.”")
	}
	s.t.say("If something does not work: hermes doctor")
}
