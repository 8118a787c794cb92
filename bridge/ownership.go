package bridge

import (
	"reflect"
	"slices"

	"hermes/internal/event"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// An ask belongs to the OpenCode process that announced it. What another process says of
// the same request id is about an ask of that other process, or about nothing: it never
// changes the first one's record, card or answer, and no answer goes there.
//
// A direct server with the plugin inside is one process that hermes sees as two: nothing
// proves that a link is the plugin of that server. So the server, which the configuration
// names, speaks for the ask, and the link has no right to it:
//
//   - A link that tells, to the letter, what a server waits for too adds nothing: one
//     record, one card. hermes ignores what the link says of its end; the server reports
//     the end itself. So the most that a hostile link can bring about in this way is that
//     its own ask is not shown.
//   - If the link was faster, its record becomes the server's, as long as everything that
//     people and rules were shown is the same (see takeOver). What was decided until then
//     was decided about the same text, in the same directory. A hostile link can make the
//     time to answer begin earlier by this, by as much as hermes hears of the ask
//     later from the server, and show the same card by as much earlier.
//   - What differs in anything is another ask, with a record and a card of its own.
//
// Two links are never one process, whatever they say: equal asks of both are two cards.

// ownership says to which OpenCode process an ask belongs.
type ownership struct {
	*engine
	store     Finder
	decisions *decisions
	foreign   func() // called whenever an OpenCode speaks of what belongs to another one
}

// serverAsks reports whether a direct server waits for what a link announces.
func (ow *ownership) serverAsks(o session.Origin, r question.Request) bool {
	if o.Way != session.Link {
		return false
	}
	for _, l := range ow.threads.ofOtherProcesses(o, r.ID) {
		if l.waitsAtServer(o, r) {
			l.noteEcho(o)
			ow.learn(l, o, r)
			if leader := ow.threads.byID[l.Leader]; leader != nil {
				ow.learn(leader, o, r) // its card is shown for both
			}
			return true
		}
	}
	t, ok, err := ow.store.Find(storage.Key{Request: r.ID}) // the link may be late
	return ok && err == nil && t.Outcome != nil && (&liveThread{Thread: t}).waitsAtServer(o, r)
}

// waitsAtServer reports whether a direct server waits, or waited until it was answered,
// for what a link announces.
func (l *liveThread) waitsAtServer(o session.Origin, r question.Request) bool {
	unproven := l.Outcome != nil && !l.Outcome.Kind.Decided()
	return !unproven && l.isDirect() && l.isIn(o.Directory) && reflect.DeepEqual(l.Request.Base(), r.Base())
}

// serverCalls is serverAsks for a tool call whose request is not known yet.
func (ow *ownership) serverCalls(o session.Origin, r question.Request) bool {
	for _, l := range ow.threads.byID {
		if o.Way == session.Link && l.isDirect() && l.isIn(o.Directory) && l.Outcome == nil && isOfCall(l.Request, r) {
			l.noteEcho(o)
			return true
		}
	}
	return false
}

// learnResolved takes over from a link where the directory leads, which a server does not say, and
// reports whether that is new. It can only make more rules fit that restrict.
func (l *liveThread) learnResolved(o session.Origin) bool {
	known := func(o session.Origin) bool { return o.Resolved != "" }
	if o.Resolved == "" || slices.ContainsFunc(l.Origins, known) {
		return false
	}
	l.Thread = l.Clone()
	l.Origins[0].Resolved = o.Resolved
	return true
}

func (ow *ownership) learn(l *liveThread, o session.Origin, r question.Request) {
	if l.Outcome == nil && l.learn(o, r) {
		ow.records.saveThread(l)
		ow.decisions.followRules(l)
		ow.reconcile(l)
	}
}

// learn takes over from a link what a server does not say, and reports whether that is new: where the directory leads, and
// which files of an edit are elsewhere than their names say. A button that was drawn without those has no effect any more.
func (l *liveThread) learn(o session.Origin, r question.Request) bool {
	resolved := l.learnResolved(o)
	if len(r.Links()) == 0 || len(l.Request.Links()) > 0 {
		return resolved
	}
	l.Thread = l.Clone()
	l.Request = l.Request.WithLinks(r.Links())
	l.Wizard.Rev++
	l.Rev++
	return true
}

// isOfCall reports whether the request asks what a captured call is about to ask.
func isOfCall(r, captured question.Request) bool {
	return r.Permission == nil && r.Session == captured.Session && r.Call == captured.Call && reflect.DeepEqual(r.Items, captured.Items)
}

func (l *liveThread) isDirect() bool {
	return slices.ContainsFunc(l.Origins, func(o session.Origin) bool { return o.Way == session.Direct })
}

// noteEcho notes that the link tells what this ask's server says itself.
func (l *liveThread) noteEcho(o session.Origin) {
	if l.echoes == nil {
		l.echoes = map[string]bool{}
	}
	if len(l.echoes) < maxEchoes {
		l.echoes[o.Process] = true
	}
}

// maxEchoes bounds what is remembered of each ask's links, and of what was logged of them.
const maxEchoes = 64

// takeOver makes the record of an ask that a link announced the one of the server that
// announces the same, and reports whether it did. Everything that people and rules were
// shown must be the same.
func (ev *events) takeOver(o session.Origin, ask event.Ask) bool {
	if o.Way != session.Direct {
		return false
	}
	for _, l := range ev.threads.byID {
		if !l.isSameAsk(o, ask) {
			continue
		}
		links := l.Origins
		ev.threads.unindex(l)
		l.Thread = l.Clone()
		l.Request, l.Origins = ask.Request.WithLinks(l.Request.Links()), []session.Origin{o}
		for _, from := range links {
			l.noteEcho(from)
			l.learnResolved(from)
		}
		ev.threads.index(l)
		ev.log.Info("the server of an ask that a link told speaks for it", "question", l.ID)
		ev.records.saveThread(l)
		ev.groups.joinEqual(l, o)
		ev.addWay(l, o, ask)
		return true
	}
	return false
}

// isSameAsk reports whether a link announced, in the same directory, just what a server does:
// the same request, or the tool call that it comes from.
func (l *liveThread) isSameAsk(o session.Origin, ask event.Ask) bool {
	if l.Outcome != nil || l.LastOrigin().Way != session.Link || l.isDirect() || !l.isIn(o.Directory) {
		return false
	}
	if l.Place != ask.Place && (!l.Open() || len(l.Votes) > 0) {
		return false // it was decided, or voted on, under another title
	}
	if l.Request.ID == "" {
		return isOfCall(ask.Request, l.Request)
	}
	return reflect.DeepEqual(l.Request.WithLinks(nil), ask.Request)
}

// accuse notes that a process spoke of an ask of another one, which changes nothing.
func (ow *ownership) accuse(e event.Event, id question.RequestID) {
	for _, l := range ow.threads.ofOtherProcesses(e.Origin, id) {
		if l.echoes[e.Origin.Process] {
			continue
		}
		ow.foreign()
		if l.accused == nil {
			l.accused = map[accusation]bool{}
		}
		if a := (accusation{e.Origin.Way, e.Origin.Process, e.Kind}); !l.accused[a] && len(l.accused) < maxEchoes {
			l.accused[a] = true
			ow.log.Error("an OpenCode spoke of an ask of another one; that ask stays as it is",
				append(e.Origin.Logged(), "question", l.ID, "op", string(e.Kind))...)
		}
	}
}

// accusation is what was logged of a process.
type accusation struct {
	way     session.Way
	process string
	kind    event.Kind
}
