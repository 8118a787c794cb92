package prompt

import (
	"bytes"
	"image"
	"image/png"
	"regexp"
	"testing"
	"time"

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

// Measured on 1.1.53: a message made at 1795252596732 ms.
const measured = "msg_1fd64afee001U8MwKQ6bmpJ6kf"

func TestID_Stamp(t *testing.T) {
	at, ok := stampOf(measured)
	const mask = 1<<48 - 1
	if want := uint64(1795252596718*4096+1) & mask; !ok || at != want {
		t.Errorf("the stamp of %s is %x, want %x", measured, at, want)
	}
	for _, id := range []string{"", "msg_", "msg_1fd64afee001", "msg_zzzzzzzzzzzzU8MwKQ6bmpJ6kf", measured + "x"} {
		if _, ok := stampOf(id); ok {
			t.Errorf("%q is taken for an id", id)
		}
	}
}

func TestID_New(t *testing.T) {
	form := regexp.MustCompile(`^msg_[0-9a-f]{12}[0-9A-Za-z]{14}$`)
	then := time.UnixMilli(1795252596718)
	for _, test := range []struct {
		name  string
		after session.MessageID
		now   time.Time
		want  string // its first digits
	}{
		{"the first, now", "", then, "msg_1fd64afee001"},
		{"after one of the same time", measured, then, "msg_1fd64afee002"},
		{"after one of a clock that is ahead", measured, then.Add(-time.Hour), "msg_1fd64afee002"},
		{"a second later", measured, then.Add(time.Second), "msg_1fd64b3d6001"},
		{"the very next", measured, time.Time{}, "msg_1fd64afee002"},
		{"after one of another form", "msg_custom", then, "msg_1fd64afee001"},
	} {
		got := NewID(test.after, test.now)
		if !form.MatchString(string(got)) || string(got[:16]) != test.want {
			t.Errorf("%s: %s, want %s…", test.name, got, test.want)
		}
	}
	if a, b := NewID("", then), NewID("", then); a == b {
		t.Errorf("two ids are %s", a)
	}
}

// The parts of one prompt are named alike whenever it is sent, and sort as they stand.
func TestID_OfAPart(t *testing.T) {
	before := ""
	for n := range 300 {
		id := PartID(measured, n)
		if id <= before || id != PartID(measured, n) {
			t.Fatalf("part %d is %s after %s", n, id, before)
		}
		before = id
	}
	if PartID("msg_custom", 1) != "" {
		t.Error("a message without a stamp names a part")
	}
}

// A session of one moment and purpose has one id. The first prompt of it sorts behind it.
func TestID_OfASession(t *testing.T) {
	at := time.UnixMilli(1795252596718)
	id := NewSessionID(at, "/home/ada/proj")
	if !regexp.MustCompile(`^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$`).MatchString(string(id)) || id[:16] != "ses_e029b5011fff" {
		t.Errorf("the session is %s", id)
	}
	if id != NewSessionID(at.Add(time.Microsecond), "/home/ada/proj") || id == NewSessionID(at.Add(time.Millisecond), "/home/ada/proj") ||
		id == NewSessionID(at, "/home/ada/other") {
		t.Error("sessions are mixed up")
	}
	if first := NextID(id, "", false, at.Add(time.Hour)); first[:16] != "msg_1fd64afee001" {
		t.Errorf("its first prompt is %s", first)
	}
	if first := NextID(id, "", true, at.Add(time.Second)); first[:16] != "msg_1fd64b3d6001" {
		t.Errorf("its first prompt while it works is %s", first)
	}
	if first := NextID("ses_custom", "", false, at); first[:16] != "msg_1fd64afee001" {
		t.Errorf("the first prompt of a session of another form is %s", first)
	}
}
