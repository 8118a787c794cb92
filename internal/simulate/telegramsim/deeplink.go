package telegramsim

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"hermes/internal/pattern"
)

var payloadForm = pattern.Whole(`[A-Za-z0-9_-]{1,64}`)

// OpenLink makes a person open a deep link of the bot and press Start, and returns
// the id of the message that this writes (Bot API, "Deep linking").
//
// t.me/<bot>?start=<payload> writes "/start <payload>" into the private chat; group
// is 0 then. A blocked bot is unblocked by it, as the button then says Restart.
//
// t.me/<bot>?startgroup=<payload> has the person choose a group that they are in. It
// adds the bot, unless it is there, for which the bot gets a my_chat_member, and
// writes "/start@<bot> <payload>", which privacy mode lets through.
//
// It fails where Telegram does nothing: with another bot's link, with a payload of
// other characters than A-Z a-z 0-9 _ - or of more than 64, or without one.
func (s *Server) OpenLink(user int64, link string, group int64) (int, error) {
	kind, payload, err := s.readLink(link)
	switch {
	case err != nil:
		return 0, err
	case kind == "start" && group != 0:
		return 0, errors.New("a start link opens the private chat, and lets nobody choose a group")
	case kind == "start":
		if err := s.unblockToStart(user); err != nil {
			return 0, err
		}
		return s.Say(user, user, "/start "+payload)
	}
	if err := s.joinToStart(user, group); err != nil {
		return 0, err
	}
	return s.Say(user, group, "/start@"+s.bot.Username+" "+payload)
}

// readLink takes a link apart.
func (s *Server) readLink(link string) (kind, payload string, err error) {
	u, err := url.Parse(link)
	if err != nil {
		return "", "", err
	}
	if u.Scheme != "https" || u.Host != "t.me" || !strings.EqualFold(strings.Trim(u.Path, "/"), s.bot.Username) {
		return "", "", fmt.Errorf("%s is no link to @%s", link, s.bot.Username)
	}
	q := u.Query()
	for _, kind := range []string{"start", "startgroup"} {
		if payload := q.Get(kind); len(q) == 1 && payloadForm.Match(payload) {
			return kind, payload, nil
		}
	}
	return "", "", errors.New("the link has no start or startgroup of 1 to 64 of A-Z a-z 0-9 _ -")
}

func (s *Server) unblockToStart(user int64) error {
	s.mu.Lock()
	c := s.chats[user]
	blocked := c != nil && c.bot == RoleKicked
	s.mu.Unlock()
	if blocked {
		return s.Unblock(user)
	}
	return nil
}

// joinToStart adds the bot to the group, unless it is there.
func (s *Server) joinToStart(user, group int64) error {
	s.mu.Lock()
	c, err := s.present(user, group)
	absent := err == nil && (c.bot == RoleLeft || c.bot == RoleKicked)
	wrong := err == nil && c.Type != Group && c.Type != Supergroup
	s.mu.Unlock()
	switch {
	case err != nil:
		return err
	case wrong:
		return fmt.Errorf("chat %d is no group", group)
	case absent:
		return s.Invite(user, group)
	}
	return nil
}
