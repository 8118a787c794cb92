package telegramsim

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FaultKind says how a call fails.
type FaultKind string

// The ways in which a call can fail. "Before" means without an effect; after the
// others the bot cannot know that its call has worked.
const (
	NoFault         FaultKind = ""
	Refuse          FaultKind = "refuse"            // a proper refusal: Code, Description, RetryAfter
	BadGateway      FaultKind = "bad gateway"       // before: an HTML page with status 502, which echoes the path
	BadGatewayAfter FaultKind = "bad gateway after" // the same page, but the call has worked
	Hang            FaultKind = "hang"              // before: no answer until the client gives up
	Empty           FaultKind = "empty"             // before: "[]", after Delay, from something between that answers in Telegram's place
	Unreachable     FaultKind = "unreachable"       // before: no connection at all (over a socket: reset)
	ResetBefore     FaultKind = "reset before"      // the request was written, then the connection broke
	ResetAfter      FaultKind = "reset after"       // the call has worked, then the connection broke
)

// Fault decides the fate of one call. The zero value lets it pass.
type Fault struct {
	Kind        FaultKind
	Code        int    // of Refuse; default 500
	Description string // of Refuse; default the usual words for Code
	RetryAfter  int    // of Refuse, in seconds; makes the default Code 429
	// Delay holds the answer back, not the effect: near its limits Telegram does
	// the work and answers up to 15 s later.
	Delay time.Duration
}

func (f Fault) refusal() *refusal {
	r := &refusal{code: f.Code, text: f.Description, retryAfter: f.RetryAfter}
	if r.code == 0 && r.retryAfter > 0 {
		r.code = http.StatusTooManyRequests
	}
	r.code = cmp.Or(r.code, http.StatusInternalServerError)
	switch {
	case r.text != "":
	case r.code == http.StatusTooManyRequests:
		r.text = "Too Many Requests: retry after " + strconv.Itoa(r.retryAfter)
	case r.code == http.StatusInternalServerError:
		r.text = "Internal Server Error: restart"
	case r.code == http.StatusMisdirectedRequest: // ClientManager.cpp:79-80
		r.text = "Misdirected Request: unallowed token specified"
	default:
		r.text = http.StatusText(r.code)
	}
	return r
}

// SetFault installs the hook that is asked about every call with a good token,
// before it has an effect; nil removes it. The hook may use the server.
func (s *Server) SetFault(hook func(Call) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = hook
}

// FailNext plans the fate of the next calls of a method, one fault a call. They
// come before the hook of [Server.SetFault].
func (s *Server) FailNext(method string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.ToLower(method)
	s.planned[key] = append(s.planned[key], faults...)
}

// LoseSession has Telegram answer every call with 401 "Unauthorized" for a while, although the token is good: it has lost its own session
// and makes a new one (AuthManager.cpp:430-432, Client.cpp:16271-16298). A poll that waits comes back empty (Client.cpp:9269-9272).
func (s *Server) LoseSession(d time.Duration) {
	defer s.acting()()
	s.loggedOut = time.Now().Add(d)
	if p := s.poll.current; p != nil {
		p.wakened = true
	}
}

// Freeze has Telegram freeze the bot: it can still be asked for, and nothing can be done with it. TDLib gets 406 FROZEN_METHOD_INVALID then
// (tdlib/td#3471), of which the server makes 400 (Client.cpp:174-178). Which methods that is so for is not known: all but those that read.
func (s *Server) Freeze(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = on
}

// LogOut logs the bot out of this Bot API server for ten minutes, as its owner does to move it to another one (Bot API logOut). Every
// call is answered 400 "Logged out" (telegram-bot-api#566); a later one logs it in again (#324).
func (s *Server) LogOut() {
	defer s.acting()()
	s.movedOut = time.Now().Add(10 * time.Minute)
	if p := s.poll.current; p != nil {
		p.wakened = true
	}
}

// reading are the methods that a frozen bot may still call.
func reading() []string {
	return []string{"getme", "getupdates", "getwebhookinfo", "setwebhook", "deletewebhook", "getchat", "getchatmember", "getfile", "file", "getmycommands"}
}

// decide returns the fault for a call.
func (s *Server) decide(c Call) Fault {
	s.mu.Lock()
	if time.Now().Before(s.loggedOut) {
		s.mu.Unlock()
		return Fault{Kind: Refuse, Code: http.StatusUnauthorized}
	}
	key, hook := strings.ToLower(c.Method), s.fault
	switch {
	case time.Now().Before(s.movedOut):
		s.mu.Unlock()
		return Fault{Kind: Refuse, Code: http.StatusBadRequest, Description: "Logged out"}
	case s.frozen && !slices.Contains(reading(), key):
		s.mu.Unlock()
		return Fault{Kind: Refuse, Code: http.StatusBadRequest, Description: "Bad Request: FROZEN_METHOD_INVALID"}
	}
	if plan := s.planned[key]; len(plan) > 0 {
		s.planned[key] = plan[1:]
		s.mu.Unlock()
		return plan[0]
	}
	s.mu.Unlock()
	if hook == nil {
		return Fault{}
	}
	return hook(c)
}
