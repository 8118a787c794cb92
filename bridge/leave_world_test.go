package bridge_test

import (
	"fmt"
	"time"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
)

// leave is a permission ask at the agent: a call that waits to be let run.
type leave struct {
	note  string             // of a rejection, as the agent got it
	until time.Time          // till then the call runs, or its end is not written down
	at    time.Time          // when it was decided
	begun bool               // it was let run before the session was stopped
	ours  bool               // decided over hermes' connection
	cause question.RequestID // the ask whose decision settled this one as well
	sent  []sent             // all that hermes sent, with an effect or without
	tried bool               // it tried to, so that it may have
	next  *asked             // what the same call asked for afterwards
	over  time.Time          // when its session was stopped; zero: it was not
	tells *event.Finding     // what can be found out, if a test wants that to differ
}

// sent is a decision as it reaches OpenCode.
type sent struct {
	reply, note string
	at          time.Time
}

// command is the permission to run it. Equal commands are equal asks.
func command(text string) *question.Permission {
	return &question.Permission{Kind: "bash", Patterns: []string{text}, Always: []string{text + " *"}, Command: text}
}

// askLeave makes a session ask for leave to run a command.
func (a *agent) askLeave(session session.ID, text string) question.RequestID {
	return a.askFor(session, command(text), "")
}

// askFor is askLeave for any permission; of a call that is named already it is what
// that call asks for next.
func (a *agent) askFor(sessionID session.ID, p *question.Permission, before question.RequestID) question.RequestID {
	a.mu.Lock()
	a.count++
	id := question.RequestID("per_" + string(rune('a'+a.count)))
	r := question.Request{
		ID: id, Protocol: session.V1, Session: sessionID, Permission: p, Agent: "build",
		Message: "msg", Call: question.CallID(fmt.Sprint("call", a.count)),
	}
	if p.Kind == "doom_loop" {
		r.Message, r.Call = "", ""
	}
	is := &asked{request: r, found: event.FoundOpen, leave: &leave{}}
	if first := a.requests[before]; first != nil {
		is.request.Call, first.leave.next = first.request.Call, is
	}
	a.requests[id] = is
	up := a.up
	a.mu.Unlock()
	if up {
		a.event(event.Event{Kind: event.Asked, Asks: []event.Ask{{Request: is.request}}})
	}
	return id
}

// decide settles an open ask, and those that the decision takes along: a rejection
// all of the session's, "always" what its patterns cover. It lists them; a.mu is held.
func (a *agent) decide(is *asked, reply, note string, ours bool) []*asked {
	is.granted(reply, note, ours, "")
	list := []*asked{is}
	for _, other := range a.requests {
		if other.leave == nil || other.found != event.FoundOpen || other.request.Session != is.request.Session {
			continue
		}
		if reply == "reject" || reply == question.Always && other.request.Permission.Always[0] == is.request.Permission.Always[0] {
			other.granted(reply, "", ours, is.request.ID)
			list = append(list, other)
		}
	}
	return list
}

func (r *asked) granted(reply, note string, ours bool, cause question.RequestID) {
	r.leave.ours, r.leave.cause, r.leave.at = ours, cause, time.Now()
	if reply == "reject" {
		r.found, r.leave.note, r.leave.until = event.FoundDismissed, note, time.Now().Add(50*time.Millisecond)
		return
	}
	r.found, r.answers = event.FoundAnswered, question.Answers{{reply}}
	lasts := time.Duration(r.request.ID[len(r.request.ID)-1]) % 4 * 700 * time.Millisecond // some end before anybody can look
	r.leave.until = time.Now().Add(lasts)
}

// running reports whether the call was let run and has not ended.
func (r *asked) running() bool {
	return r.leave != nil && r.found == event.FoundAnswered && time.Now().Before(r.leave.until)
}

// atScreen decides at OpenCode's own screen.
func (a *agent) atScreen(id question.RequestID, reply string) {
	a.mu.Lock()
	var list []*asked
	if is := a.requests[id]; is.found == event.FoundOpen {
		list = a.decide(is, reply, "", false)
	}
	a.mu.Unlock()
	for _, is := range list {
		a.tell(is)
	}
}

// abort stops a session: what waits there stays listed, and nobody waits for it.
func (a *agent) abort(session session.ID) {
	a.mu.Lock()
	for _, is := range a.requests {
		if is.leave == nil || is.request.Session != session {
			continue
		}
		if is.running() || is.found == event.FoundOpen {
			is.found, is.leave.begun, is.leave.over = event.FoundStopped, is.running(), time.Now()
		}
	}
	a.mu.Unlock()
	a.event(event.Event{Kind: event.Touched, Session: session})
}

// look is what the ask's list, call and session tell now; a.mu is held.
func (r *asked) look() event.Finding {
	l := r.leave
	switch {
	case l == nil:
		return event.Finding{Kind: r.found, Answers: r.answers}
	case l.tells != nil:
		return *l.tells
	case r.found == event.FoundOpen:
		return event.Finding{Kind: r.found}
	case l.next != nil:
		f := l.next.look()
		if f.Kind == event.FoundOpen {
			f.Kind = event.FoundPassing
		}
		f.Begun = f.Kind == event.FoundStopped // it is not listed
		return f
	case time.Now().Before(l.until) && r.found != event.FoundStopped && r.found != event.FoundForgotten:
		return event.Finding{Kind: event.FoundPassing}
	}
	return event.Finding{Kind: r.found, Note: l.note, Begun: l.begun}
}

// decideOver is a decision that hermes sends.
func (a agentOf) decideOver(r question.Request, reply, note string) error {
	f := a.w.fate("deliver", a.dead)
	a.mu.Lock()
	is := a.requests[r.ID]
	var list []*asked
	up, slow := a.up, a.slow
	is.leave.tried = true
	if f.apply && up {
		is.sentAt = append(is.sentAt, time.Now())
		is.leave.sent = append(is.leave.sent, sent{reply, note, time.Now()})
		if is.found == event.FoundOpen {
			list = a.decide(is, reply, note, true)
			is.replies++
		}
	}
	modern := a.modern
	a.mu.Unlock()
	time.Sleep(slow)
	for _, one := range list {
		if !a.dead.Load() {
			a.tell(one)
		}
	}
	if !up || modern && list == nil {
		return errFault
	}
	return f.err
}

// askLoop asks for leave to go on with a call that repeats: it names no call.
func (a *agent) askLoop(session session.ID) question.RequestID {
	return a.askFor(session, &question.Permission{Kind: "doom_loop", Patterns: []string{"glob"}, Always: []string{"glob"}}, "")
}

// decideQuietly decides at OpenCode's own screen, and no event tells of it.
func (a *agent) decideQuietly(id question.RequestID, reply string) {
	a.mu.Lock()
	a.decide(a.requests[id], reply, "", false)
	a.mu.Unlock()
}
