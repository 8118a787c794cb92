package sessions

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// fileSource gets the files of prompts, and what is said in them. Its methods run beside the
// loop.
type fileSource struct {
	fetch func(ctx context.Context, file chat.FileID, limit int64) ([]byte, error)
	hear  func(ctx context.Context, name, mime string, sound []byte) (string, error) // nil: nothing does
	log   *slog.Logger
}

// fillFiles gets the files of a prompt, just before it is sent: the store has their names
// alone. Its error is a *fetchError.
func (f fileSource) fillFiles(ctx context.Context, p session.Prompt) (session.Prompt, error) {
	left := int64(session.MaxFiles)
	p.Parts = slices.Clone(p.Parts)
	for i, part := range p.Parts {
		if part.File == "" {
			continue
		}
		data, err := f.fetchPart(ctx, part, left)
		if err != nil {
			return p, err
		}
		left -= int64(len(data))
		p.Parts[i].Data, p.Parts[i].File = data, ""
	}
	return p, nil
}

// fetchPart gets one file. The error is a *fetchError.
func (f fileSource) fetchPart(ctx context.Context, part session.Part, limit int64) ([]byte, error) {
	data, err := f.fetch(ctx, part.File, limit)
	if err != nil {
		return nil, &fetchError{chat.File{ID: part.File, Name: part.Name, Mime: part.Mime}, err}
	}
	return data, nil
}

// hearPart gets one sound file and has it written down. The error is a *fetchError, a
// *hearError, or that of ctx.
func (f fileSource) hearPart(ctx context.Context, part session.Part) (string, error) {
	if f.hear == nil {
		return "", &hearError{remote.TellDeaf, errors.New("nothing writes down what is said")}
	}
	sound, err := f.fetchPart(ctx, part, session.MaxFiles)
	if err != nil {
		return "", err
	}
	text, err := f.hear(ctx, part.Name, part.Mime, sound)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		f.log.Warn("a voice message was not written down", "err", err)
		return "", &hearError{remote.TellUnheard, err}
	case strings.TrimSpace(text) == "":
		return "", &hearError{remote.TellSilent, errors.New("nothing is said in it")}
	}
	return text, nil
}
