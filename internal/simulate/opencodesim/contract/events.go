package contract

import (
	"strings"
	"time"

	"hermes/internal/simulate/probe"
)

// stream reads an event stream in the background.
type stream struct{ *probe.Stream[frame] }

// listen opens a stream and waits until it carries events. On 1.18.33 what
// happens in the first milliseconds after server.connected is lost, so events
// of dir are made until one comes: the idle mark that follows the abort of a
// session that does not exist.
func (p *prober) listen(path, dir string) *stream {
	p.Helper()
	s := p.open(path + query(path, dir))
	s.await(p, "the first frame", func(frame) bool { return true })
	const nobody = "ses_000000000000AAAAAAAAAAAAAA"
	p.Eventually("the stream carries events", func() bool {
		_, more, _ := s.State()
		p.wantTrue("abort", p.postIn(dir, "/session/"+nobody+"/abort", nil))
		select {
		case <-more:
		case <-time.After(100 * time.Millisecond):
		}
		frames, _, _ := s.State()
		return strings.Contains(labels(frames, nobody), "session.idle")
	})
	return s
}

func (p *prober) open(path string) *stream {
	p.Helper()
	return &stream{probe.Open(p.Probe, path, parseFrame)}
}

// await waits for a frame that matches, also among those read already.
func (s *stream) await(p *prober, what string, match func(frame) bool) frame {
	p.Helper()
	return s.Await(p.Probe, what, match, func(frames []frame) string { return labels(frames, "") })
}

func (s *stream) awaitLabel(p *prober, session, label string) frame {
	p.Helper()
	return s.await(p, label+" of "+session, func(f frame) bool { return f.session() == session && f.label() == label })
}

func (s *stream) wantOrder(p *prober, session, want string) {
	p.Helper()
	frames, _, _ := s.State()
	if got := labels(frames, session); got != want {
		p.Errorf("the events came as\n  %s\nwant\n  %s", got, want)
	}
}
