package prompt

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"hermes/internal/session"
)

// Of a file OpenCode is told what it is, or it is not sent.
func TestFile_MediaType(t *testing.T) {
	whole := picture(t)
	for _, test := range []struct {
		mime, data, want string // empty: refused
	}{
		{"image/png", string(whole), "image/png"},
		{"IMAGE/PNG; charset=binary", string(whole), "image/png"},
		{"image/jpeg", string(whole), "image/jpeg"}, // OpenCode looks into it, too
		{"image/png", string(whole[:len(whole)-20]), ""},
		{"image/webp", "RIFF\x04\x00\x00\x00WEBPVP8 ", "image/webp"},
		{"image/webp", "\xff\xfe", ""},
		{"image/heic", "\x00heic", ""},
		{"image/svg+xml", "<svg/>", "text/plain"},
		{"application/pdf", "%PDF-1.4\xff", "application/pdf"},
		{"audio/ogg", "OggS\x00", "audio/ogg"},
		{"application/json", "{}", "text/plain"},
		{"application/octet-stream", "grüße", "text/plain"},
		{"text/plain", "\xff\xfe", ""},
		{"application/zip", "PK\x03\x04\x00", ""},
		{"", "", "text/plain"},
	} {
		got, err := MediaType(session.Part{Mime: test.mime, Data: []byte(test.data)})
		if got != test.want || (err == nil) == (test.want == "") {
			t.Errorf("%q as %s is sent as %q, %v, want %q", test.data, test.mime, got, err, test.want)
		}
	}
}

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
