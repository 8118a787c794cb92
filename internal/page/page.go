// Package page serves the page of `hermes try`: phones with the chats of a few
// people, and beside them what the agent sees and what the store holds.
//
// The page is a few embedded files without a build step. It gets the whole state
// over Server-Sent Events whenever that has changed, and acts by POST. It knows
// neither Telegram nor OpenCode: a [World] does.
//
// Who can see the page can answer an agent, so the server is careful: only
// requests to its own address count (no DNS rebinding), only from its own page
// (Origin), only with the token of its address or the cookie made of it, and
// the page may load nothing from anywhere else (Content-Security-Policy).
package page

import (
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strconv"
	"sync"
)

//go:embed static
var static embed.FS

// World is what the page shows and acts on. Its methods are called concurrently.
type World interface {
	// State is asked for several times a second while a page is open.
	State() State
	// Do carries an action out and returns the callback's id of a tap. The
	// error's text is shown to the person.
	Do(Action) (callback string, err error)
	// Greet tells that a browser which prefers the language, one of [Languages], opens the page.
	Greet(lang string)
	// File is the content of the document in a message.
	File(person int64, message int) (Document, []byte, bool)
}

// Server is the page's HTTP server for one address. It may be used concurrently.
type Server struct {
	world World
	host  string // the only Host that is served, host:port
	token string
	mux   *http.ServeMux

	mu      sync.Mutex
	tickets map[string]bool // unused

	ended chan struct{} // closed by Close
	once  sync.Once
}

// New makes the Server for a listener's address, with a new random token.
func New(world World, address string) *Server {
	s := &Server{
		world: world, host: address, token: rand.Text(), mux: http.NewServeMux(),
		tickets: map[string]bool{}, ended: make(chan struct{}),
	}
	s.mux.HandleFunc("GET /{$}", s.serveIndex)
	s.mux.HandleFunc("GET /state", s.serveEvents)
	s.mux.HandleFunc("POST /do", s.serveAction)
	s.mux.HandleFunc("GET /file/{person}/{message}", s.serveDocument)
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	s.mux.Handle("GET /", http.FileServerFS(files))
	return s
}

// URL is the page's address with the token. It may be opened any number of times.
func (s *Server) URL() string { return s.pageURL(s.token) }

// Ticket is an address that opens the page once. It is for a browser's command
// line, which other users of the machine can read.
func (s *Server) Ticket() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ticket := rand.Text()
	s.tickets[ticket] = true
	return s.pageURL(ticket)
}

func (s *Server) pageURL(token string) string { return "http://" + s.host + "/?token=" + token }

// Close ends the streams, which http.Server's Shutdown would wait for.
func (s *Server) Close() { s.once.Do(func() { close(s.ended) }) }

// serveIndex serves the page and makes the cookie of a token in its address. There
// is no redirect: a browser would not send the new cookie along when the person
// came by a link on some other page.
func (s *Server) serveIndex(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("token") {
		http.SetCookie(w, s.cookie())
	}
	s.world.Greet(preferred(r.Header.Get("Accept-Language")))
	http.ServeFileFS(w, r, static, "static/page.html")
}

func (s *Server) serveAction(w http.ResponseWriter, r *http.Request) {
	var a Action
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&a); err != nil {
		replyJSON(w, http.StatusBadRequest, map[string]string{"error": "the body is no action"})
		return
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		replyJSON(w, http.StatusBadRequest, map[string]string{"error": "the body is more than one action"})
		return
	}
	callback, err := s.world.Do(a)
	if err != nil {
		replyJSON(w, http.StatusConflict, map[string]string{"error": err.Error()})
		return
	}
	replyJSON(w, http.StatusOK, map[string]string{"callback": callback})
}

// serveDocument serves a document as plain text, whatever it calls itself.
func (s *Server) serveDocument(w http.ResponseWriter, r *http.Request) {
	person, err := strconv.ParseInt(r.PathValue("person"), 10, 64)
	message, err2 := strconv.Atoi(r.PathValue("message"))
	doc, data, ok := s.world.File(person, message)
	if err != nil || err2 != nil || !ok {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": doc.Name}))
	_, _ = w.Write(data) // the reader is gone if this fails
}

func replyJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the page is gone if this fails
}
