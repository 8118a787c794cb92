package telegram

import (
	"hermes/internal/chat"
	"hermes/telegram/words"
)

// languages chooses the language of what a chat or a person gets.
type languages struct {
	fixed  string               // Config.Lang
	ofChat func(chat.ID) string // Config.ChatLang
}

// isAuto reports whether everybody has a language of their own.
func (l languages) isAuto() bool { return l.fixed == "" || l.fixed == "auto" }

// table is the texts for a chat, or for a person with a language of their own.
func (l languages) table(chat chat.ID, lang string) words.Table {
	switch {
	case !l.isAuto():
		return words.For(l.fixed)
	case lang != "":
		return words.For(lang)
	}
	return words.For(l.ofChat(chat))
}
