package setup

import "hermes/internal/console"

// summary tells what there is now, and what to do next.
func (s *Wizard) summary() {
	if s.Given.dryRun {
		s.T.Print("\nNothing was written. Without --dry-run, hermes setup does all of this.\n")
		return
	}
	s.T.Print("\nDone\n")
	s.T.Say("Bot            @%s", console.Legible(s.me.Username))
	s.T.Say("Answers from   %s", s.userNames())
	s.T.Say("Questions to   %s", s.chatNames())
	s.T.Say("Configuration  %s", tilde(s.path))
	if s.plugin != "" {
		s.T.Say("Plugin         %s", tilde(s.plugin))
	}
	if s.service != nil {
		s.T.Say("Service        %s; to see what it does: %s", s.service.kind, s.service.look)
	}
	s.next()
}

func (s *Wizard) next() {
	s.T.Print("\nNext\n")
	if s.service == nil && !s.running {
		s.T.Say("Run hermes serve, and leave it running.")
	}
	if s.service != nil && s.service.loggedIn != "" {
		s.T.Say("%s.", s.service.loggedIn)
	}
	if s.plugin != "" {
		s.T.Say("Restart OpenCode, then tell it: “Ask me which of two names I like better, with the question tool.”")
	}
	s.T.Say("If something does not work: hermes doctor")
}
