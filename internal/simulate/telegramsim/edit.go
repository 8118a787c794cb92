package telegramsim

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// deletable is how long messages can be deleted for everyone.
const deletable = 48 * time.Hour

const notModified = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

func (s *Server) editMessageText(q *request) (any, *refusal) {
	f, refused := q.params.messageText()
	if refused != nil {
		return nil, refused
	}
	mk, refused := q.params.editMarkup()
	if refused != nil {
		return nil, refused
	}
	m, refused := s.editable(q.params)
	switch {
	case refused != nil:
		return nil, refused
	case m.document != nil || m.content != nil:
		return nil, bad("there is no text in the message to edit")
	default:
		f, refused = f.finish(s.opts.CountUnits)
	}
	if refused != nil {
		return nil, refused.edited()
	}
	return s.change(m, version{f, mk})
}

// editable finds the message that an edit names. Which messages those are may be what a
// bot wants to find out, so a refusal is no violation.
func (s *Server) editable(p params) (*message, *refusal) {
	if p.text("chat_id") == "" && p.integer("message_id") == 0 {
		return nil, wrong("message identifier is not specified")
	}
	c, refused := s.open(p.text("chat_id"), editAccess)
	if refused != nil {
		return nil, refused
	}
	m := c.find(int(p.integer("message_id")))
	switch {
	case m == nil:
		return nil, bad("message to edit not found")
	case m.service():
		return nil, bad("message can't be edited") // also the bot's own: can_edit_message, MessagesManager.cpp:23385
	case !m.byBot || m.markup.prompt:
		return nil, bad("message can't be edited")
	}
	return m, nil
}

// change applies an edit that changes something. Edits count for the rate limits.
func (s *Server) change(m *message, to version) (any, *refusal) {
	if m.formatted.equal(to.formatted) && m.markup.equal(to.markup) {
		return nil, bad(notModified)
	}
	if refused := s.limitRate(m.chat, true); refused != nil {
		return nil, refused
	}
	m.become(to)
	return s.wire(m), nil
}

func (s *Server) deleteMessage(q *request) (any, *refusal) {
	c, refused := s.open(q.params.text("chat_id"), writeAccess)
	if refused != nil {
		return nil, refused
	}
	m := c.find(int(q.params.integer("message_id")))
	switch {
	case m == nil:
		return nil, bad("message to delete not found")
	case time.Since(m.date) >= deletable:
		return nil, bad("message can't be deleted for everyone")
	case !m.byBot && c.Type != Private && c.bot != RoleAdministrator:
		return nil, bad("message can't be deleted")
	}
	m.delete(s.bot)
	return true, nil
}

// reactions are the emoji that may be used as one (Bot API ReactionTypeEmoji).
const reactions = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 " +
	"🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"

func (s *Server) setMessageReaction(q *request) (any, *refusal) {
	c, refused := s.open(q.params.text("chat_id"), readAccess)
	if refused != nil {
		return nil, refused
	}
	m := c.find(int(q.params.integer("message_id")))
	if m == nil {
		return nil, bad("message to react not found")
	}
	var list []struct{ Type, Emoji string }
	if refused := q.params.structure("reaction", "[", &list, "can't parse reaction types JSON object", "expected an Array of ReactionType"); refused != nil {
		return nil, refused
	}
	emoji := ""
	switch {
	case m.service():
		return nil, bad("REACTION_INVALID") // a service message
	case len(list) > 1:
		return nil, wrong("REACTIONS_TOO_MANY")
	case len(list) == 1:
		emoji = list[0].Emoji
		if list[0].Type != "emoji" || !slices.Contains(strings.Fields(reactions), emoji) {
			return nil, wrong("REACTION_INVALID")
		}
	}
	m.reaction = emoji
	c.note(s.bot.name(), " reacts to ", m.title(), " with ", cmp.Or(emoji, "nothing"))
	return true, nil
}
