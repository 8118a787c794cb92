package sessions

import (
	"strings"
	"time"

	"hermes/internal/question"
)

// Telegram's clients send what is shown as one, an album, as a message for each file, in
// moments, with the caption at one of them. Its messages are waited for and become one
// prompt. A crash meanwhile loses nothing, as they stay in the inbox; one that comes
// later than this stands for itself.
const albumWithin = 1500 * time.Millisecond

// album is messages with files that become one prompt; a file that stands alone is one too.
type album struct {
	in      question.Input // the first
	to      target
	may     bool
	text    string // the captions, in lines
	command string // of the first of them
	files   []question.File
	what    []question.Matter
	timer   *time.Timer
}

// shared names what is shown as one.
type shared struct {
	writer
	album string
}

// partOf says which session a message belongs to by the one that it is shown with. It is
// called beside the loop, in the order of the updates.
func (d *Desk) partOf(in question.Input, to target, ok bool) (target, bool) {
	if in.Kind != question.Attached || in.Album == "" {
		return to, ok
	}
	key := shared{writerOf(in), in.Album}
	if first, found := d.shares.Load(key); found {
		return first.(target), true
	}
	if ok {
		d.shares.Store(key, to)
	}
	return to, ok
}

// attach takes a message with a file.
func (d *Desk) attach(in question.Input, to target, may bool) {
	w := writerOf(in)
	a := d.albums[w] // none, or the one that this belongs to
	if a == nil {
		a = &album{in: in, to: to, may: may}
		d.albums[w] = a
	} else {
		a.timer.Stop()
		d.with[a.in.Update] = append(d.with[a.in.Update], in)
	}
	if in.Text != "" {
		a.caption(in)
	}
	a.files, a.what = append(a.files, fileOf(in)), append(a.what, in.What)
	if in.Album == "" {
		d.bind(w)
		return
	}
	a.timer = d.after(albumWithin, func() {
		if d.albums[w] == a && d.ctx != nil {
			d.bind(w)
		}
	})
}

// caption adds one to those before it.
func (a *album) caption(in question.Input) {
	if a.text == "" {
		a.text, a.command = in.Text, in.Command
		return
	}
	a.text += "\n" + in.Text
}

// fileOf is the file of a message, with a name: voice.ogg for a voice message.
func fileOf(in question.Input) question.File {
	f := in.File
	if f.Name == "" {
		_, kind, _ := strings.Cut(f.Mime, "/")
		f.Name = strings.TrimSuffix(string(in.What)+"."+kind, ".")
	}
	return f
}

// endBegun ends what a person has begun and that may go on: they sent something else.
func (d *Desk) endBegun(in question.Input) {
	if in.Kind == question.Tapped {
		return
	}
	w := writerOf(in)
	if a := d.albums[w]; a != nil && (in.Album == "" || a.in.Album != in.Album) {
		d.bind(w)
	}
	if d.parts[w] != nil && in.Kind != question.Typed {
		d.complete(w)
	}
}

// bind makes a prompt of an album.
func (d *Desk) bind(w writer) {
	a := d.albums[w]
	delete(d.albums, w)
	if a.timer != nil {
		a.timer.Stop()
	}
	d.shares.Delete(shared{w, a.in.Album})
	if !a.may {
		d.refuse(a.in)
		return
	}
	if a.to.session == "" {
		d.reply(a.in, question.Telling{Kind: question.TellWhich})
		return
	}
	if a.to.answers != "" && a.command != "noreply" {
		d.noAnswer(a.in, a.to)
		return
	}
	if t := a.fault(d.config.Hear != nil); t.Kind != "" {
		d.reply(a.in, t)
		return
	}
	d.accept(a.in, a.to, a.prompt())
}

// fault is why there can be no prompt, said at once. The whole of it is not sent then.
func (a *album) fault(hears bool) question.Telling {
	sum := int64(0)
	for i, f := range a.files {
		switch {
		case f.ID == "", !usable(a.what[i]):
			return question.Telling{Kind: question.TellUnusable, What: a.what[i]}
		case spokenIn(a.what[i]) && !hears:
			return question.Telling{Kind: question.TellDeaf}
		}
		if sum += f.Size; sum > question.MaxFiles {
			return question.Telling{Kind: question.TellTooLarge, File: f}
		}
	}
	switch {
	case a.command == "", a.command == "noreply":
		return question.Telling{}
	case known(a.command), a.command == "start":
		return question.Telling{Kind: question.TellNoFile, Text: a.command}
	}
	return question.Telling{Kind: question.TellUnknown, Text: a.command}
}

// usable reports whether such a thing can be part of a prompt, as a file or by what is
// said in it.
func usable(what question.Matter) bool {
	switch what {
	case question.Photo, question.Document, question.Video, question.Animation:
		return true
	}
	return spokenIn(what)
}

// spokenIn reports whether what is said in it counts.
func spokenIn(what question.Matter) bool { return what == question.Voice || what == question.Audio }

// prompt is what the person says: the caption, and the files, which are fetched later.
func (a *album) prompt() question.Prompt {
	p := question.Prompt{NoReply: a.command == "noreply"}
	text := a.text
	if p.NoReply {
		text = arguments(text)
	}
	if strings.TrimSpace(text) != "" {
		p.Parts = append(p.Parts, question.Part{Text: text})
	}
	for i, f := range a.files {
		p.Parts = append(p.Parts, question.Part{File: f.ID, Name: f.Name, Mime: f.Mime, Spoken: spokenIn(a.what[i])})
	}
	return p
}
