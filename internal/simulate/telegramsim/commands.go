package telegramsim

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Command is an entry of the bot's command menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// commandKey is what a list of commands is kept under: the scope, which hermes names by its type alone, and the language.
func commandKey(p params) (string, *refusal) {
	scope := struct {
		Type string `json:"type"`
	}{Type: "default"}
	if refused := p.structure("scope", "{", &scope, "can't parse BotCommandScope JSON object", "can't parse BotCommandScope: BotCommandScope must be an Object"); refused != nil {
		return "", refused
	}
	if !slices.Contains([]string{"default", "all_private_chats", "all_group_chats", "all_chat_administrators"}, scope.Type) {
		return "", wrong("can't parse BotCommandScope: Unsupported type specified")
	}
	language := p.text("language_code")
	if language != "" && !regexp.MustCompile(`^[a-z]{2}$`).MatchString(language) {
		return "", wrong("invalid language code specified")
	}
	return scope.Type + " " + language, nil
}

func (s *Server) setMyCommands(q *request) (any, *refusal) {
	key, refused := commandKey(q.params)
	if refused != nil {
		return nil, refused
	}
	var list []Command
	if refused := q.params.structure("commands", "[", &list, "can't parse commands JSON object", "expected an Array of BotCommand"); refused != nil {
		return nil, refused
	}
	if len(list) > 100 {
		return nil, wrong("BOT_COMMANDS_TOO_MUCH")
	}
	for _, c := range list {
		if refused := c.check(); refused != nil {
			return nil, refused
		}
	}
	s.commands[key] = list
	return true, nil
}

// check is what the server looks at (BotCommand.cpp:180-206); of what a command is made,
// Telegram itself.
func (c Command) check() *refusal {
	name, description := strings.TrimPrefix(strings.TrimSpace(c.Command), "/"), strings.TrimSpace(c.Description)
	switch {
	case name == "":
		return wrong("Command must be non-empty")
	case utf8.RuneCountInString(name) > 32:
		return wrong("Command length must not exceed 32")
	case description == "":
		return wrong("Command description must be non-empty")
	case utf8.RuneCountInString(description) > 256:
		return wrong("Command description length must not exceed 256")
	case !regexp.MustCompile(`^[a-z0-9_]+$`).MatchString(name):
		return wrong("BOT_COMMAND_INVALID")
	}
	return nil
}

func (s *Server) getMyCommands(q *request) (any, *refusal) {
	key, refused := commandKey(q.params)
	if refused != nil {
		return nil, refused
	}
	return append([]Command{}, s.commands[key]...), nil
}

func (s *Server) deleteMyCommands(q *request) (any, *refusal) {
	key, refused := commandKey(q.params)
	if refused != nil {
		return nil, refused
	}
	delete(s.commands, key)
	return true, nil
}
