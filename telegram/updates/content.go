package updates

import (
	"encoding/json"
	"regexp"
	"strings"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/telegram/markup"
)

// wireContent is what a message can be beside a text. It is decoded only as far as it
// is needed, so that nothing in it can make an update unreadable.
type wireContent struct {
	Photo     json.RawMessage `json:"photo"`
	Document  json.RawMessage `json:"document"`
	Voice     json.RawMessage `json:"voice"`
	Audio     json.RawMessage `json:"audio"`
	Video     json.RawMessage `json:"video"`
	VideoNote json.RawMessage `json:"video_note"`
	Animation json.RawMessage `json:"animation"`
	Sticker   json.RawMessage `json:"sticker"`
	Location  json.RawMessage `json:"location"`
	Venue     json.RawMessage `json:"venue"`
	Contact   json.RawMessage `json:"contact"`
	Poll      json.RawMessage `json:"poll"`
	Dice      json.RawMessage `json:"dice"`
	Game      json.RawMessage `json:"game"`
	Story     json.RawMessage `json:"story"`
	Checklist json.RawMessage `json:"checklist"`
	PaidMedia json.RawMessage `json:"paid_media"`
	Rich      json.RawMessage `json:"rich_message"`
}

// wireFile is what Bot API PhotoSize, Document, Voice, Audio, Video, VideoNote and
// Animation have in common.
type wireFile struct {
	ID     chat.FileID `json:"file_id"`
	Name   string      `json:"file_name"`
	Mime   string      `json:"mime_type"`
	Size   int64       `json:"file_size"`
	Width  int64       `json:"width"`
	Height int64       `json:"height"`
}

// media is what the message is, "" for a service message and for what hermes does not
// know. An animation is a document too, and a venue a location (Bot API Message).
func (c *wireContent) media() (chat.Media, json.RawMessage) {
	for _, field := range []struct {
		what chat.Media
		raw  json.RawMessage
	}{
		{chat.Animation, c.Animation},
		{chat.Venue, c.Venue},
		{chat.Photo, c.Photo},
		{chat.Document, c.Document},
		{chat.Voice, c.Voice},
		{chat.Audio, c.Audio},
		{chat.Video, c.Video},
		{chat.VideoNote, c.VideoNote},
		{chat.Sticker, c.Sticker},
		{chat.Location, c.Location},
		{chat.Contact, c.Contact},
		{chat.Poll, c.Poll},
		{chat.Dice, c.Dice},
		{chat.Game, c.Game},
		{chat.Story, c.Story},
		{chat.Checklist, c.Checklist},
		{chat.PaidMedia, c.PaidMedia},
		{chat.Rich, c.Rich},
	} {
		if isPresent(field.raw) {
			return field.what, field.raw
		}
	}
	return "", nil
}

// fileOf is the file in a message, if it holds one that can be read.
func fileOf(what chat.Media, raw json.RawMessage) chat.File {
	switch what {
	case chat.Photo:
		return largestPhoto(raw)
	case chat.Document, chat.Voice, chat.Audio, chat.Video, chat.VideoNote, chat.Animation:
		var f wireFile
		if json.Unmarshal(raw, &f) == nil {
			return f.file()
		}
	}
	return chat.File{}
}

// largestPhoto is the largest of its sizes. Photos are JPEG, and have no name.
func largestPhoto(raw json.RawMessage) chat.File {
	var sizes []wireFile
	if json.Unmarshal(raw, &sizes) != nil {
		return chat.File{}
	}
	var best wireFile
	for _, f := range sizes {
		if f.ID != "" && (best.ID == "" || f.Width*f.Height > best.Width*best.Height) {
			best = f
		}
	}
	if best.ID == "" {
		return chat.File{}
	}
	best.Name, best.Mime = "photo.jpg", "image/jpeg"
	return best.file()
}

var mimeForm = regexp.MustCompile(`^[a-z0-9][a-z0-9.+_-]*/[a-z0-9][a-z0-9.+_-]*$`)

func (f wireFile) file() chat.File {
	kind, _, _ := strings.Cut(strings.ToLower(f.Mime), ";")
	if kind = strings.TrimSpace(kind); len(kind) > 128 || !mimeForm.MatchString(kind) {
		kind = ""
	}
	return chat.File{ID: f.ID, Name: markup.OneLine(f.Name), Mime: kind, Size: max(f.Size, 0)}
}

// mediaInput is a message without a text.
func (m *wireMessage) mediaInput(bot chat.UserID) inbound.Input {
	what, raw := m.media()
	if what == "" || m.Chat.ID == 0 || m.Sender != nil || m.From == nil || !m.From.isPerson() {
		return m.baseInput(inbound.Ignored, m.From)
	}
	in := m.textInput(inbound.Attached, m.Caption, bot)
	in.What, in.File, in.Album = what, fileOf(what, raw), m.Album
	return in
}
