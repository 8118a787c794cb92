package telegram_test

import (
	"reflect"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/simulate/telegramsim"
)

// sendAndDecode has Ada send something, and returns what the bot makes of it.
func (w *world) sendAndDecode(text string, how ...telegramsim.SayOption) inbound.Input {
	w.t.Helper()
	if _, err := w.tele.Say(7, 7, text, how...); err != nil {
		w.t.Fatal(err)
	}
	settle()
	all := w.handled()
	return all[len(all)-1]
}

// What people send beside texts, as Telegram delivers it.
func TestUpdates_WhatPeopleSend(t *testing.T) {
	inWorld(t, func(w *world) {
		w.start()
		data := make([]byte, 400)
		for _, c := range []struct {
			caption string
			how     telegramsim.SayOption
			want    inbound.Input
		}{
			{"see", telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsPhoto, Data: data}), inbound.Input{
				Text: "see", What: chat.Photo, File: chat.File{Name: "photo.jpg", Mime: "image/jpeg", Size: 400},
			}},
			{"/run a", telegramsim.WithFile(telegramsim.Document{Name: "a\nb.txt", Mime: "Text/Plain; charset=utf-8", Data: data[:5]}), inbound.Input{
				Text: "/run a", Command: "run", What: chat.Document, File: chat.File{Name: "a b.txt", Mime: "text/plain", Size: 5},
			}},
			{"", telegramsim.WithFile(telegramsim.Document{Name: "x", Mime: "text/plain;base64,AAAA\n", Data: data[:5]}), inbound.Input{
				What: chat.Document, File: chat.File{Name: "x", Mime: "text/plain", Size: 5},
			}},
			{"", telegramsim.WithFile(telegramsim.Document{Name: "x", Mime: "no type", Data: data[:5]}), inbound.Input{
				What: chat.Document, File: chat.File{Name: "x", Size: 5},
			}},
			{"", telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsVoice, Mime: "audio/ogg", Data: data}), inbound.Input{
				What: chat.Voice, File: chat.File{Mime: "audio/ogg", Size: 400},
			}},
			{"", telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsAnimation, Name: "a.mp4", Mime: "video/mp4", Data: data}), inbound.Input{
				What: chat.Animation, File: chat.File{Name: "a.mp4", Mime: "video/mp4", Size: 400},
			}},
			{"", telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsVideoNote, Data: data}), inbound.Input{
				What: chat.VideoNote, File: chat.File{Size: 400},
			}},
			{"", telegramsim.WithContent("sticker", `{"file_id":"S","emoji":"👍"}`), inbound.Input{What: chat.Sticker}},
			{"", telegramsim.WithContent("location", `{"latitude":1,"longitude":2}`), inbound.Input{What: chat.Location}},
			{"", telegramsim.WithContent("poll", `{"id":"1","options":{"a form":"of tomorrow"}}`), inbound.Input{What: chat.Poll}},
			{"pay", telegramsim.WithContent("paid_media", `{"star_count":1,"paid_media":[{"type":"unheard of"}]}`), inbound.Input{Text: "pay", What: chat.PaidMedia}},
			{"", telegramsim.WithContent("rich_message", `{"blocks":[{"type":"unheard of","text":{"type":"unheard of"}}]}`), inbound.Input{What: chat.Rich}},
			{"", telegramsim.WithContent("dice", `{"emoji":"🎲","value":6}`), inbound.Input{What: chat.Dice}},
		} {
			got := w.sendAndDecode(c.caption, c.how)
			c.want.Kind, c.want.Chat, c.want.Private = inbound.Attached, 7, true
			c.want.User = chat.User{ID: 7, Name: "Ada", Lang: "en"}
			if (got.File.ID != "") != (c.want.File.Size > 0) || got.Sent.IsZero() {
				t.Errorf("%s has the file %q, sent %v", got.What, got.File.ID, got.Sent)
			}
			c.want.Update, c.want.Message, c.want.Sent, c.want.File.ID = got.Update, got.Message, got.Sent, got.File.ID
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("\ngot  %+v\nwant %+v", got, c.want)
			}
		}
	})
}

// An album is several messages, which name it; the caption is on one of them.
func TestUpdates_Album(t *testing.T) {
	inWorld(t, func(w *world) {
		w.start()
		first := w.tele.Messages(7)[0].ID
		photo := telegramsim.Document{Kind: telegramsim.AsPhoto, Data: make([]byte, 40)}
		one := w.sendAndDecode("both", telegramsim.WithFile(photo), telegramsim.InAlbum("77"), telegramsim.ReplyTo(first))
		two := w.sendAndDecode("", telegramsim.WithFile(photo), telegramsim.InAlbum("77"), telegramsim.ReplyTo(first))
		if one.Album != "77" || two.Album != "77" || one.Text != "both" || two.Text != "" || one.File.ID == two.File.ID || two.ReplyTo != chat.MessageID(first) {
			t.Errorf("%+v\n%+v", one, two)
		}
		if !strings.Contains(w.tele.Transcript(7), "[photo, 40 bytes]\n  both\n") {
			t.Error(w.tele.Transcript(7))
		}
	})
}
