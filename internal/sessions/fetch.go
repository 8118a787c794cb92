package sessions

import (
	"context"
	"errors"
	"slices"

	"hermes/internal/question"
)

// filled gets the files of a prompt, just before it is sent: the store has their names
// alone. Its error is of type *unfetched. It runs beside the loop.
func (d *Desk) filled(ctx context.Context, p question.Prompt) (question.Prompt, error) {
	left := int64(question.MaxFiles)
	p.Parts = slices.Clone(p.Parts)
	for i, part := range p.Parts {
		if part.File == "" {
			continue
		}
		data, err := d.fetch(ctx, part, left)
		if err != nil {
			return p, err
		}
		left -= int64(len(data))
		p.Parts[i].Data, p.Parts[i].File = data, ""
	}
	return p, nil
}

// freshly is how the session stands when the files of its prompt have been fetched: that
// takes minutes at worst, and what is told of the prompt depends on it.
func (d *Desk) freshly(ctx context.Context, w way, before question.Session, owed question.Prompt) question.Session {
	if slices.ContainsFunc(owed.Parts, func(p question.Part) bool { return p.File != "" }) {
		if now, err := w.Session(ctx, before.ID); err == nil {
			return now
		}
	}
	return before
}

// fetch gets one file. The error is of type *unfetched.
func (d *Desk) fetch(ctx context.Context, part question.Part, limit int64) ([]byte, error) {
	data, err := d.config.Fetch(ctx, part.File, limit)
	if err != nil {
		return nil, &unfetched{question.File{ID: part.File, Name: part.Name, Mime: part.Mime}, err}
	}
	return data, nil
}

// unfetched says that a file of a prompt could not be got.
type unfetched struct {
	file question.File
	err  error
}

func (u *unfetched) Error() string { return "a file cannot be fetched: " + u.err.Error() }
func (u *unfetched) Unwrap() error { return u.err }

// end is how the prompt ends, "" if there is to be another try.
func (u *unfetched) end() question.TellingKind {
	switch {
	case errors.Is(u.err, question.ErrTooLarge):
		return question.TellTooLarge
	case later(u.err), errors.Is(u.err, context.Canceled):
		return ""
	}
	return question.TellFileGone
}

// keptFor says what a prompt waits for.
func keptFor(r result) question.Telling {
	var u *unfetched
	if errors.As(r.err, &u) {
		return question.Telling{Kind: question.TellFetching, File: u.file}
	}
	return question.Telling{Kind: question.TellKept}
}
