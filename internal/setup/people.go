package setup

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/console"
)

// stepPeople settles who may answer and where the questions go: as the flags
// say, as it is configured, or by pairing. Rules are for people to write.
func (s *Wizard) stepPeople(ctx context.Context) error {
	if s.config.Rules != "" {
		s.meet(ctx, s.config.TelegramUsers)
		s.T.Good("%s may answer, as %s says", s.userNames(), tilde(s.config.Rules))
		return nil
	}
	users, chats, err := s.people(ctx)
	if err != nil || len(users) == 0 {
		return err
	}
	if len(s.Given.targets) > 0 {
		chats = s.Given.targets
	}
	kept := slices.Equal(users, s.config.TelegramUsers) && slices.Equal(chats, s.config.TelegramChats)
	s.config.TelegramUsers, s.config.TelegramChats = users, chats
	s.T.Good("%s may answer; the questions go to %s", s.userNames(), s.chatNames())
	return s.save(ctx, s.peopleEdits(kept)...)
}

// people returns nobody only in a dry run.
func (s *Wizard) people(ctx context.Context) ([]chat.UserID, []config.Chat, error) {
	users, chats := s.config.TelegramUsers, s.config.TelegramChats
	switch {
	case len(s.Given.userIDs) > 0:
		s.meet(ctx, s.Given.userIDs)
		return s.Given.userIDs, config.PrivateChats(s.Given.userIDs), nil
	case len(users) > 0:
		s.meet(ctx, users)
		if more, err := s.another(ctx); err != nil || !more {
			return users, chats, err
		}
	case s.Given.dryRun:
		s.T.Say("Would pair with your phone: whoever opens a link of the bot there may answer, and gets the questions.")
		return nil, nil, nil
	}
	person, err := s.pair(ctx)
	if err != nil {
		return nil, nil, err
	}
	return with(users, person.ID), with(chats, config.Chat{ID: chat.ID(person.ID)}), nil
}

// another asks whether more people shall be paired.
func (s *Wizard) another(ctx context.Context) (bool, error) {
	if s.noPoll != "" {
		return false, nil
	}
	return s.T.Confirm(ctx, s.userNames()+" may answer. Pair another person?", false)
}

// with returns the list with the thing at its end, unless it is there.
func with[T comparable](list []T, thing T) []T {
	if slices.Contains(list, thing) {
		return list
	}
	return append(slices.Clone(list), thing)
}

// meet asks Telegram for the names of people, as far as it tells (Bot API
// getChat knows those who have written to the bot).
func (s *Wizard) meet(ctx context.Context, users []chat.UserID) {
	for _, id := range users {
		if s.me.ID == 0 {
			return // a dry run without a token
		}
		if c, err := s.bot.GetChat(ctx, &tg.GetChatParams{ChatID: int64(id)}); err == nil && c.ID == int64(id) {
			s.Names[id] = Account{ID: id, Name: c.FirstName, Last: c.LastName, Username: c.Username}
		}
	}
}

func (s *Wizard) userNames() string {
	var names []string
	for _, id := range s.config.TelegramUsers {
		names = append(names, s.name(id))
	}
	return strings.Join(names, ", ")
}

// name is a person's name with the id, or the id alone.
func (s *Wizard) name(id chat.UserID) string {
	if name := s.Names[id].name(); name != "" {
		return fmt.Sprintf("%s (%d)", name, id)
	}
	return fmt.Sprintf("user %d", id)
}

// name is made by a stranger, and made visible.
func (a Account) name() string { return console.Legible(strings.TrimSpace(a.Name + " " + a.Last)) }

func (s *Wizard) chatNames() string {
	var names []string
	for _, c := range s.config.TelegramChats {
		names = append(names, "chat "+c.Text())
	}
	return strings.Join(names, ", ")
}

// peopleEdits leaves what is kept as it stands, except where it comes from this
// environment alone: a service would not see it.
func (s *Wizard) peopleEdits(kept bool) []envEdit {
	var users, chats []string
	for _, id := range s.config.TelegramUsers {
		users = append(users, strconv.FormatInt(int64(id), 10))
	}
	for _, c := range s.config.TelegramChats {
		chats = append(chats, c.Text())
	}
	edits := []envEdit{
		{Name: "HERMES_TELEGRAM_USERS", Value: strings.Join(users, ",")},
		{Name: "HERMES_TELEGRAM_CHATS", Value: strings.Join(chats, ",")},
	}
	return slices.DeleteFunc(edits, func(e envEdit) bool { return kept && !config.InEnvironment(e.Name) })
}
