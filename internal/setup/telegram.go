package setup

import (
	"strings"

	"hermes/internal/clients"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/telegram/botapi"
)

// botConnection speaks as the bot whose token was checked; empty until then.
type botConnection struct {
	term    *console.Terminal
	client  *botapi.Client
	updates *updateReader
	me      clients.Account
}

// reportLost says that Telegram does not answer for now.
func (b *botConnection) reportLost(err error) {
	b.term.Bad("%s. Trying again.", letters.Escaped(clients.ErrorText(err)))
}

// fullName is the first and the last name. It is made by a stranger, and made visible.
func fullName(a clients.Account) string {
	return letters.Escaped(strings.TrimSpace(a.Name + " " + a.Last))
}
