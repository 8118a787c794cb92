package sessions

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/ui"
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
		failed := &fetchError{chat.File{ID: part.File, Name: part.Name, Mime: part.Mime}, err}
		if failed.endOfPrompt() == remote.PromptFileGone {
			f.log.Warn("a file that a person sent cannot be fetched", "err", err)
		}
		return nil, failed
	}
	return data, nil
}

// hearPart gets one sound file and has it written down. The error is a *fetchError, a
// *hearError, or that of ctx.
func (f fileSource) hearPart(ctx context.Context, part session.Part) (string, error) {
	if f.hear == nil {
		return "", &hearError{remote.PromptDeaf, errors.New("nothing writes down what is said")}
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
		return "", &hearError{remote.PromptUnheard, err}
	case strings.TrimSpace(text) == "":
		return "", &hearError{remote.PromptSilent, errors.New("nothing is said in it")}
	}
	return text, nil
}

// album is messages with files that become one prompt; a file that stands alone is one too.
type album struct {
	in      inbound.Input // the first
	text    string        // the captions, in lines
	command string        // of the first of them
	files   []chat.File
	what    []chat.Media
}

// albumOf is the album that an input is.
func albumOf(in inbound.Input) album {
	a := album{in: in}
	for _, one := range append([]inbound.Input{in}, in.Rest...) {
		if one.Text != "" {
			a.addCaption(one)
		}
		a.files, a.what = append(a.files, fileOf(one)), append(a.what, one.What)
	}
	return a
}

// addCaption adds one to those before it.
func (a *album) addCaption(in inbound.Input) {
	if a.text == "" {
		a.text, a.command = in.Text, in.Command
		return
	}
	a.text += "\n" + in.Text
}

// fileOf is the file of a message, with a name: voice.ogg for a voice message.
func fileOf(in inbound.Input) chat.File {
	f := in.File
	if f.Name == "" {
		_, kind, _ := strings.Cut(f.Mime, "/")
		f.Name = strings.TrimSuffix(string(in.What)+"."+kind, ".")
	}
	return f
}

// fault is why there can be no prompt, said at once; nil: there can. The whole of it is not sent then.
func (a *album) fault(hears bool) ui.Line {
	sum := int64(0)
	for i, f := range a.files {
		switch {
		case f.ID == "", !isUsable(a.what[i]):
			return ui.NoPrompt(a.what[i])
		case isSpoken(a.what[i]) && !hears:
			return ui.Unusable(remote.PromptDeaf, f)
		}
		if sum += f.Size; sum > session.MaxFiles {
			return ui.Unusable(remote.PromptTooLarge, f)
		}
	}
	switch {
	case a.command == "", a.command == "noreply":
		return nil
	case isCommand(a.command), a.command == "start":
		return ui.TakesNoFile(a.command)
	}
	return ui.UnknownCommand(a.command)
}

// isUsable reports whether such a thing can be part of a prompt, as a file or by what is
// said in it.
func isUsable(what chat.Media) bool {
	switch what {
	case chat.Photo, chat.Document, chat.Video, chat.Animation:
		return true
	}
	return isSpoken(what)
}

// isSpoken reports whether what is said in it counts.
func isSpoken(what chat.Media) bool { return what == chat.Voice || what == chat.Audio }

// prompt is what the person says: the caption, and the files, which are fetched later.
func (a *album) prompt() session.Prompt {
	if a.command != "noreply" {
		return promptOf(a.text, a.parts())
	}
	p := promptOf(arguments(a.text), a.parts())
	p.NoReply = true
	return p
}

func (a *album) parts() (list []session.Part) {
	for i, f := range a.files {
		list = append(list, session.Part{File: f.ID, Name: f.Name, Mime: f.Mime, Spoken: isSpoken(a.what[i])})
	}
	return list
}

// promptOf is a text, if there is any, with the files that belong to it.
func promptOf(text string, files []session.Part) session.Prompt {
	if strings.TrimSpace(text) == "" {
		return session.Prompt{Parts: files}
	}
	return session.Prompt{Parts: append([]session.Part{{Text: text}}, files...)}
}
