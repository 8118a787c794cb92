package sessions

import (
	"strings"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
)

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

// fault is why there can be no prompt, said at once. The whole of it is not sent then.
func (a *album) fault(hears bool) remote.Message {
	sum := int64(0)
	for i, f := range a.files {
		switch {
		case f.ID == "", !isUsable(a.what[i]):
			return remote.Message{Kind: remote.TellUnusable, What: a.what[i]}
		case isSpoken(a.what[i]) && !hears:
			return remote.Message{Kind: remote.TellDeaf}
		}
		if sum += f.Size; sum > session.MaxFiles {
			return remote.Message{Kind: remote.TellTooLarge, File: f}
		}
	}
	switch {
	case a.command == "", a.command == "noreply":
		return remote.Message{}
	case isCommand(a.command), a.command == "start":
		return remote.Message{Kind: remote.TellNoFile, Text: a.command}
	}
	return remote.Message{Kind: remote.TellUnknown, Text: a.command}
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
	p := session.Prompt{NoReply: a.command == "noreply"}
	text := a.text
	if p.NoReply {
		text = arguments(text)
	}
	if strings.TrimSpace(text) != "" {
		p.Parts = append(p.Parts, session.Part{Text: text})
	}
	for i, f := range a.files {
		p.Parts = append(p.Parts, session.Part{File: f.ID, Name: f.Name, Mime: f.Mime, Spoken: isSpoken(a.what[i])})
	}
	return p
}
