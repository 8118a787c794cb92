package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hermes/internal/voice"
)

// checkSTT holds the settings of the transcription server against each other. A key
// goes nowhere in the clear.
func (c config) checkSTT(wrong *mistakes) {
	u, err := url.Parse(c.STTURL)
	switch {
	case wrong.has("HERMES_STT_URL"):
	case c.STTKey != "" && c.STTURL == "":
		wrong.add("HERMES_STT_KEY", "is set, but HERMES_STT_URL is not; set both or neither")
	case err == nil && c.STTKey != "" && u.Scheme == "http" && !loopback(u.Hostname()):
		wrong.add("HERMES_STT_URL", "must begin with https:// (or be of this machine), for others could read HERMES_STT_KEY on the way")
	}
}

// warnSTT says that voices go over the network in the clear, which may be as is wanted.
func (c config) warnSTT(warnings *mistakes) {
	u, err := url.Parse(c.STTURL)
	if err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
		warnings.add("HERMES_STT_URL", "is not https://, so whoever is on the way can hear the voice messages; that is fine in a network of your own")
	}
}

// sttKey checks what a header can carry.
func (r reader) sttKey(name string, text secret) secret {
	if strings.ContainsFunc(text.Reveal(), func(c rune) bool { return c < '!' || c > '~' }) {
		r.wrong.add(name, "must be letters, digits and signs without spaces")
		return ""
	}
	return text
}

// voices is the transcription server. There is none without HERMES_STT_URL.
func (c config) voices(transport http.RoundTripper) (voice.Server, bool) {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.IdleConnTimeout = time.Minute
		transport = t
	}
	return voice.Server{URL: c.STTURL, Key: c.STTKey, Model: c.STTModel, Transport: transport}, c.STTURL != ""
}

// voiceExams look at the transcription server, if there is to be one.
func voiceExams(d *doctor) []exam {
	server, ok := d.config.voices(d.out.voice)
	if !ok {
		return nil
	}
	return []exam{{"voice", one(func(ctx context.Context) diagnosis { return examVoice(ctx, server) })}}
}

func examVoice(ctx context.Context, s voice.Server) diagnosis {
	switch err := s.Check(ctx); {
	case errors.Is(err, voice.ErrKey):
		return gradeWarn.because(s.URL+" refuses the key; voice messages are not heard", "correct HERMES_STT_KEY")
	case err != nil:
		return gradeWarn.because(s.URL+": "+err.Error()+"; voice messages are not heard", "start the server there, or correct HERMES_STT_URL")
	}
	return sane("%s answers", s.URL)
}
