package setup

import (
	"hermes/internal/letters"
)

// summary tells what there is now, and what to do next.
func (s *Wizard) summary() {
	if s.flags.dryRun {
		s.term.Print("\nNothing was written. Without --dry-run, hermes setup does all of this.\n")
		return
	}
	s.term.Print("\nDone\n")
	s.term.Say("Bot            @%s", letters.Escaped(s.bot.me.Username))
	s.term.Say("Answers from   %s", s.userNames())
	s.term.Say("Questions to   %s", s.chatNames())
	s.term.Say("Configuration  %s", shortPath(s.env.path))
	if s.plugin != "" {
		s.term.Say("Plugin         %s", shortPath(s.plugin))
	}
	if s.service != nil {
		s.term.Say("Service        %s; to see what it does: %s", s.service.kind, s.service.look)
	}
	s.printNextSteps()
}

func (s *Wizard) printNextSteps() {
	s.term.Print("\nNext\n")
	if s.service == nil && !s.running {
		s.term.Say("Run hermes serve, and leave it running.")
	}
	if s.service != nil && s.service.loggedIn != "" {
		s.term.Say("%s.", s.service.loggedIn)
	}
	if s.plugin != "" {
		s.term.Say("Restart OpenCode, then tell it: “Ask me which of two names I like better, with the question tool.”")
	}
	s.term.Say("If something does not work: hermes doctor")
}
