package telegramsim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

func TestPeopleSendMoreThanTexts(t *testing.T) {
	s := world(t, telegramsim.Options{})
	say(t, s, ada, ada, "see", telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsPhoto, Data: make([]byte, 80)}), telegramsim.InAlbum("5"))
	say(t, s, ada, ada, "", telegramsim.WithContent("sticker", `{"emoji":"👍"}`))
	say(t, s, ada, ada, "", telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsAnimation, Name: "a.mp4", Mime: "video/mp4", Data: []byte("x")}))
	var updates []struct {
		Message struct {
			Text, Caption string
			Album         string `json:"media_group_id"`
			Photo         []struct {
				ID    string `json:"file_id"`
				Width int
				Size  int `json:"file_size"`
			}
			Sticker  struct{ Emoji string }
			Document struct {
				Mime string `json:"mime_type"`
			}
			Animation struct {
				Name string `json:"file_name"`
			}
		}
	}
	if err := json.Unmarshal(call(t, s, "getUpdates", args{}).Result, &updates); err != nil || len(updates) != 4 {
		t.Fatalf("%v, %d updates", err, len(updates))
	}
	photo, sticker, film := updates[1].Message, updates[2].Message, updates[3].Message
	if len(photo.Photo) != 2 || photo.Photo[0].ID == photo.Photo[1].ID || photo.Photo[1].Size != 80 || photo.Photo[0].Width >= photo.Photo[1].Width {
		t.Errorf("%+v", photo)
	}
	if photo.Caption != "see" || photo.Text != "" || photo.Album != "5" || sticker.Sticker.Emoji != "👍" {
		t.Errorf("%+v\n%+v", photo, sticker)
	}
	if film.Animation.Name != "a.mp4" || film.Document.Mime != "video/mp4" {
		t.Errorf("an animation is a document as well: %+v", film)
	}
	if text := s.History(ada); !strings.Contains(text, "[photo, 80 bytes]\n  see\n") || !strings.Contains(text, "[sticker]\n") {
		t.Error(text)
	}
}

func TestImpossibleMessages(t *testing.T) {
	s := world(t, telegramsim.Options{})
	for name, how := range map[string]telegramsim.SayOption{
		"a caption of a sticker": telegramsim.WithContent("sticker", `{}`),
		"no JSON":                telegramsim.WithContent("paid_media", `{`),
		"a caption of a round":   telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsVideoNote, Data: []byte("x")}),
	} {
		if _, err := s.Say(ada, ada, "words", how); err == nil {
			t.Errorf("%s was said", name)
		}
	}
}
