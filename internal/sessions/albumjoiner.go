package sessions

import (
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// Telegram's clients send what is shown as one, an album, as a message for each file, in
// moments, with the caption at one of them. Its messages are waited for and become one
// prompt. A crash meanwhile loses nothing, as they stay in the inbox; one that comes
// later than this becomes a prompt of its own.
const albumWithin = 1500 * time.Millisecond

// albumJoiner joins messages with files. targetOfAlbum is called beside the loop, in the order of
// the updates; the rest is for the loop.
type albumJoiner struct {
	*services
	whole func(*album) // called with each album that is complete

	begun  sync.Map // albumKey → target: which session an album belongs to, as it is known beside the loop
	albums map[writer]*album
}

// albumKey names what is shown as one.
type albumKey struct {
	writer
	album string
}

// album is messages with files that become one prompt; a file that stands alone is one too.
type album struct {
	in      inbound.Input // the first
	to      target
	may     bool
	text    string // the captions, in lines
	command string // of the first of them
	files   []chat.File
	what    []chat.Media
	until   time.Time // when no more is waited for
	alarm   alarm
}

// Next says when an album is complete.
func (a *album) Next(now time.Time) ([]step, time.Time) {
	d := due{now: now}
	d.add(passOnStep, a.until)
	return d.steps, d.wake
}

func newAlbumJoiner(c *services, whole func(*album)) *albumJoiner {
	return &albumJoiner{services: c, whole: whole, albums: map[writer]*album{}}
}

// targetOfAlbum says which session a message belongs to by the one that it is shown with.
func (j *albumJoiner) targetOfAlbum(in inbound.Input, to target, ok bool) (target, bool) {
	if in.Kind != inbound.Attached || in.Album == "" {
		return to, ok
	}
	key := albumKey{writerOf(in), in.Album}
	if first, found := j.begun.Load(key); found {
		return first.(target), true
	}
	if ok {
		j.begun.Store(key, to)
	}
	return to, ok
}

// addFile takes a message with a file. Another album of its writer has ended before.
func (j *albumJoiner) addFile(in inbound.Input, to target, may bool) {
	w := writerOf(in)
	a := j.albums[w]
	if a == nil {
		a = &album{in: in, to: to, may: may}
		j.albums[w] = a
	} else {
		j.respond.joinInput(a.in, in)
	}
	if in.Text != "" {
		a.addCaption(in)
	}
	a.files, a.what = append(a.files, fileOf(in)), append(a.what, in.What)
	a.until = time.Now()
	if in.Album != "" {
		a.until = a.until.Add(albumWithin)
	}
	j.advance(w, a)
}

func (j *albumJoiner) advance(w writer, a *album) {
	if j.albums[w] != a {
		return
	}
	steps, wake := a.Next(time.Now())
	a.alarm.set(j.loop, wake, func() {
		if j.loop.Running() {
			j.advance(w, a)
		}
	})
	if slices.Contains(steps, passOnStep) {
		j.complete(w)
	}
}

// endOther completes the album that a person has begun, unless it is this one.
func (j *albumJoiner) endOther(w writer, name string) {
	if a := j.albums[w]; a != nil && (name == "" || a.in.Album != name) {
		j.complete(w)
	}
}

func (j *albumJoiner) complete(w writer) {
	a := j.albums[w]
	delete(j.albums, w)
	a.alarm.stop()
	j.begun.Delete(albumKey{w, a.in.Album})
	j.whole(a)
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
