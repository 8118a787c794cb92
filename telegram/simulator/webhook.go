package simulator

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
	lastError   string
	errorAt     time.Time
}

func (s *Server) setWebhook(q *request) (any, *refusal) {
	if q.params.text("url") == "" {
		return s.deleteWebhook(q)
	}
	h, refused := s.readWebhook(q.params)
	if refused != nil {
		return nil, refused
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	s.queue.allow(q.params)
	s.dropWebhook(q.params)
	if s.poll.current != nil {
		s.poll.current.ended = conflict(pollByWebhook)
		s.poll.current = nil
	}
	h.ctx, h.cancel = context.WithCancel(s.done)
	s.hook = h
	go s.deliverAll(h)
	return described("Webhook was set"), nil
}

func (s *Server) readWebhook(p params) (*webhook, *refusal) {
	h := &webhook{url: p.text("url"), secret: p.text("secret_token"), maxConns: int(p.integer("max_connections"))}
	h.maxConns = orDefault(h.maxConns, 40)
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
	}
	return h, nil
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

// deliverAll posts updates in order until the webhook is replaced. An update that
// is not taken is tried again, after one second at first and up to a minute.
func (s *Server) deliverAll(h *webhook) {
	backoff := time.Second
	for u := s.nextUpdate(h); u != nil; u = s.nextUpdate(h) {
		wait, err := s.postUpdate(h, u)
		if err == nil {
			backoff = time.Second
			continue
		}
		s.failedUpdate(h, err)
		if !pause(h.ctx, max(wait, backoff)) {
			return
		}
		backoff = min(2*backoff, time.Minute)
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

// nextUpdate waits for an update; nil means that the webhook is gone.
func (s *Server) nextUpdate(h *webhook) *update {
	for {
		s.mu.Lock()
		s.queue.expire()
		pending, wake := s.queue.pending, s.changed
		s.mu.Unlock()
		if h.ctx.Err() != nil {
			return nil
		}
		if len(pending) > 0 {
			return pending[0]
		}
		select {
		case <-wake:
		case <-h.ctx.Done():
			return nil
		}
	}
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.remove(u)
	s.announce()
	return 0, nil
}

func (s *Server) failedUpdate(h *webhook, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.lastError, h.errorAt = err.Error(), time.Now()
	s.announce()
}
