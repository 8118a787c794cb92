package setup

import (
	"context"
	"time"

	"hermes/internal/config"
	"hermes/internal/question"
)

const (
	onExpiryName = "HERMES_ON_EXPIRY"
	ttlName      = "HERMES_QUESTION_TTL"
)

// askExpiry asks what shall happen when nobody answers, unless that is configured already, and
// returns what to write. The usual answer is written as well, so that it is asked once. Where
// nothing can be asked hermes does what it does without the settings.
func (s *Wizard) askExpiry(ctx context.Context) ([]envEdit, error) {
	if s.term.In == nil || s.term.Yes || s.isSet(onExpiryName) || s.isSet(ttlName) {
		return nil, nil
	}
	usual := config.Variables()[ttlName]
	n, err := s.term.Choose(ctx, "What should happen when nobody answers?", []string{
		"After " + usual + " the agent is told so; an answer then reaches it as a prompt",
		"The agent keeps waiting; there are reminders in the first " + usual,
		"The agent is told after another time",
	})
	if err != nil {
		return nil, err
	}
	switch n {
	case 0:
		return []envEdit{{Name: onExpiryName, Value: string(question.ExpireReject)}}, nil
	case 1:
		return []envEdit{{Name: onExpiryName, Value: string(question.ExpireWait)}}, nil
	}
	ttl, err := s.askTTL(ctx)
	return []envEdit{{Name: onExpiryName, Value: string(question.ExpireReject)}, {Name: ttlName, Value: ttl}}, err
}

// askTTL asks how long a question waits.
func (s *Wizard) askTTL(ctx context.Context) (string, error) {
	for {
		text, err := s.term.Line(ctx, "After which time? (2h, 45m)")
		if err != nil {
			return "", err
		}
		if t, err := time.ParseDuration(text); err == nil && t >= time.Minute {
			return text, nil
		}
		s.term.Say("Please answer with a time of at least a minute, such as 2h or 45m.")
	}
}

// isSet reports whether a variable is in hermes.env or in this environment.
func (s *Wizard) isSet(name string) bool {
	if config.InEnvironment(name) {
		return true
	}
	text, _, err := readEnv(s.env.path)
	if err != nil {
		return false // save will say it
	}
	values, _ := config.ParseEnv(text)
	_, ok := values[name]
	return ok
}
