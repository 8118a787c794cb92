package sessions

import (
	"context"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/remote"
)

// intake makes of what comes from the chats what a person meant: it finds the session that an
// input is about, joins what Telegram's clients cut, waits for messages that are still on
// their way and for choices that are not made, asks what a text in doubt was, and hands each
// whole input to the receiver, once and in order.
type intake struct {
	*services
	choices  *pendingChoices
	texts    *textJoiner
	albums   *albumJoiner
	doubts   *doubts
	receiver receiver

	early []func() // what came in before any OpenCode was heard of
	warm  bool     // nothing is early any more
}

// receiver acts on whole inputs, in the loop. It consumes their updates.
type receiver interface {
	takeTap(inbound.Input)
	takeCommand(inbound.Input, target)
	takeText(in inbound.Input, to target, text string, noReply bool)
	takeFiles(*album)
}

func newIntake(c *services, choices *pendingChoices) *intake {
	i := &intake{services: c, choices: choices}
	i.texts = newTextJoiner(c, func(t *partialText) { i.receiver.takeText(t.in, t.to, t.text, t.noReply) })
	i.albums = newAlbumJoiner(c, i.takeAlbum)
	i.doubts = newDoubts(c)
	return i
}

// takeInput says whether an input that answers no question is about sessions, and if so handles
// it. It is called beside the loop, in the order of the updates, and never waits for the loop.
func (i *intake) takeInput(in inbound.Input, may bool) bool {
	if i.isTooEarly(in) {
		return true
	}
	held := in.Private && isPlain(in) && i.choices.isOpen(in.Chat) // looked at first: what ends meanwhile has changed the settings by then
	to, ok := i.targetOf(in)
	if held {
		to, ok = target{}, true // whichever the chat uses then
	}
	if rest, goesOn := i.texts.targetOfRest(in); goesOn && in.Kind == inbound.Typed {
		to, ok = rest, true
	}
	to, ok = i.albums.targetOfAlbum(in, to, ok)
	switch why := i.unfitReason(in); {
	case !ok:
		return false
	case why != "":
		i.loop.Post(func() { i.respond.passOver(in, why) })
		return true
	}
	if isChoice(in) {
		i.choices.noteOpen(in)
	}
	i.texts.notePart(in, to)
	i.loop.Post(func() { i.beginInput(in, to, may) })
	return true
}

// isTooEarly keeps a reply to a message that is not known, if it may be one that is on its
// way.
func (i *intake) isTooEarly(in inbound.Input) bool {
	if in.Kind != inbound.Typed && in.Kind != inbound.Attached || in.ReplyTo == 0 {
		return false
	}
	if _, known := i.repliedTo(in); known {
		return false
	}
	return i.outbox.keepReply(in)
}

// unfitReason is why an input does not count, whoever it is from; "": it may.
func (i *intake) unfitReason(in inbound.Input) remote.MessageKind {
	switch {
	case in.Forwarded:
		return remote.TellForward
	case !i.chats.isSetUp(in.Chat):
		return remote.TellNotHere
	}
	return ""
}

// targetOf says what an input is about. In groups other bots have commands too, so there
// only those of sessions are taken.
func (i *intake) targetOf(in inbound.Input) (target, bool) {
	switch {
	case in.Kind == inbound.Tapped:
		return target{}, in.Button.Kind != ""
	case in.Kind != inbound.Attached && (in.Kind != inbound.Typed || in.Command == "start"):
		return target{}, false
	}
	to, isReply := i.repliedTo(in)
	chat := i.chats.settings(in.Chat)
	command := in.Kind == inbound.Typed && in.Command != "" // a caption's needs a session
	switch {
	case isReply, command && isCommand(in.Command), command && in.Private && in.ReplyTo == 0:
		return to, true
	case in.Private && chat.Session != "":
		return sessionInUse(chat), true
	}
	return target{}, false
}

// repliedTo is the session that the message belongs to which the input replies to. What
// is to begin nothing is no answer to a question there, as that begins a turn.
func (i *intake) repliedTo(in inbound.Input) (target, bool) {
	if in.ReplyTo == 0 {
		return target{}, false
	}
	to, found := i.store.sessionOf(in.Chat, in.ReplyTo)
	if in.Command == "noreply" {
		to.answers = ""
	}
	return to, found
}

// beginInput sets to work on an input, in the loop.
func (i *intake) beginInput(in inbound.Input, to target, may bool) {
	if !i.store.beginUpdate(in.Update) {
		return
	}
	if isChoice(in) {
		i.choices.noteOpen(in)
	}
	inTurn := func() {
		i.choices.runAfter(in, func(settled bool) { i.goOn(in, to, may, settled) })
	}
	if i.warm {
		inTurn()
		return
	}
	i.early = append(i.early, inTurn)
}

