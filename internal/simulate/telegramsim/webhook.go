package telegramsim

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// webhook is a webhook that is set.
type webhook struct {
	url, secret string
	ctx         context.Context
	cancel      context.CancelFunc
	lines       map[int64]bool // those that are delivered
	lastError   string
	errorAt     time.Time
}

// setWebhook sets a webhook unless it is set already: with equal parameters it changes allowed_updates alone, and what getWebhookInfo
// tells of errors stays (Client.cpp:15758-15770). A second call within a second is refused (Client.cpp:15732-15736). A webhook that
// was set before is gone also if the new one is refused (Client.cpp:15783-15792).
func (s *Server) setWebhook(q *request) (any, *refusal) {
	if q.params.text("url") == "" {
		return s.deleteWebhook(q)
	}
	defer s.acting()()
	now := time.Now()
	if now.Before(s.nextHook) {
		return nil, tooMany(time.Second, false)
	}
	s.nextHook = now.Add(time.Second)
	h, refused := readWebhook(q.params)
	if refused == nil && s.hook.equals(h) {
		s.queue.allow(q.params)
		return described("Webhook is already set"), nil
	}
	s.dropWebhook()
	if refused != nil {
		return nil, refused
	}
	if s.poll.current != nil {
		s.poll.current.ended = conflict(pollByWebhook)
		s.poll.current = nil
	}
	s.queue.allow(q.params)
	h.ctx, h.cancel = context.WithCancel(s.done)
	s.hook = h
	go s.deliverAll(h)
	return described("Webhook was set"), nil
}

// equals reports whether a webhook is set, with these parameters.
func (h *webhook) equals(other *webhook) bool {
	return h != nil && h.url == other.url && h.secret == other.secret
}

func readWebhook(p params) (*webhook, *refusal) {
	h := &webhook{url: p.text("url"), secret: p.text("secret_token"), lines: map[int64]bool{}}
	u, err := url.Parse(h.url)
	switch {
	case len(h.secret) > 256:
		return nil, wrong("secret token is too long")
	case !regexp.MustCompile(`^[A-Za-z0-9_-]*$`).MatchString(h.secret):
		return nil, wrong("secret token contains unallowed characters")
	case err != nil || u.Host == "" || u.Scheme != "https":
		return nil, wrong("bad webhook: An HTTPS URL must be provided for webhook")
	case !slices.Contains([]string{"", "80", "88", "443", "8443"}, u.Port()):
		return nil, wrong("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
	}
	return h, nil
}

func (s *Server) deleteWebhook(*request) (any, *refusal) {
	defer s.acting()()
	if had := s.dropWebhook(); !had {
		return described("Webhook is already deleted"), nil
	}
	return described("Webhook was deleted"), nil
}

// dropWebhook ends the webhook, if one is set.
func (s *Server) dropWebhook() bool {
	if s.hook == nil {
		return false
	}
	s.hook.cancel()
	s.hook = nil
	return true
}

func (s *Server) getWebhookInfo(*request) (any, *refusal) {
	s.queue.expire()
	info := map[string]any{"url": "", "has_custom_certificate": false, "pending_update_count": len(s.queue.pending)}
	if s.queue.allowed != nil {
		info["allowed_updates"] = s.queue.allowed
	}
	if h := s.hook; h != nil {
		info["url"] = h.url
		if h.lastError != "" {
			info["last_error_date"], info["last_error_message"] = h.errorAt.Unix(), h.lastError
		}
	}
	return info, nil
}

// deliverAll posts what waits until the webhook is replaced. Telegram delivers the updates of one line one after the other, and different
// lines beside one another (WebhookActor.cpp:358-420): messages of one chat, taps of one person (Client.cpp:17155), what the bot becomes
// in one chat (Client.cpp:17279). So a tap and the text after it may come in either order. An update of line 0 has one of its own.
func (s *Server) deliverAll(h *webhook) {
	for {
		s.mu.Lock()
		s.queue.expire()
		for _, u := range s.queue.pending {
			if line := u.line; line == 0 || !h.lines[line] {
				s.startLine(h, u)
			}
		}
		wake := s.changed
		s.mu.Unlock()
		select {
		case <-wake:
		case <-h.ctx.Done():
			return
		}
	}
}

// startLine begins with the line of an update. It is called with s.mu held.
func (s *Server) startLine(h *webhook, u *update) {
	if u.line == 0 {
		s.serial++
		u.line = -1<<62 + int64(s.serial) // its own
	}
	h.lines[u.line] = true
	go s.deliverLine(h, u.line)
}

// deliverLine posts the updates of one line in order, as long as there are any. The second try comes at once, the next ones after 2, 4 … and
// at most 60 to 120 s, of which the simulator takes 60 (WebhookActor.cpp:493-520), or as long after as the webhook asks.
func (s *Server) deliverLine(h *webhook, line int64) {
	for u := s.firstOf(h, line); u != nil; u = s.firstOf(h, line) {
		wait, err := s.postUpdate(h, u)
		if err == nil {
			continue
		}
		if !pause(h.ctx, s.failedUpdate(h, u, err, wait)) {
			return
		}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// firstOf is the first update of a line; nil if there is none, or the webhook is gone: then the line has ended.
func (s *Server) firstOf(h *webhook, line int64) *update {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.expire()
	for _, u := range s.queue.pending {
		if u.line == line && h.ctx.Err() == nil {
			return u
		}
	}
	delete(h.lines, line)
	return nil
}

// postUpdate delivers one update. It returns how long the webhook asks to wait.
func (s *Server) postUpdate(h *webhook, u *update) (time.Duration, error) {
	s.mu.Lock()
	body := u.handOut()
	s.mu.Unlock()
	req, err := http.NewRequestWithContext(h.ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if h.secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", h.secret)
	}
	resp, err := s.opts.Webhook.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	_ = resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		wait := time.Duration(min(max(seconds, 0), 3600)) * time.Second
		return wait, broken("Wrong response from the webhook: %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	defer s.acting()()
	s.queue.remove(u)
	return 0, nil
}

// failedUpdate notes an error, and returns when the update is tried again: after what the webhook asked for, or what the server takes. No
// success clears the error (Client.cpp:15907-15918).
func (s *Server) failedUpdate(h *webhook, u *update, err error, asked time.Duration) time.Duration {
	defer s.acting()()
	h.lastError, h.errorAt = err.Error(), time.Now()
	u.failed++
	if asked > 0 || u.failed == 1 {
		return asked
	}
	u.pause = min(2*max(u.pause, time.Second), time.Minute)
	return u.pause
}
