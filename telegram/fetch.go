package telegram

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

	"hermes/question"
)

// fetchTimeout bounds both calls of Fetch together: the Bot API server itself gets the
// file before it answers.
const fetchTimeout = 2 * time.Minute

// Fetch gets a file that a person sent (Bot API getFile, which gives out up to 20 MB; a
// local server gives out more). It makes one attempt, beside the chats' queues. The
// error is an *Error: TooLarge, also question.ErrTooLarge, for a file of more than limit
// bytes; FileGone for one that cannot be got; Temporary tells whether a later try may
// succeed.
func (b *Bot) Fetch(ctx context.Context, id question.FileID, limit int64) ([]byte, error) {
	if b.stopped() {
		return nil, &Error{Op: "getFile", Reason: Stopping}
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	defer context.AfterFunc(b.work, cancel)()
	var f struct {
		Path string `json:"file_path"`
		Size int64  `json:"file_size"`
	}
	if err := b.client.call(ctx, "getFile", map[string]any{"file_id": id}, &f); err != nil {
		return nil, b.typed("getFile", err)
	}
	if f.Size > limit {
		return nil, tooLarge(f.Size, limit)
	}
	data, err := b.client.fetch(ctx, f.Path, limit)
	if err == nil && f.Size > 0 && int64(len(data)) != f.Size {
		return nil, &Error{Op: "file", Reason: Server, Detail: fmt.Sprintf("%d of %d bytes came", len(data), f.Size)}
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
func (c *client) fetch(ctx context.Context, path string, limit int64) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return c.download(ctx, path, limit)
	}
	_, below, ok := strings.Cut(path, c.folder)
	if c.folder == "" || !ok || filepath.Clean(path) != path {
		return nil, &Error{Op: "file", Reason: FileGone, Detail: "the Bot API server told a path that is not in this bot's folder"}
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return c.download(ctx, below, limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return c.download(ctx, below, limit)
	}
	defer file.Close()
	return c.read(file, limit)
}

// download gets the file at a path below the Bot API root.
func (c *client) download(ctx context.Context, path string, limit int64) ([]byte, error) {
	if !fs.ValidPath(path) {
		return nil, &Error{Op: "file", Reason: FileGone, Detail: "the Bot API told no path of a file"}
	}
	where := c.files((&url.URL{Path: path}).EscapedPath())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return nil, &Error{Op: "file", Reason: Refused, Detail: c.redact(err.Error())}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.failed("file", err, false)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refusedFile(resp)
	}
	return c.read(resp.Body, limit)
}

// read reads a file that may be larger than it was said to be.
func (c *client) read(from io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return nil, c.failed("file", err, false)
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