// warmUp is how long after the start hermes waits for an OpenCode to be heard of, until
// it says of anything that none can be reached.
const warmUp = 5 * time.Second

// setWarm lets everything be done that came in before, in its order. Idempotent.
func (i *intake) setWarm() {
	early := i.early
	i.warm, i.early = true, nil
	for _, f := range early {
		f()
	}
}

// goOn continues with an input when the choice before it is made. An input that was meant
// for a session that the choice did not come to is answered.
func (i *intake) goOn(in inbound.Input, to target, may, settled bool) {
	i.choices.startChoice(in)
	unseen := i.choices.isAboveMiss(in) && (to.session == "" || in.ReplyTo == 0)
	if may && (!settled && to.session == "" || unseen) && (isPlain(in) || isAboutOne(in)) {
		i.askWhich(in)
		return
	}
	if to.session == "" && isPlain(in) {
		to = sessionInUse(i.chats.settings(in.Chat))
	}
	if may && to.session == "" && isPlain(in) {
		i.askWhich(in)
		return
	}
	i.act(in, to, may)
}

// askWhich tells that an input has no session. Of files that are shown as one it tells so once.
func (i *intake) askWhich(in inbound.Input) {
	if in.Kind == inbound.Attached {
		i.act(in, target{}, true)
		return
	}
	if !i.respond.mayReply(in) {
		return
	}
	i.respond.reply(in, remote.Message{Kind: remote.TellWhich})
}

func (i *intake) act(in inbound.Input, to target, may bool) {
	i.endJoining(in)
	switch {
	case in.Kind == inbound.Attached:
		i.albums.addFile(in, to, may)
	case !may && in.Button.Kind != inbound.ButtonAnswer: // to say that it was an answer drives nothing
		i.respond.refuse(in)
	case in.Kind == inbound.Tapped && (in.Button.Kind == inbound.ButtonAnswer || in.Button.Kind == inbound.ButtonCommand):
		i.resolveDoubt(in)
	case in.Kind == inbound.Tapped:
		i.receiver.takeTap(in)
	case in.Command != "":
		i.receiver.takeCommand(in, to)
	default:
		i.texts.addPart(in, to, in.Text, false)
	}
}

// takeNote takes a text that begins no turn. It may be continued, like any other.
func (i *intake) takeNote(in inbound.Input, to target, text string) {
	i.texts.addPart(in, to, text, true)
}

// endJoining completes what a person has begun and could still continue: they sent
// something else.
func (i *intake) endJoining(in inbound.Input) {
	if in.Kind == inbound.Tapped {
		return
	}
	w := writerOf(in)
	i.albums.endOther(w, in.Album)
	if in.Kind != inbound.Typed {
		i.texts.complete(w)
	}
}

func (i *intake) takeAlbum(a *album) {
	if !a.may {
		i.respond.refuse(a.in)
		return
	}
	i.receiver.takeFiles(a)
}

// takeDoubt takes a text that could answer a question and begins like a command. See
// Controller.Doubt.
func (i *intake) takeDoubt(in inbound.Input, may bool, t question.Thread, words bool) bool {
	switch {
	case in.Sure || in.Command == "":
		return false
	case words || !isCommand(in.Command):
		if !may || i.unfitReason(in) != "" {
			return false
		}
		i.loop.Post(func() { i.doubts.askWriter(in, may, t) })
		return true
	}
	return i.takeInput(in, may)
}

// resolveDoubt does with a text what the person says it was. Only who wrote it can say.
func (i *intake) resolveDoubt(in inbound.Input) {
	i.outbox.answerTap(in, outbound.Alert{})
	was, ok := i.doubts.resolve(in)
	if i.respond.consume(in) != nil || !ok {
		return
	}
	if in.Button.Kind == inbound.ButtonCommand {
		to, _ := i.repliedTo(was.in)
		i.beginInput(was.in, to, was.may)
		return
	}
	answer := was.in
	answer.Sure = true
	i.loop.Go(func(ctx context.Context) { i.outbox.resubmit(ctx, answer) })
}

// writer is one person in one topic of a chat.
type writer struct {
	chat  chat.ID
	topic int
	user  chat.UserID
}

func writerOf(in inbound.Input) writer { return writer{in.Chat, in.Topic, in.User.ID} }

// isCommand reports whether a command is one of Commands.
func isCommand(name string) bool { return slices.Contains(Commands(), name) }
