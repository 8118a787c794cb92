package config

import (
	"strings"

	"hermes/internal/secret"
)

// readSecrets replaces each secret that is given as a file (…_FILE) by what the
// file holds, without the space around it: an editor's newline at the end of a
// token breaks every request and shows the token in the error.
//
// A file that others may read is only warned of, because that is how Docker and
// Kubernetes mount secrets (0444 and 0644).
func (s *settings) readSecrets() (wrong, warnings Mistakes) {
	for _, f := range []struct {
		name string
		path string
		into *secret.Text
	}{
		{"HERMES_TELEGRAM_TOKEN", s.TelegramTokenFile, &s.TelegramToken},
		{"HERMES_TELEGRAM_WEBHOOK_SECRET", s.TelegramWebhookFile, &s.TelegramWebhookSecret},
		{"HERMES_HOOK_TOKEN", s.HookTokenFile, &s.HookToken},
		{"HERMES_STORE", s.StoreFile, &s.Store},
		{"HERMES_OPENCODE_PASSWORD", s.OpenCodePasswordFile, &s.OpenCodePassword},
		{"HERMES_STT_KEY", s.STTKeyFile, &s.STTKey},
	} {
		if f.path != "" && *f.into != "" {
			wrong.Add(f.name, "is set, and so is %s_FILE; keep one of the two", f.name)
		} else if f.path != "" {
			readSecret(f.name+"_FILE", f.path, f.into, &wrong, &warnings)
		}
	}
	return wrong, warnings
}

func readSecret(name, path string, into *secret.Text, wrong, warnings *Mistakes) {
	text, mode, err := ReadSmall(path)
	switch text = strings.TrimSpace(text); {
	case err != nil:
		wrong.Add(name, "cannot be read: %v", WithoutPath(err))
	case text == "":
		wrong.Add(name, "names a file that is empty; put the secret there, alone")
	default:
		*into = secret.Text(text)
		if secret.IsExposed(mode) {
			warnings.Add(name, "names a file that other users of this machine may read (mode %04o); chmod 600 it unless it is a container's secret", mode)
		}
	}
}
