package telegramsim

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// request is one call of the bot while it is being served.
type request struct {
	ctx    context.Context
	method string // in lower case, as the dispatch table has it
	params params
	file   bool // not a method, but a file that is downloaded
}

// handler carries out one method. It is called without s.mu.
type handler func(*Server, *request) (any, *refusal)

// outcome is what a call is answered with.
type outcome struct {
	result  any
	refused *refusal
}

// ServeHTTP answers POST or GET /bot<token>/<method>, and GET /file/bot<token>/<path>,
// which is logged as a call of "file".
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, file := strings.CutPrefix(r.URL.Path, "/file")
	method, refused := s.authorize(path)
	if refused != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		reportWritten(r.Context())
		s.writeOutcome(w, outcome{refused: refused})
		return
	}
	p, refused := s.readParams(r, method)
	if refused != nil {
		s.writeOutcome(w, outcome{refused: refused})
		return
	}
	if file {
		p.values["file_path"], method = method, "file"
	}
	call, fault := s.record(method, p)
	s.serve(w, r, &request{ctx: r.Context(), method: strings.ToLower(method), params: p, file: file}, call, fault)
}

// authorize checks the token and returns the method's name.
func (s *Server) authorize(path string) (string, *refusal) {
	rest, ok := strings.CutPrefix(path, "/bot")
	token, method, slash := strings.Cut(rest, "/")
	switch {
	case !ok || !slash:
		return "", &refusal{code: 404, text: "Not Found"}
	case !tokenLike(token):
		return "", &refusal{code: 401, text: "Unauthorized: invalid token specified"}
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.opts.Token)) != 1:
		return "", &refusal{code: 401, text: "Unauthorized"}
	}
	return method, nil
}

// tokenLike is the syntax check of the Bot API server.
func tokenLike(token string) bool {
	return strings.Contains(token, ":") && !strings.HasPrefix(token, "0") &&
		!strings.HasPrefix(token, ":") && len(token) <= 80
}

// serve applies the fault around the call's effect.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, q *request, call *Call, f Fault) {
	if f.Kind == Unreachable {
		markUnreachable(r.Context())
		panic(http.ErrAbortHandler)
	}
	reportWritten(r.Context())
	if f.Kind == Empty {
		s.settleDelay(r, f.Delay)
		s.writeOutcome(w, outcome{result: []any{}})
		return
	}
	if done := s.faultBefore(w, r, f); done {
		return
	}
	out := s.run(q)
	s.settle(call, out)
	s.settleDelay(r, f.Delay)
	if r.Context().Err() != nil || f.Kind == ResetAfter {
		panic(http.ErrAbortHandler)
	}
	if f.Kind == BadGatewayAfter {
		writeBadGateway(w, r)
		return
	}
	s.writeOutcome(w, out)
}

