package probe

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

// Stream reads an event stream in the background. Its frames are of a type of the
// contract's own.
type Stream[F any] struct {
	parse func(data string) (F, error)

	mu     sync.Mutex
	frames []F
	err    error // why it ended
	more   chan struct{}
}

// Open opens an event stream, whose frames parse reads, until the end of the test.
func Open[F any](p *Probe, path string, parse func(data string) (F, error)) *Stream[F] {
	p.Helper()
	ctx, cancel := context.WithCancel(p.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path, nil)
	if err != nil {
		p.Fatal(err)
	}
	req.SetBasicAuth(p.username, p.password)
	resp, err := p.http.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		p.Fatalf("GET %s: %d %s", path, resp.StatusCode, kind)
	}
	s := &Stream[F]{parse: parse, more: make(chan struct{})}
	done := make(chan struct{})
	go func() { s.read(resp.Body); close(done) }()
	p.Cleanup(func() { cancel(); <-done; resp.Body.Close() })
	return s
}

func (s *Stream[F]) read(body io.Reader) {
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			s.add(nil, err)
			return
		}
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			f, err := s.parse(data)
			s.add(&f, err)
		}
	}
}

func (s *Stream[F]) add(f *F, err error) {
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

// State is what was read until now, a channel that is closed when there is more, and
// why the stream ended, if it did.
func (s *Stream[F]) State() (frames []F, more <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames, s.more, s.err
}

// Await waits for a frame that matches, also among those read already. Seen says what
// there was when none came.
func (s *Stream[F]) Await(p *Probe, what string, match func(F) bool, seen func([]F) string) F {
	p.Helper()
	deadline := time.After(Patience)
	for n := 0; ; {
		frames, more, err := s.State()
		for ; n < len(frames); n++ {
			if match(frames[n]) {
				return frames[n]
			}
		}
		if err != nil {
			p.Fatalf("the stream ended before %s: %v", what, err)
		}
		select {
		case <-more:
		case <-deadline:
			p.Fatalf("%s did not come; seen: %s", what, seen(frames))
		}
	}
}

// AwaitEnd waits for the end of the stream and reports whether it was cut.
func (s *Stream[F]) AwaitEnd(p *Probe) (cut bool) {
	p.Helper()
	deadline := time.After(Patience)
	for {
		_, more, err := s.State()
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
