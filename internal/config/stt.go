package config

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"hermes/internal/secret"
	"hermes/internal/voice"
)

// checkSTT holds the settings of the transcription server against each other. A key
// goes nowhere in the clear.
func (c Config) checkSTT(wrong *Mistakes) {
	u, err := url.Parse(c.STTURL)
	switch {
	case wrong.Has("HERMES_STT_URL"):
	case c.STTKey != "" && c.STTURL == "":
		wrong.Add("HERMES_STT_KEY", "is set, but HERMES_STT_URL is not; set both or neither")
	case err == nil && c.STTKey != "" && u.Scheme == "http" && !Loopback(u.Hostname()):
		wrong.Add("HERMES_STT_URL", "must begin with https:// (or be of this machine), for others could read HERMES_STT_KEY on the way")
	}
}

// warnSTT says that voices go over the network in the clear, which may be as is wanted.
func (c Config) warnSTT(warnings *Mistakes) {
	u, err := url.Parse(c.STTURL)
	if err == nil && u.Scheme == "http" && !Loopback(u.Hostname()) {
		warnings.Add("HERMES_STT_URL", "is not https://, so whoever is on the way can hear the voice messages; that is fine in a network of your own")
	}
}

// sttKey checks what a header can carry.
func (r Reader) sttKey(name string, text secret.Text) secret.Text {
	if strings.ContainsFunc(text.Reveal(), func(c rune) bool { return c < '!' || c > '~' }) {
		r.Wrong.Add(name, "must be letters, digits and signs without spaces")
		return ""
	}
	return text
}

// VoiceServer is the transcription server. There is none without HERMES_STT_URL.
func (c Config) VoiceServer(transport http.RoundTripper) (voice.Server, bool) {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.IdleConnTimeout = time.Minute
		transport = t
	}
	return voice.Server{URL: c.STTURL, Key: c.STTKey, Model: c.STTModel, Transport: transport}, c.STTURL != ""
}
