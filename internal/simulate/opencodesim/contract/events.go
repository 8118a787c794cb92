package contract

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// stream reads an event stream in the background.
type stream struct {
	mu     sync.Mutex
	frames []frame
	err    error // why it ended
	more   chan struct{}
}

// listen opens a stream and waits until it carries events. On 1.18.33 what
// happens in the first milliseconds after server.connected is lost, so events
// of dir are made until one comes: the idle mark that follows the abort of a
// session that does not exist.
func (p *probe) listen(path, dir string) *stream {
	p.Helper()
	s := p.open(path + query(path, dir))
	s.await(p, "the first frame", func(frame) bool { return true })
	const nobody = "ses_000000000000AAAAAAAAAAAAAA"
	p.eventually("the stream carries events", func() bool {
		_, more, _ := s.state()
		p.wantTrue("abort", p.postIn(dir, "/session/"+nobody+"/abort", nil))
		select {
		case <-more:
		case <-time.After(100 * time.Millisecond):
		}
		frames, _, _ := s.state()
		return strings.Contains(labels(frames, nobody), "session.idle")
	})
	return s
}

func (p *probe) open(path string) *stream {
	p.Helper()
	ctx, cancel := context.WithCancel(p.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+path, nil)
	if err != nil {
		p.Fatal(err)
	}
	req.SetBasicAuth(p.Username, p.Password)
	resp, err := p.http.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		p.Fatalf("GET %s: %d %s", path, resp.StatusCode, kind)
	}
	s := &stream{more: make(chan struct{})}
	done := make(chan struct{})
	go func() { s.read(resp.Body); close(done) }()
	p.Cleanup(func() { cancel(); <-done; resp.Body.Close() })
	return s
}

func (s *stream) read(body io.Reader) {
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			s.add(nil, err)
			return
		}
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			f, err := parseFrame(data)
			s.add(&f, err)
		}
	}
}

func (s *stream) add(f *frame, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f != nil {
		s.frames = append(s.frames, *f)
	}
	if s.err == nil {
		s.err = err
	}
	close(s.more)
	s.more = make(chan struct{})
}

func (s *stream) state() (frames []frame, more <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames, s.more, s.err
}

// await waits for a frame that matches, also among those read already.
func (s *stream) await(p *probe, what string, match func(frame) bool) frame {
	p.Helper()
	deadline := time.After(patience)
	for seen := 0; ; {
		frames, more, err := s.state()
		for ; seen < len(frames); seen++ {
			if match(frames[seen]) {
				return frames[seen]
			}
		}
		if err != nil {
			p.Fatalf("the stream ended before %s: %v", what, err)
		}
		select {
		case <-more:
		case <-deadline:
			p.Fatalf("%s did not come; seen: %s", what, labels(frames, ""))
		}
	}
}

// awaitEnd waits for the end of the stream and reports whether it was cut.
func (s *stream) awaitEnd(p *probe) (cut bool) {
	p.Helper()
	deadline := time.After(patience)
	for {
		_, more, err := s.state()
		if err != nil {
			return !errors.Is(err, io.EOF)
		}
		select {
		case <-more:
		case <-deadline:
			p.Fatal("the stream does not end")
		}
	}
}

func (s *stream) awaitLabel(p *probe, session, label string) frame {
	p.Helper()
	return s.await(p, label+" of "+session, func(f frame) bool { return f.session() == session && f.label() == label })
}

func (s *stream) wantOrder(p *probe, session, want string) {
	p.Helper()
	frames, _, _ := s.state()
	if got := labels(frames, session); got != want {
		p.Errorf("the events came as\n  %s\nwant\n  %s", got, want)
	}
}
