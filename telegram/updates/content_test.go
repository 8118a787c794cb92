package updates

import (
	"testing"

	"hermes/internal/chat"
)

func TestPhoto_IsTheLargest(t *testing.T) {
	got := largestPhoto([]byte(`[{"file_id":"a","width":90,"height":90},{"file_id":"b","width":800,"height":600,"file_size":9},{"file_id":"c","width":320,"height":320}]`))
	if want := (chat.File{ID: "b", Name: "photo.jpg", Mime: "image/jpeg", Size: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := largestPhoto([]byte(`[{"width":1},"x"]`)); got != (chat.File{}) {
		t.Errorf("got %+v", got)
	}
}

func TestCommand(t *testing.T) {
	for text, want := range map[string]string{
		"/start": "start", "/Start x": "start", "/start@any_bot": "start",
		"/etc/hosts": "", "start": "", "/": "", "see /start": "", "/start,": "",
	} {
		if got := commandIn(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
