package doctor

import (
	"context"
	"errors"

	"hermes/internal/voice"
)

// VoiceChecks look at the transcription server, if there is to be one.
func VoiceChecks(d *Doctor) []check {
	server, ok := d.config.VoiceServer(d.out.Voice)
	if !ok {
		return nil
	}
	return []check{{"voice", one(func(ctx context.Context) result { return checkVoice(ctx, server) })}}
}

func checkVoice(ctx context.Context, s voice.Server) result {
	switch err := s.Check(ctx); {
	case errors.Is(err, voice.ErrKey):
		return GradeWarn.because(s.URL+" refuses the key; voice messages are not heard", "correct HERMES_STT_KEY")
	case err != nil:
		return GradeWarn.because(s.URL+": "+err.Error()+"; voice messages are not heard", "start the server there, or correct HERMES_STT_URL")
	}
	return passed("%s answers", s.URL)
}