// faultBefore carries out the faults that keep the call from having an effect.
func (s *Server) faultBefore(w http.ResponseWriter, r *http.Request, f Fault) bool {
	switch f.Kind {
	case Refuse:
		s.writeOutcome(w, outcome{refused: f.refusal()})
	case BadGateway:
		writeBadGateway(w, r)
	case Hang:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case ResetBefore:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

func (s *Server) settleDelay(r *http.Request, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}

func (s *Server) run(q *request) outcome {
	h, ok := s.methods[q.method]
	if q.file {
		h, ok = locked((*Server).download), true
	}
	if !ok {
		return outcome{refused: &refusal{code: 404, text: "Not Found: method not found", misuse: true}}
	}
	result, refused := h(s, q)
	return outcome{result, refused}
}

func (s *Server) writeOutcome(w http.ResponseWriter, out outcome) {
	w.Header().Set("Date", time.Now().Add(s.opts.Ahead).UTC().Format(http.TimeFormat))
	if data, ok := out.result.(rawFile); ok {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(data)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if out.refused != nil {
		writeRefusal(w, out.refused)
		return
	}
	body := map[string]any{"ok": true, "result": out.result}
	if d, ok := out.result.(described); ok {
		body["result"], body["description"] = true, string(d)
	}
	_ = json.NewEncoder(w).Encode(body)
}

// described is the result true with a description, as the webhook methods give.
type described string

func writeRefusal(w http.ResponseWriter, r *refusal) {
	body := map[string]any{"ok": false, "error_code": r.code, "description": r.text}
	if r.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(r.retryAfter))
		body["parameters"] = map[string]any{"retry_after": r.retryAfter}
	}
	if r.migrateTo != 0 {
		body["parameters"] = map[string]any{"migrate_to_chat_id": r.migrateTo}
	}
	w.WriteHeader(r.code)
	_ = json.NewEncoder(w).Encode(body)
}

// writeBadGateway answers with the page of a proxy in between, which echoes the
// path, and with it the token, as such pages do.
func writeBadGateway(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = io.WriteString(w, "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>"+
		"<p>"+html.EscapeString(r.URL.Path)+"</p></body></html>\n")
}

// methods is the dispatch table. Names are matched without regard to case.
func methods() map[string]handler {
	return map[string]handler{
		"getupdates":          (*Server).getUpdates,
		"setwebhook":          (*Server).setWebhook,
		"deletewebhook":       (*Server).deleteWebhook,
		"getme":               locked((*Server).getMe),
		"getwebhookinfo":      locked((*Server).getWebhookInfo),
		"sendmessage":         locked((*Server).sendMessage),
		"senddocument":        locked((*Server).sendDocument),
		"sendchataction":      locked((*Server).sendChatAction),
		"editmessagetext":     locked((*Server).editMessageText),
		"deletemessage":       locked((*Server).deleteMessage),
		"setmessagereaction":  locked((*Server).setMessageReaction),
		"answercallbackquery": locked((*Server).answerCallbackQuery),
		"setmycommands":       locked((*Server).setMyCommands),
		"getmycommands":       locked((*Server).getMyCommands),
		"deletemycommands":    locked((*Server).deleteMyCommands),
		"getfile":             locked((*Server).getFile),
		"getchat":             locked((*Server).getChat),
		"getchatmember":       locked((*Server).getChatMember),
		"createforumtopic":    locked((*Server).createForumTopic),
		"editforumtopic":      locked((*Server).editForumTopic),
		"closeforumtopic":     locked((*Server).closeForumTopic),
		"reopenforumtopic":    locked((*Server).reopenForumTopic),
	}
}

// locked makes a handler of a method that does not wait, and lets everyone who
// waits for a change look again afterwards.
func locked(h handler) handler {
	return func(s *Server, q *request) (any, *refusal) {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.announce()
		return h(s, q)
	}
}

func (s *Server) getMe(*request) (any, *refusal) {
	return struct {
		User
		CanJoinGroups bool `json:"can_join_groups"`
		Topics        bool `json:"has_topics_enabled"`
		UsersTopics   bool `json:"allows_users_to_create_topics"`
	}{User: s.bot, CanJoinGroups: !s.opts.NoGroups, Topics: s.opts.PrivateTopics, UsersTopics: s.opts.PrivateTopics}, nil
}

// refusal is a negative answer of the Bot API.
type refusal struct {
	code       int
	text       string
	retryAfter int
	migrateTo  int64
	misuse     bool // the bot can know beforehand that this call is wrong
}

// bad is a refusal that a correct bot can meet, such as a message that is gone.
func bad(text string) *refusal { return &refusal{code: 400, text: "Bad Request: " + lowered(text)} }

// wrong is a refusal that a correct bot never meets.
func wrong(text string) *refusal {
	r := bad(text)
	r.misuse = true
	return r
}

func forbidden(text string) *refusal { return &refusal{code: 403, text: "Forbidden: " + text} }

func conflict(text string) *refusal { return &refusal{code: 409, text: "Conflict: " + text} }

// lowered applies the Bot API's rule for texts of inner errors: the first letter
// becomes small unless the second character shows an upper-case constant.
func lowered(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[n:])
	if second == '_' || unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[n:]
}

// parseError is a complaint about a text's markup in Telegram's own words.
type parseError string

func (e parseError) Error() string { return string(e) }

func broken(format string, args ...any) error { return parseError(fmt.Sprintf(format, args...)) }
