package botapi

import (
	"regexp"

	"hermes/internal/secret"
)

var (
	tokenForm  = regexp.MustCompile(`^[0-9]{5,20}:[A-Za-z0-9_-]{30,64}$`)
	secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)
)

// IsToken reports whether the text has the form of a bot's token, as @BotFather gives it. A
// text of another form must not be sent: net/url would show it, unmasked, in its errors.
func IsToken(text secret.Text) bool { return tokenForm.MatchString(text.Reveal()) }

// IsWebhookSecret reports whether setWebhook takes the text as its secret_token (Bot API).
func IsWebhookSecret(text secret.Text) bool { return secretForm.MatchString(text.Reveal()) }
