package botapi

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-telegram/bot"

	"hermes/internal/chat"
)

// Fetch gets a file that a person sent (Bot API getFile, which gives out up to 20 MB; a
// local server gives out more). It makes one attempt of each of its two calls. The
// error is TooLarge, also session.ErrTooLarge, for a file of more than limit bytes;
// FileGone for one that cannot be got; Temporary tells whether a later try may succeed.
func (c *Client) Fetch(ctx context.Context, id chat.FileID, limit int64) ([]byte, error) {
	f, err := callLibrary(ctx, "getFile", c.bot.GetFile, &bot.GetFileParams{FileID: string(id)})
	if err != nil {
		return nil, err
	}
	if f.FileSize > limit {
		return nil, tooLarge(f.FileSize, limit)
	}
	data, err := c.wire.fetch(ctx, f.FilePath, limit)
	if err == nil && f.FileSize > 0 && int64(len(data)) != f.FileSize {
		return nil, &Error{Op: "file", Reason: Server, Detail: fmt.Sprintf("%d of %d bytes came", len(data), f.FileSize)}
	}
	return data, err
}

func tooLarge(size, limit int64) *Error {
	return &Error{Op: "file", Reason: TooLarge, Detail: fmt.Sprintf("%d bytes, and %d at most are wanted", size, limit)}
}

// fetch gets the file at a path that getFile told. That of a server that was started
// with --local is absolute, and in a folder named by the token: the file is read from
// there, or downloaded where the server's disk is not this one. No other path on this
// disk is ever read.
func (w *wire) fetch(ctx context.Context, path string, limit int64) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return w.download(ctx, path, limit)
	}
	_, below, ok := strings.Cut(path, w.folder)
	if w.folder == "" || !ok || filepath.Clean(path) != path {
		return nil, &Error{Op: "file", Reason: FileGone, Detail: "the Bot API server told a path that is not in this bot's folder"}
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return w.download(ctx, below, limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return w.download(ctx, below, limit)
	}
	defer file.Close()
	return w.readLimited(file, limit)
}

// download gets the file at a path below the Bot API root.
func (w *wire) download(ctx context.Context, path string, limit int64) ([]byte, error) {
	if !fs.ValidPath(path) {
		return nil, &Error{Op: "file", Reason: FileGone, Detail: "the Bot API told no path of a file"}
	}
	if err := w.mayCall("file"); err != nil {
		return nil, err
	}
	where := w.files((&url.URL{Path: path}).EscapedPath())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return nil, &Error{Op: "file", Reason: Refused, Detail: w.redact(err.Error())}
	}
	resp, err := w.http.Do(req)
	if err != nil {
		return nil, w.networkError("file", err, false)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refusedFile(resp)
	}
	return w.readLimited(resp.Body, limit)
}

// readLimited reads a file that may be larger than it was said to be.
func (w *wire) readLimited(from io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return nil, w.networkError("file", err, false)
	case int64(len(data)) > limit:
		return nil, tooLarge(int64(len(data)), limit)
	}
	return data, nil
}

// refusedFile reads the status of a download; its body may be anything. 404 says
// nothing of the token here.
func refusedFile(resp *http.Response) *Error {
	e := &Error{Op: "file", Reason: Refused, Detail: "HTTP " + strconv.Itoa(resp.StatusCode)}
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound, code == http.StatusGone:
		e.Reason = FileGone
	case code == http.StatusTooManyRequests:
		e.Reason = Flood
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		e.RetryAfter = time.Duration(max(seconds, 1)) * time.Second
	case code >= 500, code < 400:
		e.Reason = Server
	}
	return e
}
