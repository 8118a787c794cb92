package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/retry"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// bot is the bot whose token was checked; empty until then.
type bot struct {
	client *botapi.Client
	name   string                 // its user name
	names  map[chat.UserID]string // of people, as far as Telegram told them
}

// botTrouble is why a token cannot be used, as a sentence for the person.
type botTrouble struct {
	text string
	same bool // the same token may do later; it is not the token that is wrong
}

func (e *botTrouble) Error() string { return e.text }

// stepBot gets a token that works, and saves it.
func (s *Wizard) stepBot(ctx context.Context) error {
	before, token := s.config.TelegramToken, s.config.TelegramToken
	if s.flags.token != "" {
		token = s.flags.token
	}
	if token == "" && s.flags.dryRun {
		s.term.Say("Would ask for the bot's token, check it with Telegram, and write it to %s.", shortPath(s.env.path))
		return nil
	}
	if token == "" {
		s.term.Say("hermes speaks through a Telegram bot of your own. To make one, write to @BotFather (https://t.me/BotFather):")
		s.term.Say("  /newbot          and choose a name, and a user name that ends in bot")
		s.term.Say("  /setjoingroups   Disable, if only you will use it")
		s.term.Say("BotFather answers /newbot with a token, such as 123456789:AAF1x… Paste it here; it is not shown.")
	}
	token, err := s.workingToken(ctx, token)
	if err != nil {
		return err
	}
	edits, err := s.tokenEdits(token)
	if err != nil {
		return err
	}
	s.config.TelegramToken = token
	if err := s.env.save(ctx, edits...); err != nil {
		return err
	}
	if s.running && token != before && !s.flags.dryRun {
		return errors.New("a hermes with the token from before is running; stop it, and run hermes setup again")
	}
	return nil
}

// workingToken tries tokens until one works. Without a terminal there is one try.
func (s *Wizard) workingToken(ctx context.Context, token secret.Text) (secret.Text, error) {
	for {
		for token == "" {
			var err error
			if token, err = s.term.Secret(ctx, "Token:"); err != nil {
				return "", err
			}
		}
		err := s.checkToken(ctx, token)
		var trouble *botTrouble
		switch {
		case err == nil:
			return token, nil
		case !errors.As(err, &trouble) || ctx.Err() != nil:
			return "", err
		case s.term.In == nil && !trouble.same:
			return "", config.Mistakes{"the bot's token: " + trouble.text}
		case s.term.In == nil:
			return "", trouble
		}
		s.term.Bad("%s", trouble.text)
		if !trouble.same {
			token = ""
			continue
		}
		next, err := s.term.Secret(ctx, "Enter to try again, or another token:")
		if err != nil {
			return "", err
		}
		if next != "" {
			token = next
		}
	}
}

// checkToken finds out whose token it is and whether hermes can have the bot's
// messages.
func (s *Wizard) checkToken(ctx context.Context, token secret.Text) error {
	var form config.Mistakes
	if (config.Reader{Wrong: &form}).Token("", token) == "" {
		return &botTrouble{text: "This" + strings.TrimPrefix(form[0], ":") + "."}
	}
	s.term.Redact = secret.NewRedactor(append(append(s.config.Secrets(), s.flags.token), config.TokenSecrets(token)...)...)
	c := s.config
	c.TelegramToken = token
	client := clients.NewBotClient(c, nil, s.flags.token)
	me, err := client.GetMe(ctx)
	if err != nil {
		return botError(err)
	}
	s.bot = bot{client, me.Username, map[chat.UserID]string{}}
	name := fmt.Sprintf("@%s (%s)", letters.Escaped(me.Username), letters.Escaped(me.FirstName))
	hook, err := client.GetWebhookInfo(ctx) // its URL may hold a secret and is not shown
	switch {
	case err != nil:
		return botError(err)
	case hook.URL != "" && hook.URL != s.config.TelegramWebhookURL:
		return &botTrouble{same: true, text: fmt.Sprintf(
			"@%s has a webhook: its messages go to another program. Make a bot for hermes alone, or take the webhook away there (Bot API deleteWebhook).", letters.Escaped(me.Username))}
	case hook.URL != "" || s.running && token == s.config.TelegramToken || s.flags.dryRun:
		s.term.Good("%s", name)
		return nil
	}
	s.term.Say("%s. Looking whether another program reads its messages…", name)
	if err := checkAlone(ctx, client); err != nil {
		return botError(err)
	}
	s.term.Good("no other program does")
	return nil
}

// botError words a failed call.
func botError(err error) error {
	var e *botapi.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Reason {
	case botapi.BadToken:
		return &botTrouble{text: "Telegram refuses this token: it was mistyped or revoked. Copy it again from @BotFather (/mybots, API Token)."}
	case botapi.Conflict:
		return &botTrouble{same: true, text: "Another program reads this bot's messages, and Telegram lets only one do so. Stop that program, or make a bot for hermes alone."}
	case botapi.Flood:
		return &botTrouble{same: true, text: "Telegram is busy: " + letters.Escaped(e.Said()) + ". Wait that long."}
	}
	return &botTrouble{same: true, text: "Telegram cannot be reached: " + letters.Escaped(e.Detail) + ". Check the connection, and HERMES_TELEGRAM_PROXY and HERMES_TELEGRAM_API_URL if you need them."}
}

// probe is how long setup listens for another program that polls.
const probe = 3 * time.Second

// checkAlone looks whether another program polls the bot; the error is a botapi.Conflict then. It confirms no update, so all of them wait for
// hermes. Telegram itself tells of another program only where one of the two has to wait (Bot API server, Client.cpp:16386-16387): else a
// message that waited and is gone tells. Taps do not count: Telegram forgets them soon.
func checkAlone(ctx context.Context, client *botapi.Client) error {
	var waits chat.UpdateID // the first message that the last poll brought; 0: none
	for began := time.Now(); time.Since(began) < probe; {
		batch, err := client.GetUpdates(ctx, botapi.Poll{Limit: 100, Hold: probe})
		if err != nil {
			return err
		}
		if waits != 0 && !slices.ContainsFunc(batch, func(u chat.Update) bool { return u.ID == waits }) {
			return &botapi.Error{Op: "getUpdates", Reason: botapi.Conflict, Detail: "another program took a message that waited"}
		}
		waits = 0
		for _, u := range batch {
			var message struct{ Message *struct{} }
			if waits == 0 && json.Unmarshal(u.Raw, &message) == nil && message.Message != nil {
				waits = u.ID
			}
		}
		if len(batch) > 0 { // they come again at once
			_ = retry.Wait(ctx, time.Second)
		}
	}
	return ctx.Err()
}

// tokenEdits puts the token into hermes.env, unless it comes from a file of its
// own that the configuration names.
func (s *Wizard) tokenEdits(token secret.Text) ([]envEdit, error) {
	file := s.env.values()["HERMES_TELEGRAM_TOKEN_FILE"]
	if env := os.Getenv("HERMES_TELEGRAM_TOKEN_FILE"); env != "" {
		var err error
		if file, err = filepath.Abs(env); err != nil {
			return nil, err
		}
	}
	if file != "" && token == s.config.TelegramToken && os.Getenv("HERMES_TELEGRAM_TOKEN") == "" {
		return []envEdit{{"HERMES_TELEGRAM_TOKEN_FILE", file}, {"HERMES_TELEGRAM_TOKEN", ""}}, nil
	}
	return []envEdit{{"HERMES_TELEGRAM_TOKEN", token.Reveal()}, {"HERMES_TELEGRAM_TOKEN_FILE", ""}}, nil
}
