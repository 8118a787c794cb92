package setup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/storage"
)

// pairing is an invitation that setup has given out. It knows only the hash of its
// code.
type pairing struct{ storage.Invitation }

// takes reports whether the update is the invitation's guest: a person who opened
// the link in the private chat. It does so once.
func (p *pairing) takes(u incoming, now time.Time) bool {
	m := u.Message
	if m == nil || m.From.IsBot || m.Chat.Type != "private" || int64(m.Chat.ID) != int64(m.From.ID) {
		return false
	}
	code, found := strings.CutPrefix(m.Text, "/start ")
	if !found || storage.HashCode(code) != p.Hash || p.Refusal(false, now) != "" {
		return false
	}
	p.Used = now
	return true
}

// pair shows links until somebody opens one, and greets who does.
func (s *Wizard) pair(ctx context.Context) (Account, error) {
	if s.noPoll != "" {
		return Account{}, fmt.Errorf("setup cannot pair: %s; %s, or name the person with --user", s.noPoll, s.wayOut())
	}
	for {
		person, err := s.pairOnce(ctx)
		if err == nil {
			s.Names[person.ID] = person
			s.greet(ctx, person)
			return person, nil
		}
		if again, err := s.pairAgain(ctx, err); err != nil || !again {
			return Account{}, errors.Join(err, unless(err != nil, errDeclined))
		}
	}
}

// wayOut is what to do about a hermes that runs.
func (s *Wizard) wayOut() string {
	if s.running {
		return "stop it (systemctl --user stop hermes, or ctrl-C where it runs) and run hermes setup again"
	}
	return "unset the webhook for the time of setup"
}

func (s *Wizard) pairOnce(ctx context.Context) (Account, error) {
	invitation, code := storage.Invite(time.Now())
	p := pairing{invitation}
	s.invite(console.DeepLink(s.me.Username, false, code))
	ctx, cancel := context.WithDeadline(ctx, p.Until)
	defer cancel()
	var person Account
	err := s.mail.await(ctx, func(u incoming) bool {
		if !p.takes(u, time.Now()) {
			return false
		}
		person = u.Message.From
		return true
	}, s.lost)
	if err == nil {
		s.mail.confirm(ctx)
	}
	return person, err
}

// lost says that Telegram does not answer for now.
func (s *Wizard) lost(err error) { s.T.Bad("%s. Trying again.", console.Legible(clients.Told(err))) }

// invite shows a link, and waits for nobody yet.
func (s *Wizard) invite(link string) {
	s.T.Say("Scan this with your phone, or open the link there, and press Start:")
	s.T.Link(link)
	s.T.Say("It works once, for 10 minutes. Whoever opens it may answer your agents' questions. Waiting…")
}

// pairAgain asks whether to try once more after what a new link may help against.
func (s *Wizard) pairAgain(ctx context.Context, err error) (bool, error) {
	switch {
	case ctx.Err() != nil:
		return false, console.ErrStopped
	case errors.Is(err, errRefused): // no link helps
		return false, err
	case errors.Is(err, context.DeadlineExceeded):
		s.T.Bad("Nobody opened the link in 10 minutes, and it works no more.")
	case errors.Is(err, errFull):
		return false, fmt.Errorf("%w; name the person with --user instead, by the id that @userinfobot in Telegram tells", err)
	default:
		s.T.Bad("%v", botError(err))
	}
	return s.T.Confirm(ctx, "Try with a new link?", true)
}

// greet tells the person that it worked. Pairing holds without it.
func (s *Wizard) greet(ctx context.Context, person Account) {
	words := wordsFor(s.config.Lang, person.Language)
	_, err := s.bot.SendMessage(ctx, clients.Message(config.Chat{ID: chat.ID(person.ID)}, fmt.Sprintf(words.hello, person.name())))
	if err != nil {
		s.T.Bad("The greeting was not sent: %s", console.Legible(clients.Told(err)))
	}
}
