package telegramsim

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// FileKind is how Telegram shows a file: the Bot API's name of its field in a message.
type FileKind string

// The kinds of files that people send. The zero value is a document.
const (
	AsDocument  FileKind = "document"
	AsPhoto     FileKind = "photo" // the bot gets it in two sizes, without a name or type
	AsVoice     FileKind = "voice"
	AsAudio     FileKind = "audio"
	AsVideoNote FileKind = "video_note"
	AsAnimation FileKind = "animation" // the bot gets it as a document too
)

// content is what a message is that is neither text nor file.
type content struct {
	kind string
	raw  json.RawMessage
}

// WithFile attaches a file; the text becomes its caption.
func WithFile(d Document) SayOption { return func(m *message, _ *saying) { m.document = d.copy() } }

// WithContent makes the message be something else than a text: kind is the Bot API's
// name of its field, such as "sticker" or "location", and raw the JSON in it. The text
// becomes its caption.
func WithContent(kind, raw string) SayOption {
	return func(m *message, _ *saying) { m.content = &content{kind, json.RawMessage(raw)} }
}

// InAlbum makes the message one of several that are shown together (media_group_id).
func InAlbum(id string) SayOption { return func(m *message, _ *saying) { m.album = id } }

// Forwarded passes on what another user wrote elsewhere (forward_origin).
func Forwarded(from int64) SayOption { return func(m *message, _ *saying) { m.origin = from } }

// ViaBot has an inline bot write the message (via_bot).
func ViaBot(bot int64) SayOption { return func(m *message, _ *saying) { m.via = bot } }

func (d Document) copy() *Document {
	return &Document{Name: d.Name, Data: slices.Clone(d.Data), Mime: d.Mime, Kind: d.Kind}
}

// attach checks what a person's message holds, and keeps its file.
func (s *Server) attach(m *message) error {
	switch {
	case m.document != nil:
		s.upload(m.document)
	case m.content == nil && m.text == "":
		return errors.New("a message needs a text")
	}
	return nil
}

// upload gives a file its id; a photo also has a smaller size.
func (s *Server) upload(d *Document) {
	s.serial++
	d.id = "BQAC" + strconv.Itoa(s.serial)
	s.files[d.id] = d
	if d.Kind == AsPhoto {
		d.small = &Document{Data: d.Data[:len(d.Data)/4], Kind: "small photo"}
		s.upload(d.small)
	}
}

// wire are the message's fields for the file.
func (d *Document) wire() map[string]any {
	file := map[string]any{"file_id": d.id, "file_unique_id": "u" + d.id, "file_size": len(d.Data)}
	if d.Kind == AsPhoto {
		small := map[string]any{"file_id": d.small.id, "file_unique_id": "u" + d.small.id, "file_size": len(d.small.Data), "width": 90, "height": 60}
		file["width"], file["height"] = 1280, 853
		return map[string]any{"photo": []any{small, file}}
	}
	if d.Name != "" && d.Kind != AsVoice && d.Kind != AsVideoNote {
		file["file_name"] = d.Name
	}
	if d.Mime != "" && d.Kind != AsVideoNote {
		file["mime_type"] = d.Mime
	}
	all := map[string]any{string(cmp.Or(d.Kind, AsDocument)): file}
	if d.Kind == AsAnimation {
		all["document"] = file
	}
	return all
}

// MarshalJSON puts the content beside the other fields.
func (w *wireMessage) MarshalJSON() ([]byte, error) {
	type fields wireMessage
	raw, err := json.Marshal((*fields)(w))
	if err != nil || len(w.content) == 0 {
		return raw, err
	}
	more, err := json.Marshal(w.content)
	if err != nil {
		return nil, err
	}
	return slices.Concat(raw[:len(raw)-1], []byte(","), more[1:]), nil
}

// extra is the content in words, for people to read.
func (m *message) extra() string {
	switch {
	case m.content != nil:
		return "[" + m.content.kind + "]"
	case m.document == nil:
		return ""
	case m.document.Kind == "" || m.document.Kind == AsDocument:
		return fmt.Sprintf("📎 %s (%d bytes)", m.document.Name, len(m.document.Data))
	}
	return fmt.Sprintf("[%s, %d bytes]", m.document.Kind, len(m.document.Data))
}
