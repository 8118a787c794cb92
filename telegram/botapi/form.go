package botapi

import (
	"hermes/internal/pattern"
	"hermes/internal/secret"
)

var (
	tokenForm  = pattern.Whole(`[0-9]{5,20}:[A-Za-z0-9_-]{30,64}`)
	secretForm = pattern.Whole(`[A-Za-z0-9_-]{1,256}`)
)

// IsToken reports whether the text has the form of a bot's token, as @BotFather gives it. A
// text of another form must not be sent: net/url would show it, unmasked, in its errors.
func IsToken(text secret.Text) bool { return tokenForm.Match(text.Reveal()) }

// IsWebhookSecret reports whether setWebhook takes the text as its secret_token (Bot API).
func IsWebhookSecret(text secret.Text) bool { return secretForm.Match(text.Reveal()) }
