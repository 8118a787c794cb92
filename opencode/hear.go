package opencode

import (
	"context"
	"time"

	"hermes/internal/event"
	"hermes/internal/session"
	v1 "hermes/opencode/v1"
	"hermes/opencode/wire"
)

// disposeGap is how long nothing is asked for a directory after its instance was disposed.
// What it is asked for that directory while it still puts the instance away can be cut off in
// the middle of making it anew, and then that part of it (questions, agents, prompts)
// answers 503, or nothing comes of it, until the next dispose or restart. Measured on
// 1.18.33 on a busy machine, some milliseconds after server.instance.disposed, the end of
// /event and the answer to the dispose: one of fifteen times.
const disposeGap = 2 * time.Second

// hear processes one event, and ignores unknown ones. An event is a reason to look, and
// proof only where it carries the answers itself.
func (i *instance) hear(ctx context.Context, e wire.Event) {
	i.words.hear(e)
	said, known := i.client.Hear(e)
	switch {
	case known:
		for _, one := range said {
			i.emitSaid(ctx, one)
		}
	case i.client.isV2():
		i.hearProcessV2(e)
	default:
		i.hearProcess(e)
	}
}

// emitSaid emits what a protocol has read.
func (i *instance) emitSaid(ctx context.Context, said event.Event) {
	switch said.Kind {
	case event.Asked:
		i.emitAsk(ctx, said.Asks[0].Request)
	case event.Captured:
		i.emitCall(said.Asks[0].Request)
	case event.Replied, event.Rejected:
		i.emitSettled(said)
	case event.Touched:
		i.asks.stop(said.Session)
		i.emitTouched(said.Session)
	case event.Finished:
		i.asks.stop(said.Session)
		i.emitInOrder(said)
	default:
		i.emitInOrder(said)
	}
}

// emitSettled emits the end of an ask, which proves what the agent got. A turn that was
// stopped leaves its question listed, and an answer to that is told like any other, though
// nobody got it. Then it is only a reason to look. (What ended a permission ask is looked up
// in any case.)
func (i *instance) emitSettled(end event.Event) {
	if i.asks.isStoppedQuestion(end.ID) {
		end = event.Event{Kind: event.Touched, ID: end.ID, Session: end.Session}
	}
	i.emitEnd(end)
}

// hearProcess processes the other events of an OpenCode 1.x process, and of the plugin in it.
func (i *instance) hearProcess(e wire.Event) {
	switch e.Type {
	case "session.created", "session.updated":
		s := v1.PropertiesOf(e).Info
		i.learnName(s.Named())
		if s.Time.Archived != 0 {
			i.emitInOrder(event.Event{Kind: event.Finished, Session: session.ID(s.ID)})
		}
	case "message.part.updated":
		if p := v1.PropertiesOf(e); p.Part.HasEnded() && !i.asks.isEmpty() {
			i.emitTouched(p.Session())
		}
	case "server.instance.disposed":
		i.client.pause(disposeGap)
		i.emitTouched("")
	case "hermes.spoke":
		i.hearSpoken(e)
	}
}
