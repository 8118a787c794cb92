package telegram_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/session"
	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
)

func picture(size int) telegramsim.SayOption {
	return telegramsim.WithFile(telegramsim.Document{Kind: telegramsim.AsPhoto, Data: bytes.Repeat([]byte("x"), size)})
}

func TestFetch(t *testing.T) {
	var told []string
	inWorld(t, func(w *world) {
		w.start()
		sent := w.sendAndDecode("", picture(4000))
		data, err := w.bot.Fetch(w.t.Context(), sent.File.ID, 4000)
		if err != nil || len(data) != 4000 {
			t.Errorf("%d bytes, %v", len(data), err)
		}
		_, err = w.bot.Fetch(w.t.Context(), sent.File.ID, 3999)
		if e := mustFailWith(t, err, botapi.TooLarge); !errors.Is(err, session.ErrTooLarge) || e.Temporary() {
			t.Errorf("%v", err)
		}
		if n := w.tele.Count("file"); n != 1 {
			t.Errorf("%d downloads: one too large is not even begun", n)
		}
		huge := w.sendAndDecode("", picture(20<<20+1))
		_, err = w.bot.Fetch(w.t.Context(), huge.File.ID, 1<<30)
		mustFailWith(t, err, botapi.TooLarge)
		for _, method := range told {
			if strings.Contains(method, ".") || strings.Contains(method, "_1") {
				t.Errorf("%q is told of", method)
			}
		}
	}, func(c *telegram.Config) {
		c.Called = func(method string, _ int, _ time.Duration) { told = append(told, method) }
	})
}

func TestFetch_Fails(t *testing.T) {
	inWorld(t, func(w *world) {
		w.start()
		id := w.sendAndDecode("", picture(400)).File.ID
		for _, c := range []struct {
			at        string
			fault     telegramsim.Fault
			want      telegram.Reason
			temporary bool
		}{
			{"getFile", telegramsim.Fault{Kind: telegramsim.Unreachable}, botapi.Network, true},
			{"getFile", telegramsim.Fault{Kind: telegramsim.Hang}, botapi.Network, true},
			{"getFile", telegramsim.Fault{Kind: telegramsim.BadGateway}, botapi.Server, true},
			{"getFile", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: wrong file_id or the file is temporarily unavailable"}, botapi.Server, true},
			{"getFile", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: invalid file_id"}, botapi.FileGone, false},
			{"getFile", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 3}, botapi.Flood, true},
			{"file", telegramsim.Fault{Kind: telegramsim.ResetBefore}, botapi.Network, true},
			{"file", telegramsim.Fault{Kind: telegramsim.Hang}, botapi.Network, true},
			{"file", telegramsim.Fault{Kind: telegramsim.BadGateway}, botapi.Server, true},
			{"file", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 404, Description: "Not Found"}, botapi.FileGone, false},
			{"file", telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 3}, botapi.Flood, true},
			{"file", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 403, Description: "Forbidden"}, botapi.Refused, false},
		} {
			w.tele.FailNext(c.at, c.fault)
			data, err := w.bot.Fetch(w.t.Context(), id, 1<<20)
			if e := mustFailWith(t, err, c.want); e.Temporary() != c.temporary || data != nil || c.want == botapi.Flood && e.RetryAfter != 3*time.Second {
				t.Errorf("%s %+v: %+v", c.at, c.fault, e)
			}
			leaks(t, "the error", fmt.Sprintf("%v %+v %#v", err, err, err))
		}
		if data, err := w.bot.Fetch(w.t.Context(), id, 1<<20); err != nil || len(data) != 400 {
			t.Errorf("%d bytes, %v", len(data), err)
		}
		ctx, cancel := context.WithCancel(w.t.Context())
		w.tele.FailNext("file", telegramsim.Fault{Kind: telegramsim.Hang})
		time.AfterFunc(time.Second, cancel)
		if _, err := w.bot.Fetch(ctx, id, 1<<20); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		leaks(t, "the log", w.log.String())
	})
}

// answers is a Bot API root that tells a path and a size, and gives out a body.
func answers(path string, size int, code int, body io.Reader, asked *string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/getFile") {
			return reply(200, fmt.Sprintf(`{"ok":true,"result":{"file_path":%q,"file_size":%d}}`, path, size)), nil
		}
		*asked = r.URL.String()
		resp := reply(code, "")
		resp.Header.Set("Location", "http://elsewhere.example"+r.URL.Path)
		resp.Body = io.NopCloser(body)
		return resp, nil
	}
}

// What the server says of a file is not believed, and its path leads nowhere else.
func TestFetch_FromAnOddServer(t *testing.T) {
	for name, c := range map[string]struct {
		path  string
		size  int
		code  int
		body  io.Reader
		want  telegram.Reason
		asked bool
	}{
		"more than said":  {"documents/a.txt", 3, 200, strings.NewReader("12345678901"), botapi.TooLarge, true},
		"less than said":  {"documents/a.txt", 3, 200, strings.NewReader("12"), botapi.Server, true},
		"torn":            {"documents/a.txt", 0, 200, io.MultiReader(strings.NewReader("1"), broken(testToken)), botapi.Network, true},
		"redirect":        {"documents/a.txt", 0, 302, strings.NewReader(""), botapi.Server, true},
		"no path":         {"", 0, 200, strings.NewReader("1"), botapi.FileGone, false},
		"a path upwards":  {"../../bot/getMe", 0, 200, strings.NewReader("1"), botapi.FileGone, false},
		"a foreign file":  {"/etc/passwd", 0, 200, strings.NewReader("1"), botapi.FileGone, false},
		"a way out":       {"/srv/" + testToken + "/../../etc/passwd", 0, 200, strings.NewReader("1"), botapi.FileGone, false},
		"nothing there":   {"/srv/none/" + testToken + "/documents/a.txt", 0, 404, strings.NewReader("1"), botapi.FileGone, true},
		"another service": {"documents/a.txt", 0, 200, broken("GET /file/bot" + testToken), botapi.Network, true},
	} {
		asked := ""
		b := rooted(t, "http://127.0.0.1:8081/", answers(c.path, c.size, c.code, c.body, &asked))
		_, err := b.Fetch(t.Context(), "A", 10)
		mustFailWith(t, err, c.want)
		leaks(t, name, fmt.Sprintf("%v %+v %#v", err, err, err))
		if (asked != "") != c.asked {
			t.Errorf("%s: asked for %q", name, asked)
		}
	}
}

