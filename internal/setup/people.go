package setup

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/storage"
	"hermes/telegram/botapi"
)

// stepPeople settles who may answer and where the questions go: as the flags
// say, as it is configured, or by pairing. Rules are for people to write.
func (s *Wizard) stepPeople(ctx context.Context) error {
	if s.config.Rules != "" {
		s.term.Good("%s may answer, as %s says", s.userNames(ctx), shortPath(s.config.Rules))
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
	s.term.Good("%s may answer; the questions go to %s", s.userNames(ctx), s.chatNames())
	var ids, targets []string
	for _, id := range users {
		ids = append(ids, strconv.FormatInt(int64(id), 10))
	}
	for _, c := range chats {
		targets = append(targets, c.Text())
	}
	edits := []envEdit{{"HERMES_TELEGRAM_USERS", strings.Join(ids, ",")}, {"HERMES_TELEGRAM_CHATS", strings.Join(targets, ",")}}
	// What is kept stays as it stands, unless it is in this environment alone, which a service would not see.
	return s.env.save(ctx, slices.DeleteFunc(edits, func(e envEdit) bool { return kept && !config.InEnvironment(e.Name) })...)
}

// choosePeople returns nobody only in a dry run. The first person, whom a link let in, gets into hermes.env as well, which outlasts a
// lost database; those after them are in the database alone, as with hermes pair.
func (s *Wizard) choosePeople(ctx context.Context) ([]chat.UserID, []config.Chat, error) {
	users, chats := s.config.TelegramUsers, s.config.TelegramChats
	switch {
	case len(s.flags.userIDs) > 0:
		return s.flags.userIDs, config.PrivateChats(s.flags.userIDs), nil
	case len(users) > 0:
		more, err := s.term.Confirm(ctx, s.userNames(ctx)+" may answer. Pair another person?", false)
		if err == nil && more {
			_, err = s.pair(ctx)
		}
		return users, chats, err
	case s.flags.dryRun:
		s.term.Say("Would pair with your phone: whoever opens a link of the bot there may answer, and gets the questions.")
		return nil, nil, nil
	}
	person, err := s.pair(ctx)
	return []chat.UserID{person}, []config.Chat{{ID: chat.ID(person)}}, err
}

// pair shows links, as hermes pair does, until one lets a person in.
func (s *Wizard) pair(ctx context.Context) (chat.UserID, error) {
	ctx, err := s.withHermes(ctx)
	if err != nil {
		return 0, err
	}
	if len(s.config.TelegramUsers) == 0 { // a setup that ended too early may have paired
		paired, err := s.hermes().Paired(ctx)
		if err != nil {
			return 0, s.because(ctx, err)
		}
		if len(paired.Guests) > 0 {
			return paired.Guests[0].User, nil
		}
	}
	for {
		person, err := s.pairOnce(ctx)
		if person != 0 {
			return person, nil
		}
		if err != nil || ctx.Err() != nil {
			return 0, s.because(ctx, err)
		}
		if err := agree(ctx, s.term, "Try with a new link?"); err != nil {
			return 0, err
		}
	}
}

// pairOnce shows a link, and tells what becomes of it. It returns whom the link let in, 0 for nobody.
func (s *Wizard) pairOnce(ctx context.Context) (person chat.UserID, err error) {
	follow, err := apiclient.NewWatch(ctx, s.hermes(), 0)
	if err != nil {
		return 0, err
	}
	var i api.Invitation
	if err := s.hermes().Fetch(ctx, http.MethodPost, "/v1/pair", api.Invite{}, &i); err != nil {
		return 0, err
	}
	s.term.Say("Scan this with your phone, or open the link there, and press Start:")
	s.term.Link(i.Link)
	if len(i.By) == 0 {
		s.term.Say("It works once, for 10 minutes. Whoever opens it may answer your agents' questions. Waiting…")
	} else {
		s.term.Say("It works once, for 10 minutes. Then somebody who may answer lets them in, in the chat. Waiting…")
	}
	err = follow.Invitation(ctx, i, func(e api.Entry) (settled bool) {
		switch e.Kind {
		case storage.EntryOpened:
			s.term.Say("%s (%d) has opened it.", letters.Escaped(e.Name), e.User)
		case storage.EntryPaired:
			person = e.User
			s.term.Good("%s (%d) is in", letters.Escaped(e.Name), person)
		case storage.EntryUnwanted:
			s.term.Bad("%s (%d) was not let in.", letters.Escaped(e.Name), e.User)
		}
		return e.Kind == storage.EntryPaired || e.Kind == storage.EntryUnwanted
	}, func() { s.tellTrouble(ctx) })
	if errors.Is(err, apiclient.ErrUnopened) {
		s.term.Bad("Nobody opened the link in 10 minutes, so it no longer works.")
		err = nil
	}
	return person, err
}

// checkChats looks whether the bot can write to every chat. A new one to which it cannot is not taken; of one that is configured
// already setup only tells.
func (s *Wizard) checkChats(ctx context.Context, chats []config.Chat) error {
	if s.bot.client == nil {
		return nil // a dry run without a token
	}
	for _, c := range chats {
		for trouble := s.troubleWith(ctx, c); trouble != ""; trouble = s.troubleWith(ctx, c) {
			old := slices.Contains(s.config.TelegramChats, c)
			if !old && !s.flags.dryRun && !s.term.Asks() {
				return errors.New(trouble)
			}
			s.term.Bad("%s", trouble)
			if old || s.flags.dryRun {
				break
			}
			if err := agree(ctx, s.term, "Try again?"); err != nil {
				return err
			}
		}
	}
	return nil
}

// troubleWith says why the bot cannot write to a chat, and what to do; "" if it can. It asks for the chat, and shows "typing…" there,
// which alone proves without a message that the bot may write. A dry run does not show that.
func (s *Wizard) troubleWith(ctx context.Context, c config.Chat) string {
	_, err := s.bot.client.GetChat(ctx, &tg.GetChatParams{ChatID: int64(c.ID)})
	if err == nil && !s.flags.dryRun {
		err = s.bot.client.SendChatAction(ctx, &tg.SendChatActionParams{ChatID: int64(c.ID), MessageThreadID: botapi.Thread(c.Topic), Action: models.ChatActionTyping})
	}
	if err == nil {
		return ""
	}
	f, name := clients.ErrorOf(err), letters.Escaped(s.bot.name)
	if f.Code != http.StatusForbidden && f.Code != http.StatusBadRequest {
		return botError(err).Error()
	}
	said := fmt.Sprintf("The bot cannot write to chat %s: %s.", c.Text(), letters.Escaped(f.Said()))
	switch {
	case c.ID < 0:
		return said + " Add it to the group, and let it write there. Or the id is wrong."
	case f.Reason == botapi.Blocked:
		return said + " That person has to unblock @" + name + "."
	}
	return said + " A bot cannot write first: that person has to open https://t.me/" + name + " and press Start once. Or the id is wrong."
}

// userNames are those who may answer, by the names that Telegram has for them, as far as it tells (Bot API getChat knows those who have
// written to the bot). Strangers make them, so they are made visible.
func (s *Wizard) userNames(ctx context.Context) string {
	var names []string
	for _, id := range s.config.TelegramUsers {
		names = append(names, s.bot.nameOf(ctx, id))
	}
	return strings.Join(names, ", ")
}

// nameOf is a person's name with the id, or the id alone.
func (b *bot) nameOf(ctx context.Context, id chat.UserID) string {
	if b.names[id] == "" && b.client != nil {
		c, err := b.client.GetChat(ctx, &tg.GetChatParams{ChatID: int64(id)})
		if err == nil && c.ID == int64(id) {
			b.names[id] = letters.Escaped(strings.TrimSpace(c.FirstName + " " + c.LastName))
		}
	}
	if b.names[id] != "" {
		return fmt.Sprintf("%s (%d)", b.names[id], id)
	}
	return fmt.Sprintf("user %d", id)
}

func (s *Wizard) chatNames() string {
	if len(s.config.TelegramChats) == 0 { // only in a dry run
		return "the chat"
	}
	var names []string
	for _, c := range s.config.TelegramChats {
		names = append(names, "chat "+c.Text())
	}
	return strings.Join(names, ", ")
}
