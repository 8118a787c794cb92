package opencodesim

import (
	"context"
	"net/http"
)

// InProcess serves requests as the client sends them that OpenCode gives to its plugins.
// Without Options.Apart that reaches what ServeHTTP reaches.
func (s *Simulator) InProcess() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), inProcess{}, true)))
	})
}

// inProcess marks the context of a request that InProcess got.
type inProcess struct{}

// instanceFor returns the instance that a request reaches.
func (s *Simulator) instanceFor(r *http.Request) *instance {
	dir := s.directory(r)
	if !s.opts.Apart || r.Context().Value(inProcess{}) == nil {
		return s.instance(dir)
	}
	key := s.is.directoryKey(dir)
	if s.apart[key] == nil {
		s.apart[key] = &instance{dir: key, busy: map[string]bool{}}
	}
	return s.apart[key]
}
