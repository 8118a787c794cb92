package doctor

import (
	"context"
	"errors"
	"net/http"

	"hermes/internal/config"
	"hermes/internal/voice"
)

// voiceChecks look at the transcription server, if one is configured.
func voiceChecks(c config.Config, transport http.RoundTripper) []check {
	server, ok := c.VoiceServer(transport)
	if !ok {
		return nil
	}
	return []check{{"voice", one(func(ctx context.Context) result { return checkVoice(ctx, server) })}}
}

func checkVoice(ctx context.Context, s voice.Server) result {
	switch err := s.Check(ctx); {
	case errors.Is(err, voice.ErrKey):
		return gradeWarn.because(s.URL+" refuses the key; voice messages are not heard", "correct HERMES_STT_KEY")
	case err != nil:
		return gradeWarn.because(s.URL+": "+err.Error()+"; voice messages are not heard", "start the server there, or correct HERMES_STT_URL")
	}
	return pass("%s answers", s.URL)
}
