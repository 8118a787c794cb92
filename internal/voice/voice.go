// Package voice owns the way to a server that writes down what is said: one with the
// interface of OpenAI's transcriptions, as speech-to-text servers have it that run at home.
package voice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"hermes/internal/secret"
)

// Server is such a server.
type Server struct {
	URL       string      // its root, without a slash at the end, such as https://api.openai.com/v1
	Key       secret.Text // empty: it needs none
	Model     string
	Transport http.RoundTripper
}

const (
	// tryTimeout bounds one try: a small machine needs its time for a long message.
	tryTimeout = 3 * time.Minute
	// totalTimeout bounds all tries together: the session's prompts wait behind this one.
	totalTimeout = 4 * time.Minute
	// checkTimeout bounds a look at the server.
	checkTimeout = 10 * time.Second
	// maxAnswer bounds what the server says, in bytes.
	maxAnswer = 1 << 20
	// maxText bounds what can have been said, in bytes: more than an hour of talk.
	maxText = 64 << 10
)

// ErrKey says that the server does not take the key.
var ErrKey = errors.New("the server refuses the key")

// Transcribe returns what is said in a sound file, as the server has it: perhaps nothing, 64 kB
// at most, and no more to be trusted than whoever spoke (OpenAI API, "Create transcription": POST
// {root}/audio/transcriptions, multipart with file and model, answered by {"text"}). The
// name tells the format by its ending. It tries again what may pass, for four minutes at
// most; an error holds neither the key nor what the server said.
func (s Server) Transcribe(ctx context.Context, name, mime string, sound []byte) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, totalTimeout)
	defer cancel()
	body, kind, err := multipartBody(s.Model, name, mime, sound)
	if err != nil {
		return "", err
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/audio/transcriptions", body)
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", kind)
	answer, err := s.do(req, tryTimeout)
	if err != nil {
		return "", err
	}
	var said struct {
		Text *string `json:"text"`
	}
	if json.Unmarshal(answer, &said) != nil || said.Text == nil {
		return "", errors.New("the server's answer has no text")
	}
	text := strings.TrimSpace(*said.Text)
	if len(text) > maxText {
		return "", fmt.Errorf("the server's answer has more text than %d kB", maxText>>10)
	}
	return text, nil
}

// Check reports whether the server can be reached and takes the key, without making it
// work (OpenAI API, "List models"; a server without that list answers 404, which will do).
func (s Server) Check(ctx context.Context) error {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/models", nil)
	if err != nil {
		return err
	}
	_, err = s.do(req, checkTimeout)
	var status statusError
	if errors.As(err, &status) && (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) {
		return nil
	}
	return err
}

// do makes a call, and some more tries where one may help.
func (s Server) do(req *retryablehttp.Request, within time.Duration) ([]byte, error) {
	if s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+s.Key.Reveal())
	}
	resp, err := s.newClient(within).Do(req)
	if err != nil {
		return nil, fmt.Errorf("the server cannot be reached: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return nil, ErrKey
	case code != http.StatusOK:
		return nil, statusError(code)
	}
	return answer, err
}

// newClient follows no redirect: the key and the voice are for this server alone.
func (s Server) newClient(within time.Duration) *retryablehttp.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax = 2
	c.RetryWaitMin, c.RetryWaitMax = 500*time.Millisecond, 5*time.Second
	c.Backoff = retryWait
	c.HTTPClient = &http.Client{
		Transport: s.Transport, Timeout: within,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c.ErrorHandler = lastAnswer
	return c
}

// retryWait is when the next try is made: as the server asks (Retry-After), but never later
// than the longest wait.
func retryWait(shortest, longest time.Duration, try int, resp *http.Response) time.Duration {
	return min(retryablehttp.DefaultBackoff(shortest, longest, try, resp), longest)
}

// lastAnswer passes on what the last try gave. An answer that came with an error has
// nobody to read it.
func lastAnswer(resp *http.Response, err error, _ int) (*http.Response, error) {
	if err != nil && resp != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	return resp, err
}

// statusError is an HTTP status other than 200.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("the server answers HTTP %d", int(e)) }

var (
	extension = regexp.MustCompile(`^\.[A-Za-z0-9]{1,5}$`)
	mimeTypes = regexp.MustCompile(`^[a-z]+/[a-z0-9.+-]+$`)
)

// multipartBody is the body of a call and its type. Of the name it sends only the extension, as
// the rest is a stranger's.
func multipartBody(model, name, mime string, sound []byte) ([]byte, string, error) {
	end := path.Ext(name)
	if !extension.MatchString(end) {
		end = ".ogg" // as Telegram's voice messages are
	}
	if !mimeTypes.MatchString(mime) {
		mime = "application/octet-stream"
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="voice` + strings.ToLower(end) + `"`},
		"Content-Type":        {mime},
	})
	if err == nil {
		_, err = part.Write(sound)
	}
	for _, field := range [][2]string{{"model", model}, {"response_format", "json"}} {
		if err == nil {
			err = w.WriteField(field[0], field[1])
		}
	}
	if err == nil {
		err = w.Close()
	}
	return body.Bytes(), w.FormDataContentType(), err
}
