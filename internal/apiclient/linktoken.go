package apiclient

import (
	"context"
	"encoding/json"

	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/opencode/plugin"
)

// LinkSecret is the token that the installed plugin has, "" if there is none.
type LinkSecret struct{ Token secret.Text }

// ReadLinkSecret reads the token from the link file of the installed plugin. A file that cannot be read has none.
func ReadLinkSecret(o plugin.Options) LinkSecret {
	state, err := plugin.Status(o)
	if err != nil {
		return LinkSecret{}
	}
	var file struct {
		Token string `json:"token"`
	}
	content, _, err := config.ReadSmall(state.Link)
	if err != nil || json.Unmarshal([]byte(content), &file) != nil {
		return LinkSecret{}
	}
	return LinkSecret{secret.Text(file.Token)}
}

// LinkToken is the token for this machine's plugin: the one that it has if hermes takes that, else the one of a new link, whose
// name is made. No error shows a secret.
func LinkToken(ctx context.Context, hermes Client, o plugin.Options) (token secret.Text, made string, err error) {
	links, old := Links{Client: hermes}, ReadLinkSecret(o).Token
	redact := secret.NewRedactor(append(hermes.Config.Secrets(), hermes.Token, old)...)
	known, err := links.Knows(ctx, old)
	if known || err != nil {
		return old, "", redact.Error(err)
	}
	made, token, err = links.freeName(ctx, OwnLinkName())
	return token, made, redact.Error(err)
}
