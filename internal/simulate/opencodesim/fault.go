package opencodesim

import (
	"net/http"

	"hermes/internal/simulate/inprocess"
)

// Fault is a way in which one HTTP request can go wrong.
type Fault = inprocess.Fault

// The faults, as package inprocess has them.
const (
	NoFault          = inprocess.NoFault
	FailBeforeEffect = inprocess.FailBeforeEffect
	FailAfterEffect  = inprocess.FailAfterEffect
	Hang             = inprocess.Hang
	HangAfterEffect  = inprocess.HangAfterEffect
	ServerError      = inprocess.ServerError
	Garbage          = inprocess.Garbage
	HTMLPage         = inprocess.HTMLPage
)

// SetFault installs the function that is asked for every request, before its
// authorisation is looked at; nil removes it. It may be called at any time and
// must be safe for concurrent use.
func (s *Simulator) SetFault(f func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

func (s *Simulator) faultFor(r *http.Request) Fault {
	s.mu.Lock()
	f := s.fault
	s.mu.Unlock()
	if f == nil {
		return NoFault
	}
	return f(r)
}
