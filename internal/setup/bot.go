package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/secret"
	"hermes/telegram/botapi"
)

// botTrouble is why a token cannot be used, as a sentence for the person.
type botTrouble struct {
	text string
	same bool // the same token may do later; it is not the token that is wrong
}

func (e *botTrouble) Error() string { return e.text }

// stepBot gets a token that works, and saves it.
func (s *Wizard) stepBot(ctx context.Context) error {
	token := s.config.TelegramToken
	if s.flags.token != "" {
		token = s.flags.token
	}
	if token == "" && s.flags.dryRun {
		s.term.Say("Would ask for the bot's token, check it with Telegram, and write it to %s.", shortPath(s.env.path))
		return nil
	}
	if token == "" {
		s.explainBot()
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
	return s.env.save(ctx, edits...)
}

func (s *Wizard) explainBot() {
	s.term.Say("hermes speaks through a Telegram bot of your own. To make one, write to @BotFather (https://t.me/BotFather):")
	s.term.Say("  /newbot          and choose a name, and a user name that ends in bot")
	s.term.Say("  /setjoingroups   Disable, if only you will use it")
	s.term.Say("BotFather answers /newbot with a token, such as 123456789:AAF1x… Paste it here; it is not shown.")
}

// workingToken tries tokens until one works. Without a terminal there is one try.
func (s *Wizard) workingToken(ctx context.Context, token secret.Text) (secret.Text, error) {
	prompt := "Token:"
	for {
		for token == "" {
			var err error
			if token, err = s.term.Secret(ctx, prompt); err != nil {
				return "", err
			}
		}
		err := s.checkToken(ctx, token)
		var trouble *botTrouble
		switch {
		case err == nil:
			return token, nil
		case ctx.Err() != nil: // what failed did so because of that
			return "", console.ErrStopped
		case !errors.As(err, &trouble):
			return "", err
		case s.term.In == nil && !trouble.same:
			return "", config.Mistakes{"the bot's token: " + trouble.text}
		case s.term.In == nil:
			return "", trouble
		}
		s.term.Bad("%s", trouble.text)
		if token, err = s.nextToken(ctx, token, trouble); err != nil {
			return "", err
		}
	}
}

// nextToken asks for another token, or to try the same again where that can help.
func (s *Wizard) nextToken(ctx context.Context, token secret.Text, trouble *botTrouble) (secret.Text, error) {
	if !trouble.same {
		return "", nil
	}
	next, err := s.term.Secret(ctx, "Enter to try again, or another token:")
	if next == "" {
		next = token
	}
	return next, err
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
	bot := clients.NewBotClient(c, nil, s.flags.token)
	user, err := bot.GetMe(ctx)
	if err != nil {
		return botError(err)
	}
	me := clients.Account{ID: chat.UserID(user.ID), IsBot: true, Name: user.FirstName, Username: user.Username}
	*s.bot = botConnection{term: s.term, client: bot, updates: newUpdateReader(bot), me: me}
	if err := s.checkWebhook(ctx); err != nil {
		return err
	}
	if s.running && token == s.config.TelegramToken || s.noPoll != "" && !s.running || s.flags.dryRun {
		s.term.Good("@%s (%s)", letters.Escaped(me.Username), letters.Escaped(me.Name))
		return nil
	}
	return s.checkPollers(ctx)
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

// checkWebhook looks whether the bot's messages go to a URL; then nobody can poll
// (Bot API getWebhookInfo). The URL may hold a secret and is not shown.
func (s *Wizard) checkWebhook(ctx context.Context) error {
	hook, err := s.bot.client.GetWebhookInfo(ctx)
	if err != nil {
		return botError(err)
	}
	switch hook.URL {
	case "":
		return nil
	case s.config.TelegramWebhookURL:
		s.noPoll = "this bot's messages go to the webhook of hermes (HERMES_TELEGRAM_WEBHOOK_URL)"
		return nil
	}
	return &botTrouble{same: true, text: fmt.Sprintf(
		"@%s has a webhook: its messages go to another program. Make a bot for hermes alone, or take the webhook away there (Bot API deleteWebhook).", letters.Escaped(s.bot.me.Username))}
}

func (s *Wizard) checkPollers(ctx context.Context) error {
	s.term.Say("@%s (%s). Looking whether another program reads its messages…", letters.Escaped(s.bot.me.Username), letters.Escaped(s.bot.me.Name))
	if err := s.bot.updates.checkAlone(ctx); err != nil {
		return botError(err)
	}
	s.term.Good("no other program does")
	return nil
}

// tokenEdits puts the token into hermes.env, unless it comes from a file of its
// own that the configuration names.
func (s *Wizard) tokenEdits(token secret.Text) ([]envEdit, error) {
	text, _, err := readEnv(s.env.path)
	if err != nil {
		return nil, err
	}
	values, _ := config.ParseEnv(text)
	file := values["HERMES_TELEGRAM_TOKEN_FILE"]
	if env := os.Getenv("HERMES_TELEGRAM_TOKEN_FILE"); env != "" {
		if file, err = filepath.Abs(env); err != nil {
			return nil, err
		}
	}
	if file != "" && token == s.config.TelegramToken && os.Getenv("HERMES_TELEGRAM_TOKEN") == "" {
		return []envEdit{{Name: "HERMES_TELEGRAM_TOKEN_FILE", Value: file}, {Name: "HERMES_TELEGRAM_TOKEN", Remove: true, Secret: true}}, nil
	}
	return []envEdit{
		{Name: "HERMES_TELEGRAM_TOKEN", Value: token.Reveal(), Secret: true},
		{Name: "HERMES_TELEGRAM_TOKEN_FILE", Remove: true},
	}, nil
}
