package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/deploy"
	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/storage"
)

// pairing is an invitation that setup has given out. It knows only the hash of its
// code.
type pairing struct{ storage.Invitation }

// accepts reports whether the update is the invitation's guest: a person who opened
// the link in the private chat. It does so once.
func (p *pairing) accepts(u clients.Update, now time.Time) bool {
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

// pairPerson shows links until somebody opens one, and greets who does.
func (s *Wizard) pairPerson(ctx context.Context) (clients.Account, error) {
	if s.noPoll != "" {
		return clients.Account{}, fmt.Errorf("setup cannot pair: %s; %s, or name the person with --user", s.noPoll, s.wayOut())
	}
	person, err := (&pairer{bot: s.bot, term: s.term, lang: s.config.Lang, known: s.config.TelegramUsers}).run(ctx)
	if err == nil {
		s.names[person.ID] = person
	}
	return person, err
}

// wayOut is what to do about a running hermes.
func (s *Wizard) wayOut() string {
	if s.running {
		service, _ := deploy.Installed()
		return "stop it (" + service.Stop + ") and run hermes setup again"
	}
	return "unset the webhook for the time of setup"
}

// pairer pairs with one person at a time.
type pairer struct {
	bot    *botConnection
	term   *console.Terminal
	lang   string        // HERMES_LANG
	known  []chat.UserID // those who may answer already
	lost   []clients.Account
	guided int // people who were told how to come in
}

// maxGuided is how many people setup guides to the link: whoever finds the bot can write to it.
const maxGuided = 5

// run shows links until somebody opens one, and greets who does.
func (p *pairer) run(ctx context.Context) (clients.Account, error) {
	for {
		person, err := p.pairOnce(ctx)
		if err == nil {
			p.greet(ctx, person)
			return person, nil
		}
		if again, err := p.askAgain(ctx, err); err != nil || !again {
			return clients.Account{}, errors.Join(err, errUnless(err != nil, errDeclined))
		}
	}
}

// pairOnce shows one link and waits for its guest.
func (p *pairer) pairOnce(ctx context.Context) (clients.Account, error) {
	invitation, code := storage.Invite(time.Now())
	guest := pairing{invitation}
	p.showLink(console.DeepLink(p.bot.me.Username, false, code))
	ctx, cancel := context.WithDeadline(ctx, guest.Until)
	defer cancel()
	var person clients.Account
	var err error
	for err == nil && person.ID == 0 { // whoever comes without the link ends only the wait
		err = p.bot.updates.waitFor(ctx, func(u clients.Update) bool {
			if guest.accepts(u, time.Now()) {
				person = u.Message.From
				return true
			}
			return p.takeLost(u)
		}, p.bot.reportLost)
		p.guideLost(ctx)
	}
	if err == nil {
		p.bot.updates.confirm(ctx)
	}
	return person, err
}

// takeLost takes the update of a person who pressed Start without the link. Whatever else people write waits for hermes serve.
func (p *pairer) takeLost(u clients.Update) bool {
	m := u.Message
	if m == nil || m.Text != "/start" || m.From.IsBot || m.Chat.Type != "private" || slices.Contains(p.known, m.From.ID) || p.guided >= maxGuided {
		return false
	}
	p.guided++
	p.lost = append(p.lost, m.From)
	return true
}

// guideLost tells those who came without the link how to come in, there and here.
func (p *pairer) guideLost(ctx context.Context) {
	for _, person := range p.lost {
		p.term.Say("%s (%d) pressed Start without the link, and may not answer yet. Scan the code above with that phone, or open the link on it.", fullName(person), person.ID)
		p.tell(ctx, person, wordsFor(p.lang, person.Language).noLink)
	}
	p.lost = nil
}

// showLink shows a link, and waits for nobody yet.
func (p *pairer) showLink(link string) {
	p.term.Say("Scan this with your phone, or open the link there, and press Start:")
	p.term.Link(link)
	p.term.Say("It works once, for 10 minutes. Whoever opens it may answer your agents' questions. Waiting…")
}

// askAgain asks whether to try once more after what a new link may help against.
func (p *pairer) askAgain(ctx context.Context, err error) (bool, error) {
	switch {
	case ctx.Err() != nil:
		return false, console.ErrStopped
	case errors.Is(err, errRefused): // no link helps
		return false, err
	case errors.Is(err, context.DeadlineExceeded):
		p.term.Bad("Nobody opened the link in 10 minutes, so it no longer works.")
	case errors.Is(err, errFull):
		return false, fmt.Errorf("%w; name the person with --user instead, by the id that @userinfobot in Telegram tells", err)
	default:
		p.term.Bad("%v", botError(err))
	}
	return p.term.Confirm(ctx, "Try with a new link?", true)
}

// greet tells the person that it worked. Pairing holds without it.
func (p *pairer) greet(ctx context.Context, person clients.Account) {
	p.tell(ctx, person, wordsFor(p.lang, person.Language).hello)
}

// tell sends a text with the person's name in it.
func (p *pairer) tell(ctx context.Context, person clients.Account, text string) {
	_, err := p.bot.client.SendMessage(ctx, clients.PlainMessage(config.Chat{ID: chat.ID(person.ID)}, fmt.Sprintf(text, fullName(person))))
	if err != nil && ctx.Err() == nil {
		p.term.Bad("The greeting was not sent: %s", letters.Escaped(clients.ErrorText(err)))
	}
}
