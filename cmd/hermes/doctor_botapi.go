package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// botTimeout bounds one call to the Bot API that does not wait for updates.
const botTimeout = 10 * time.Second

// maxBotAnswer bounds an answer, in bytes. The Bot API cuts getUpdates at 4 MiB.
const maxBotAnswer = 16 << 20

// botAPI calls the Bot API with the configured token, one attempt a call.
type botAPI struct {
	http   *http.Client
	root   string // holds the token
	redact redactor
}

// botFault is a call that did not succeed. Its text holds no secret.
type botFault struct {
	code  int    // as the Bot API gives it; 0: there was no answer that is one
	text  string // what Telegram or the network said
	moved int64  // the new id of a group that became a supergroup
}

func (f *botFault) Error() string {
	if f.code == 0 {
		return f.text
	}
	return fmt.Sprintf("%d %s", f.code, f.text)
}

func newBotAPI(c config, transport http.RoundTripper, redact redactor) botAPI {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		if u, err := url.Parse(c.TelegramProxy.Reveal()); err == nil && c.TelegramProxy != "" {
			t.Proxy = http.ProxyURL(u)
		}
		transport = t
	}
	return botAPI{
		// A redirect would carry the token to wherever it leads.
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		root: c.TelegramAPIURL + "/bot" + c.TelegramToken.Reveal() + "/", redact: redact,
	}
}

// call makes one call within the time that ctx has, at most ten seconds, or as
// long as getUpdates may wait. The date is Telegram's, zero if it gave none, also
// with an error. The error is a *botFault.
func (b botAPI) call(ctx context.Context, method string, params map[string]any, into any) (date time.Time, err error) {
	limit := botTimeout
	if held, ok := params["timeout"].(int); ok {
		limit += time.Duration(held) * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	body, err := json.Marshal(params)
	if err != nil {
		return date, &botFault{text: err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.root+method, bytes.NewReader(body))
	if err != nil {
		return date, &botFault{text: "the address of the Bot API is not valid"}
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := b.http.Do(req)
	if err != nil {
		return date, b.broken(err)
	}
	defer res.Body.Close()
	date, _ = http.ParseTime(res.Header.Get("Date"))
	return date, b.read(res, into)
}

// broken leaves out the URL, which holds the token.
func (b botAPI) broken(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &botFault{text: "no answer in time"}
	}
	return &botFault{text: b.redact.text(err.Error())}
}

func (b botAPI) read(res *http.Response, into any) error {
	var answer struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Code        int             `json:"error_code"`
		Description string          `json:"description"`
		Parameters  struct {
			Moved int64 `json:"migrate_to_chat_id"`
		} `json:"parameters"`
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBotAnswer))
	if err != nil {
		return b.broken(err)
	}
	if json.Unmarshal(body, &answer) != nil || !answer.OK && answer.Code == 0 {
		return &botFault{text: fmt.Sprintf("the answer (HTTP %d) is not the Bot API's", res.StatusCode)}
	}
	if !answer.OK {
		return &botFault{code: answer.Code, text: b.redact.text(answer.Description), moved: answer.Parameters.Moved}
	}
	if into != nil && json.Unmarshal(answer.Result, into) != nil {
		return &botFault{text: "the answer is not the Bot API's"}
	}
	return nil
}

// faultOf is the error of a call as a *botFault; nil for nil.
func faultOf(err error) *botFault {
	var f *botFault
	if err != nil && !errors.As(err, &f) {
		f = &botFault{text: err.Error()}
	}
	return f
}
