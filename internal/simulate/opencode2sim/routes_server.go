package opencode2sim

import (
	"net/http"
	"strconv"
	"time"

	"hermes/internal/simulate/inprocess"
)

// health is Preview's (section 1, capture 01).
func health(r *request) (answer, *fail) {
	return ok(data{"healthy": true, "version": r.sim.opts.Version, "pid": r.sim.pid})
}

// info is Release's (section 1, [S]).
func info(r *request) (answer, *fail) {
	return ok(data{
		"version": r.sim.opts.Version, "pid": r.sim.pid, "urls": []string{r.sim.opts.URL},
		"paths": data{"tmp": "/tmp/opencode", "home": r.sim.opts.Home},
	})
}

func server(r *request) (answer, *fail) { return ok(data{"urls": []string{r.sim.opts.URL}}) }

// openAPI is the head of the document; the paths are not described (section 1).
func openAPI(*request) (answer, *fail) {
	return ok(data{"openapi": "3.1.0", "info": data{"title": "opencode HttpApi", "version": "0.0.1"}, "paths": data{}})
}

// stopService stops the service that is named by its registration, and no other
// (capture 11).
func stopService(r *request) (answer, *fail) {
	id, f := r.text("instanceID", true)
	if f != nil {
		return no(f)
	}
	mine := r.sim.service.path != "" && id == r.sim.service.id
	if mine {
		r.sim.closing = true
		life, s := r.sim.life, r.sim
		time.AfterFunc(0, func() {
			s.disk.mu.Lock()
			defer s.disk.mu.Unlock()
			if s.life == life {
				s.stop()
			}
		})
	}
	return ok(data{"accepted": mine})
}

// follow is a session's durable log: what is there after a number, the mark that this
// was all, and then, if asked for, what comes (section 2, captures 07, 15).
func (s *web) follow(w http.ResponseWriter, r *http.Request) {
	req := &request{Request: r, sim: s.process}
	after, err := strconv.Atoi(r.URL.Query().Get("after"))
	if err != nil {
		after = -1
	}
	st, f := s.replay(req, after)
	if f != nil {
		writeJSON(w, f.status, f.body)
		return
	}
	if r.URL.Query().Get("follow") != "true" {
		st.Finish()
	}
	s.stream(w, r, st)
}

func (s *web) replay(r *request, after int) (*stream, *fail) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	ses, f := r.session()
	if f != nil {
		return nil, f
	}
	st := newStream(ses.info.ID)
	for _, e := range ses.log {
		if e.Durable.Seq > after {
			st.Push(inprocess.JSON(e))
		}
	}
	st.Push(inprocess.JSON(data{"type": "log.synced", "aggregateID": ses.info.ID, "seq": ses.seq - 1}))
	if s.life != nil {
		s.bus.streams[st] = struct{}{}
	}
	return st, nil
}

// wait blocks until the session's turn has ended (section 5).
func (s *web) wait(w http.ResponseWriter, r *http.Request) {
	ended, life, f := s.endOf(&request{Request: r, sim: s.process})
	if f != nil {
		writeJSON(w, f.status, f.body)
		return
	}
	select {
	case <-ended:
		w.WriteHeader(http.StatusNoContent)
	case <-r.Context().Done():
	case <-life:
		panic(http.ErrAbortHandler)
	}
}

// endOf is closed when the turn of the session that the path names has ended.
func (s *web) endOf(r *request) (ended, life <-chan struct{}, f *fail) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.life == nil {
		panic(http.ErrAbortHandler)
	}
	ses, f := r.session()
	if f != nil {
		return nil, nil, f
	}
	if t := s.runner.active[ses.info.ID]; t != nil {
		return t.ended, s.life, nil
	}
	idle := make(chan struct{})
	close(idle)
	return idle, s.life, nil
}
