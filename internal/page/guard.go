package page

import (
	"crypto/subtle"
	"net"
	"net/http"
)

// policy lets the page load its own files, speak with its own server, and no more.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP lets a request through if it is for this server, from its own page
// and by someone who was given the token.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch {
	case !s.ownHost(r):
		http.Error(w, "This server answers only at its own address, http://"+s.host, http.StatusMisdirectedRequest)
	case !ownOrigin(r):
		http.Error(w, "Requests from other pages are refused.", http.StatusForbidden)
	case !s.mayView(r):
		http.Error(w, "Open the address that hermes try has printed: it ends in a token, which a new start replaces.", http.StatusUnauthorized)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// ownHost also takes the name localhost, which people type; a name that some
// other host gives out for this address is refused.
func (s *Server) ownHost(r *http.Request) bool {
	_, port, err := net.SplitHostPort(s.host)
	return r.Host == s.host || err == nil && r.Host == net.JoinHostPort("localhost", port)
}

// ownOrigin asks of every action that it says where it comes from. Browsers say
// so of every POST, and of every request across origins that a page can read.
// Other pages may link here; they may load nothing.
func ownOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	foreign := site != "" && site != "same-origin" && site != "none"
	link := r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	origin, known := r.Header.Get("Origin"), len(r.Header.Values("Origin")) > 0
	switch {
	case foreign && !link:
		return false
	case known:
		return origin == "http://"+r.Host
	}
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// mayView takes the cookie, and at the page's own path the token or a ticket.
func (s *Server) mayView(r *http.Request) bool {
	want := s.cookie()
	if got, err := r.Cookie(want.Name); err == nil && equalSecrets(got.Value, want.Value) {
		return true
	}
	token := r.URL.Query().Get("token")
	return r.URL.Path == "/" && token != "" && (equalSecrets(token, s.token) || s.useTicket(token))
}

func (s *Server) useTicket(ticket string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.tickets[ticket]
	delete(s.tickets, ticket)
	return ok
}

// cookie has the port in its name: the servers of one host share its cookies.
func (s *Server) cookie() *http.Cookie {
	_, port, _ := net.SplitHostPort(s.host) // a listener's address
	return &http.Cookie{
		Name: "hermes-try-" + port, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

func equalSecrets(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