func rooted(t *testing.T, root string, transport http.RoundTripper) *telegram.Bot {
	t.Helper()
	b, err := telegram.New(telegram.Config{
		Token: testToken, APIURL: root, Transport: transport,
		Inbox: newMemory(), Handle: func(context.Context, inbound.Input) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// The root may have a path of its own, and so may the file.
func TestFetch_URL(t *testing.T) {
	asked := ""
	b := rooted(t, "http://127.0.0.1:8081/api", answers("documents/a b?c#.txt", 2, 200, strings.NewReader("ok"), &asked))
	data, err := b.Fetch(t.Context(), "A", 10)
	if want := "http://127.0.0.1:8081/api/file/bot" + testToken + "/documents/a%20b%3Fc%23.txt"; err != nil || string(data) != "ok" || asked != want {
		t.Errorf("asked for %s: %q, %v", asked, data, err)
	}
	if u, err := url.Parse(asked); err != nil || u.RawQuery != "" {
		t.Errorf("%v, %v", u, err)
	}
}

// sentTo is a bot at a self-hosted server, and a file of so many bytes that a person has sent it.
func sentTo(t *testing.T, o telegramsim.Options, size int) (*telegram.Bot, *telegramsim.Server, chat.FileID) {
	t.Helper()
	o.Token = testToken
	tele := telegramsim.New(o)
	tele.AddUser(telegramsim.User{ID: 7, FirstName: "Ada"})
	if _, err := tele.Say(7, 7, "", telegramsim.WithFile(telegramsim.Document{Name: "a.bin", Data: make([]byte, size)})); err != nil {
		t.Fatal(err)
	}
	heard := make(chan inbound.Input, 1)
	b, err := telegram.New(telegram.Config{
		Token: testToken, APIURL: "http://127.0.0.1:8081", Transport: tele.Transport(), Inbox: newMemory(),
		Handle: func(_ context.Context, in inbound.Input) { heard <- in },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	id := (<-heard).File.ID
	cancel()
	<-ended
	return b, tele, id
}

// A server that was started with --local has the files on its disk.
func TestFetch_FromALocalServer(t *testing.T) {
	b, tele, id := sentTo(t, telegramsim.Options{Files: t.TempDir()}, 21<<20)
	data, err := b.Fetch(t.Context(), id, 30<<20)
	if err != nil || len(data) != 21<<20 || tele.Count("file") != 0 {
		t.Errorf("%d bytes, %v, %d downloads", len(data), err, tele.Count("file"))
	}
	_, err = b.Fetch(t.Context(), id, 10)
	mustFailWith(t, err, botapi.TooLarge)
}

// One that was started without it gives out no files at all.
func TestFetch_FromASelfHostedServer(t *testing.T) {
	b, _, id := sentTo(t, telegramsim.Options{SelfHosted: true}, 10)
	_, err := b.Fetch(t.Context(), id, 100)
	if e := mustFailWith(t, err, botapi.FileGone); e.Detail != "this server serves no files: run it with --local on the same disk" {
		t.Error(e)
	}
}

// On Windows the folder is named with a tilde (Client.cpp:7931-7937).
func TestFetch_FromAWindowsFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Replace(testToken, ":", "~", 1), "documents", "a.txt")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	asked := ""
	b := rooted(t, "http://127.0.0.1:8081", answers(path, 4, 404, strings.NewReader(""), &asked))
	if data, err := b.Fetch(t.Context(), "A", 10); err != nil || string(data) != "mine" {
		t.Errorf("%q, %v", data, err)
	}
}

// Why a file on the server's disk cannot be read is said, without the token.
func TestFetch_UnreadFile(t *testing.T) {
	for path, want := range map[string]string{
		"/none/" + testToken + "/a.txt":                    "cannot be read at /none/***/a.txt: no such file or directory",
		"/dev/null/" + testToken + "/a.txt":                "cannot be read at /dev/null/***/a.txt: not a directory",
		t.TempDir() + "/" + testToken + "/documents/a.txt": "no such file or directory",
	} {
		asked := ""
		b := rooted(t, "http://127.0.0.1:8081", answers(path, 4, 404, strings.NewReader(""), &asked))
		_, err := b.Fetch(t.Context(), "A", 10)
		if e := mustFailWith(t, err, botapi.FileGone); !strings.Contains(e.Detail, want) {
			t.Errorf("%s: %v", path, e)
		}
		leaks(t, path, fmt.Sprintf("%v %#v", err, err))
	}
}

// Telegram's own server cannot make hermes read its disk, whatever it says.
func TestFetch_ReadsNoOtherFileOfThisDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), testToken, "a.txt")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("secret"), 0o600)); err != nil {
		t.Fatal(err)
	}
	asked := ""
	b := rooted(t, "", answers(path, 6, 200, strings.NewReader("public"), &asked))
	data, err := b.Fetch(t.Context(), "A", 10)
	mustFailWith(t, err, botapi.FileGone)
	if data != nil || asked != "" {
		t.Errorf("%q, asked for %q", data, asked)
	}
}
