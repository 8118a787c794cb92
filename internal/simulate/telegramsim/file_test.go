package telegramsim_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/telegramsim"
)

func TestFilesAreDownloadedForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := world(t, telegramsim.Options{})
		say(t, s, ada, ada, "", telegramsim.WithFile(telegramsim.Document{Name: "a.txt", Data: []byte("words")}))
		var updates []struct {
			Message struct {
				Document struct {
					ID string `json:"file_id"`
				}
			}
		}
		var file struct {
			Path string `json:"file_path"`
			Size int    `json:"file_size"`
		}
		if err := json.Unmarshal(call(t, s, "getUpdates", args{}).Result, &updates); err != nil {
			t.Fatal(err)
		}
		got := call(t, s, "getFile", args{"file_id": updates[1].Message.Document.ID})
		if err := json.Unmarshal(got.Result, &file); err != nil || file.Size != 5 || file.Path == "" {
			t.Fatalf("%+v, %v", file, err)
		}
		get := func(path string) int {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://x/file/bot"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := s.Transport().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			return resp.StatusCode
		}
		for path, want := range map[string]int{
			token + "/" + file.Path: 200, token + "/documents/other": 404,
			"123456:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB/" + file.Path: 401,
		} {
			if got := get(path); got != want {
				t.Errorf("%s: %d, want %d", path, got, want)
			}
		}
		time.Sleep(time.Hour)
		if got := get(token + "/" + file.Path); got != 404 {
			t.Errorf("after an hour: %d", got)
		}
		if v := s.Violations(); len(v) != 0 {
			t.Errorf("violations %q", v)
		}
		if got := call(t, s, "getFile", args{"file_id": "nonsense"}); got.Description != "Bad Request: invalid file_id" || len(s.Violations()) != 1 {
			t.Errorf("%+v, %q", got, s.Violations())
		}
	})
}
