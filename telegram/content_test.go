package telegram

import (
	"strings"
	"testing"

	"hermes/question"
	"hermes/telegram/simulator"
)

// sends has Ada send something, and returns what the bot makes of it.
func (w *world) sends(text string, how ...simulator.SayOption) question.Input {
	w.t.Helper()
	if _, err := w.tele.Say(7, 7, text, how...); err != nil {
		w.t.Fatal(err)
	}
	settle()
	all := w.heard()
	return all[len(all)-1]
}

// What people send beside texts, as Telegram delivers it.
func TestWhatPeopleSend(t *testing.T) {
	in(t, func(w *world) {
		w.start()
		data := make([]byte, 400)
		for _, c := range []struct {
			caption string
			how     simulator.SayOption
			want    question.Input
		}{
			{"see", simulator.WithFile(simulator.Document{Kind: simulator.AsPhoto, Data: data}), question.Input{
				Text: "see", What: question.Photo, File: question.File{Name: "photo.jpg", Mime: "image/jpeg", Size: 400},
			}},
			{"/run a", simulator.WithFile(simulator.Document{Name: "a\nb.txt", Mime: "Text/Plain; charset=utf-8", Data: data[:5]}), question.Input{
				Text: "/run a", Command: "run", What: question.Document, File: question.File{Name: "a b.txt", Mime: "text/plain", Size: 5},
			}},
			{"", simulator.WithFile(simulator.Document{Name: "x", Mime: "text/plain;base64,AAAA\n", Data: data[:5]}), question.Input{
				What: question.Document, File: question.File{Name: "x", Mime: "text/plain", Size: 5},
			}},
			{"", simulator.WithFile(simulator.Document{Name: "x", Mime: "no type", Data: data[:5]}), question.Input{
				What: question.Document, File: question.File{Name: "x", Size: 5},
			}},
			{"", simulator.WithFile(simulator.Document{Kind: simulator.AsVoice, Mime: "audio/ogg", Data: data}), question.Input{
				What: question.Voice, File: question.File{Mime: "audio/ogg", Size: 400},
			}},
			{"", simulator.WithFile(simulator.Document{Kind: simulator.AsAnimation, Name: "a.mp4", Mime: "video/mp4", Data: data}), question.Input{
				What: question.Animation, File: question.File{Name: "a.mp4", Mime: "video/mp4", Size: 400},
			}},
			{"", simulator.WithFile(simulator.Document{Kind: simulator.AsVideoNote, Data: data}), question.Input{
				What: question.VideoNote, File: question.File{Size: 400},
			}},
			{"", simulator.WithContent("sticker", `{"file_id":"S","emoji":"👍"}`), question.Input{What: question.Sticker}},
			{"", simulator.WithContent("location", `{"latitude":1,"longitude":2}`), question.Input{What: question.Location}},
			{"", simulator.WithContent("poll", `{"id":"1","options":{"a form":"of tomorrow"}}`), question.Input{What: question.Poll}},
			{"pay", simulator.WithContent("paid_media", `{"star_count":1,"paid_media":[{"type":"unheard of"}]}`), question.Input{Text: "pay", What: question.PaidMedia}},
			{"", simulator.WithContent("rich_message", `{"blocks":[{"type":"unheard of","text":{"type":"unheard of"}}]}`), question.Input{What: question.Rich}},
			{"", simulator.WithContent("dice", `{"emoji":"🎲","value":6}`), question.Input{What: question.Dice}},
		} {
			got := w.sends(c.caption, c.how)
			c.want.Kind, c.want.Chat, c.want.Private = question.Attached, 7, true
			c.want.User = question.User{ID: 7, Name: "Ada", Lang: "en"}
			if (got.File.ID != "") != (c.want.File.Size > 0) || got.Sent.IsZero() {
				t.Errorf("%s has the file %q, sent %v", got.What, got.File.ID, got.Sent)
			}
			c.want.Update, c.want.Message, c.want.Sent, c.want.File.ID = got.Update, got.Message, got.Sent, got.File.ID
			if got != c.want {
				t.Errorf("\ngot  %+v\nwant %+v", got, c.want)
			}
		}
	})
}

// An album is several messages, which name it; the caption is on one of them.
func TestAlbum(t *testing.T) {
	in(t, func(w *world) {
		w.start()
		first := w.tele.Messages(7)[0].ID
		photo := simulator.Document{Kind: simulator.AsPhoto, Data: make([]byte, 40)}
		one := w.sends("both", simulator.WithFile(photo), simulator.InAlbum("77"), simulator.ReplyTo(first))
		two := w.sends("", simulator.WithFile(photo), simulator.InAlbum("77"), simulator.ReplyTo(first))
		if one.Album != "77" || two.Album != "77" || one.Text != "both" || two.Text != "" || one.File.ID == two.File.ID || two.ReplyTo != question.PostedID(first) {
			t.Errorf("%+v\n%+v", one, two)
		}
		if !strings.Contains(w.tele.Transcript(7), "[photo, 40 bytes]\n  both\n") {
			t.Error(w.tele.Transcript(7))
		}
	})
}

// Service messages, and what comes from nobody in particular, are for nobody.
func TestNothingIsMadeOfServiceMessages(t *testing.T) {
	for name, rest := range map[string]string{
		"service":    adaJSON + `,"pinned_message":{"message_id":4}`,
		"unknown":    adaJSON + `,"telepathy":{"thought":1}`,
		"null":       adaJSON + `,"photo":null`,
		"bot":        `"from":{"id":8,"is_bot":true},"sticker":{}`,
		"as channel": adaJSON + `,"sender_chat":{"id":-1005},"sticker":{}`,
		"nobody":     `"sticker":{}`,
	} {
		got, err := read(question.Update{ID: 9, Raw: []byte(`{"message":{"message_id":5,"date":1,` + teamJSON + `,` + rest + `}}`)}, 0)
		if err != nil || got.Kind != question.Ignored {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestLargestPhoto(t *testing.T) {
	got := photo([]byte(`[{"file_id":"a","width":90,"height":90},{"file_id":"b","width":800,"height":600,"file_size":9},{"file_id":"c","width":320,"height":320}]`))
	if want := (question.File{ID: "b", Name: "photo.jpg", Mime: "image/jpeg", Size: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := photo([]byte(`[{"width":1},"x"]`)); got != (question.File{}) {
		t.Errorf("got %+v", got)
	}
}
