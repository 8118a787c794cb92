package setup

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
)

// stepPeople settles who may answer and where the questions go: as the flags
// say, as it is configured, or by pairing. Rules are for people to write.
func (s *Wizard) stepPeople(ctx context.Context) error {
	if s.config.Rules != "" {
		s.names.fetch(ctx, s.bot, s.config.TelegramUsers)
		s.term.Good("%s may answer, as %s says", s.userNames(), shortPath(s.config.Rules))
		return s.checkChats(ctx, s.config.TelegramChats)
	}
	users, chats, err := s.choosePeople(ctx)
	if err != nil || len(users) == 0 {
		return err
	}
	if len(s.flags.targets) > 0 {
		chats = s.flags.targets
	}
	if err := s.checkChats(ctx, chats); err != nil {
		return err
	}
	kept := slices.Equal(users, s.config.TelegramUsers) && slices.Equal(chats, s.config.TelegramChats)
	s.config.TelegramUsers, s.config.TelegramChats = users, chats
	s.names.fetch(ctx, s.bot, users)
	s.term.Good("%s may answer; the questions go to %s", s.userNames(), s.chatNames())
	return s.env.save(ctx, s.peopleEdits(kept)...)
}

// choosePeople returns nobody only in a dry run.
func (s *Wizard) choosePeople(ctx context.Context) ([]chat.UserID, []config.Chat, error) {
	users, chats := s.config.TelegramUsers, s.config.TelegramChats
	switch {
	case len(s.flags.userIDs) > 0:
		return s.flags.userIDs, config.PrivateChats(s.flags.userIDs), nil
	case len(users) > 0:
		s.names.fetch(ctx, s.bot, users)
		if more, err := s.askForMore(ctx); err != nil || !more {
			return users, chats, err
		}
	case s.flags.dryRun:
		s.term.Say("Would pair with your phone: whoever opens a link of the bot there may answer, and gets the questions.")
		return nil, nil, nil
	}
	person, err := s.pairPerson(ctx)
	if err != nil {
		return nil, nil, err
	}
	return appendNew(users, person.ID), appendNew(chats, config.Chat{ID: chat.ID(person.ID)}), nil
}

// askForMore asks whether more people shall be paired.
func (s *Wizard) askForMore(ctx context.Context) (bool, error) {
	if s.noPoll != "" {
		return false, nil
	}
	return s.term.Confirm(ctx, s.userNames()+" may answer. Pair another person?", false)
}

// appendNew returns the list with the thing at its end, unless it is there.
func appendNew[T comparable](list []T, thing T) []T {
	if slices.Contains(list, thing) {
		return list
	}
	return append(slices.Clone(list), thing)
}

// nameBook has the people whose names Telegram gave.
type nameBook map[chat.UserID]clients.Account

// fetch asks Telegram for the names of people, as far as it tells (Bot API
// getChat knows those who have written to the bot).
func (n nameBook) fetch(ctx context.Context, bot *botConnection, users []chat.UserID) {
	for _, id := range users {
		if bot.me.ID == 0 {
			return // a dry run without a token
		}
		if _, known := n[id]; known {
			continue
		}
		if c, err := bot.client.GetChat(ctx, &tg.GetChatParams{ChatID: int64(id)}); err == nil && c.ID == int64(id) {
			n[id] = clients.Account{ID: id, Name: c.FirstName, Last: c.LastName, Username: c.Username}
		}
	}
}

func (s *Wizard) userNames() string {
	var names []string
	for _, id := range s.config.TelegramUsers {
		names = append(names, s.names.nameOf(id))
	}
	return strings.Join(names, ", ")
}

// nameOf is a person's name with the id, or the id alone.
func (n nameBook) nameOf(id chat.UserID) string {
	if name := fullName(n[id]); name != "" {
		return fmt.Sprintf("%s (%d)", name, id)
	}
	return fmt.Sprintf("user %d", id)
}

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
