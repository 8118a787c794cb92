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
	maxConns    int
	free        chan struct{}  // one for each delivery that may be under way
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
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	now := time.Now()
	if now.Before(s.nextHook) {
		return nil, tooMany(time.Second, false)
	}
	s.nextHook = now.Add(time.Second)
	h, refused := s.readWebhook(q.params)
	if refused == nil && s.hook.equals(h) && !q.params.boolean("drop_pending_updates") {
		s.queue.allow(q.params)
		return described("Webhook is already set"), nil
	}
	s.dropWebhook(q.params)
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
	return h != nil && h.url == other.url && h.secret == other.secret && h.maxConns == other.maxConns
}

func (s *Server) readWebhook(p params) (*webhook, *refusal) {
	h := &webhook{url: p.text("url"), secret: p.text("secret_token"), maxConns: int(p.integer("max_connections"))}
	h.maxConns = min(max(orDefault(h.maxConns, 40), 1), 100)
	h.free, h.lines = make(chan struct{}, h.maxConns), map[int64]bool{}
	u, err := url.Parse(h.url)
	switch {
	case len(h.secret) > 256:
		return nil, wrong("secret token is too long")
	case !regexp.MustCompile(`^[A-Za-z0-9_-]*$`).MatchString(h.secret):
		return nil, wrong("secret token contains unallowed characters")
	case err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !s.opts.Local):
		return nil, wrong("bad webhook: An HTTPS URL must be provided for webhook")
	case !s.opts.Local && !slices.Contains([]string{"", "80", "88", "443", "8443"}, u.Port()):
		return nil, wrong("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
	case s.badHook != "":
		return nil, bad("bad webhook: " + s.badHook)
	}
	return h, nil
}

// RefuseWebhooks has setWebhook refused from now on because of what Telegram learns when it looks the webhook's host up, such as
// "Failed to resolve host: Name or service not known", "IP address 10.0.0.1 is reserved" or "IPv6-only addresses are not allowed"
// (WebhookActor.cpp:105-130, 772-787). With "" it is taken again.
func (s *Server) RefuseWebhooks(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.badHook = why
}

func (s *Server) deleteWebhook(q *request) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	if had := s.dropWebhook(q.params); !had {
		return described("Webhook is already deleted"), nil
	}
	return described("Webhook was deleted"), nil
}

// dropWebhook ends the webhook, if one is set, and drops updates if asked to.
func (s *Server) dropWebhook(p params) bool {
	if p.boolean("drop_pending_updates") {
		s.queue.pending = nil
	}
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
		info["url"], info["max_connections"] = h.url, h.maxConns
		if h.lastError != "" {
			info["last_error_date"], info["last_error_message"] = h.errorAt.Unix(), h.lastError
		}
	}
	return info, nil
}

// deliverAll posts what waits until the webhook is replaced, each line beside the others.
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
	select {
	case h.free <- struct{}{}:
		defer func() { <-h.free }()
	case <-h.ctx.Done():
		return 0, h.ctx.Err()
	}
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.remove(u)
	s.announce()
	return 0, nil
}

// failedUpdate notes an error, and returns when the update is tried again: after what the webhook asked for, or what the server takes. No
// success clears the error (Client.cpp:15907-15918).
func (s *Server) failedUpdate(h *webhook, u *update, err error, asked time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	h.lastError, h.errorAt = err.Error(), time.Now()
	u.failed++
	if asked > 0 || u.failed == 1 {
		return asked
	}
	u.pause = min(2*max(u.pause, time.Second), time.Minute)
	return u.pause
}
