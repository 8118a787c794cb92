package sessions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hermes/internal/question"
)

// written has what is said in a prompt written down. The words are stored before they are
// shown, and shown before the prompt is sent: what people read is what the agent gets. A
// crash in between shows them again, at worst. It runs beside the loop.
func (d *Desk) written(ctx context.Context, e *errand, owed question.Errand) (question.Prompt, error) {
	p := owed.Prompt
	p.Parts = slices.Clone(p.Parts)
	for i, part := range p.Parts {
		if part.Spoken && part.File != "" {
			text, err := d.writeDown(ctx, part)
			if err != nil {
				return p, err
			}
			part = question.Part{Text: text, Spoken: true}
			err = d.alterPart(ctx, e, i, part, question.Entry{
				Kind: question.EntryHeard, Thread: owed.ID, Session: p.Session, By: owed.By, Note: text,
			})
			if err != nil {
				return p, err
			}
		}
		if part.Spoken {
			d.recite(ctx, e, part.Text)
			part.Spoken = false
			if err := d.alterPart(ctx, e, i, part); err != nil {
				return p, err
			}
		}
		p.Parts[i] = part
	}
	return p, nil
}

// writeDown gets one sound file and has it written down. The error is *unfetched, *unheard,
// or that of ctx.
func (d *Desk) writeDown(ctx context.Context, part question.Part) (string, error) {
	if d.config.Hear == nil {
		return "", &unheard{question.TellDeaf, errors.New("nothing writes down what is said")}
	}
	sound, err := d.fetch(ctx, part, question.MaxFiles)
	if err != nil {
		return "", err
	}
	text, err := d.config.Hear(ctx, part.Name, part.Mime, sound)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		d.log.Warn("a voice message was not written down", "err", err)
		return "", &unheard{question.TellUnheard, err}
	case strings.TrimSpace(text) == "":
		return "", &unheard{question.TellSilent, errors.New("nothing is said in it")}
	}
	return text, nil
}

// alterPart stores a part of an errand's prompt otherwise than it was.
func (d *Desk) alterPart(ctx context.Context, e *errand, i int, part question.Part, entries ...question.Entry) error {
	return d.alter(ctx, e, func(next *question.Errand) {
		next.Prompt.Parts = slices.Clone(next.Prompt.Parts)
		next.Prompt.Parts[i] = part
	}, entries...)
}

// recite shows what was said, and waits until it is shown or cannot be.
func (d *Desk) recite(ctx context.Context, e *errand, text string) {
	shown := make(chan struct{})
	d.back(func() {
		t := question.Telling{Kind: question.TellHeard, Chat: e.Chat, Topic: e.Topic, ReplyTo: e.Message, Lang: e.Lang, Text: text}
		d.tell(t, e.target(), func([]question.PostedID, error) { close(shown) })
	})
	select {
	case <-shown:
	case <-ctx.Done():
	}
}

// unheard says why the words of a voice message are not known.
type unheard struct {
	end question.TellingKind
	err error
}

func (u *unheard) Error() string { return "a voice message cannot be written down: " + u.err.Error() }
func (u *unheard) Unwrap() error { return u.err }
