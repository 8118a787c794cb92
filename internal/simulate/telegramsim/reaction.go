package telegramsim

import (
	"slices"
	"strings"
)

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
	c.note(entry{kind: entryReacted, message: m, text: emoji})
	return true, nil
}
