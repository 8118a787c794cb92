package sessions

import (
	"strings"
	"time"

	"hermes/internal/question"
)

// Take says whether an input that means no question is for the desk, and if so sees
// to it: the desk then lets go of its update. may says whether the person may drive
// sessions. It reads the store, and never waits for the desk.
func (d *Desk) Take(in question.Input, may bool) bool {
	if d.tooEarly(in) {
		return true
	}
	held := in.Private && plain(in) && d.open.in(in.Chat) // looked at first: what ends meanwhile has changed the seat by then
	to, ok := d.means(in)
	if held {
		to, ok = target{}, true // whichever the chat uses then
	}
	if rest, goes := d.goesOn(in); goes && in.Kind == question.Typed {
		to, ok = rest, true
	}
	to, ok = d.partOf(in, to, ok)
	switch why := d.unfit(in); {
	case !ok:
		return false
	case why != "":
		d.back(func() { d.passOver(in, why) })
		return true
	}
	if chooses(in) {
		d.open.begin(in)
	}
	d.mayGoOn(in, to)
	d.back(func() { d.take(in, to, may) })
	return true
}

// means says what an input is about. In groups other bots have commands too, so there
// only the desk's own are taken.
func (d *Desk) means(in question.Input) (target, bool) {
	switch {
	case in.Kind == question.Tapped:
		return target{}, in.Order.Kind != ""
	case in.Kind != question.Attached && (in.Kind != question.Typed || in.Command == "start"):
		return target{}, false
	}
	to, replied := d.repliedTo(in)
	seat := d.seat(in.Chat)
	command := in.Kind == question.Typed && in.Command != "" // a caption's needs a session
	switch {
	case replied, command && known(in.Command), command && in.Private && in.ReplyTo == 0:
		return to, true
	case in.Private && seat.Session != "":
		return seated(seat), true
	}
	return target{}, false
}

// repliedTo is the session that the message belongs to which the input replies to. What
// is to begin nothing is no answer to a question there, as that begins a turn.
func (d *Desk) repliedTo(in question.Input) (target, bool) {
	if in.ReplyTo == 0 {
		return target{}, false
	}
	to, found := d.belongs(in.Chat, in.ReplyTo)
	if in.Command == "noreply" {
		to.answers = ""
	}
	return to, found
}

// belongs is the session that a message belongs to.
func (d *Desk) belongs(chat question.ChatID, message question.PostedID) (target, bool) {
	said, found, err := d.config.Store.Said(chat, message)
	if err != nil {
		d.log.Error("cannot read the store", "err", err)
	}
	return target{said.Session, said.Origin, said.Title, said.Answers}, found
}

// seated is the session in use.
func seated(s question.Seat) target {
	return target{session: s.Session, origin: s.Origin, title: s.Title}
}

func (d *Desk) seat(chat question.ChatID) question.Seat {
	chat = d.current(chat)
	seat, ok := d.seats.Load(chat)
	if !ok {
		return question.Seat{Chat: chat}
	}
	return seat.(question.Seat)
}

func (d *Desk) take(in question.Input, to target, may bool) {
	if d.taking[in.Update] {
		return // it came again while it was worked on
	}
	d.taking[in.Update] = true
	if chooses(in) {
		d.open.begin(in)
	}
	if d.warm {
		d.inTurn(in, to, may)
		return
	}
	d.early = append(d.early, func() { d.inTurn(in, to, may) })
}

func (d *Desk) act(in question.Input, to target, may bool) {
	d.endBegun(in)
	switch {
	case in.Kind == question.Attached:
		d.attach(in, to, may)
	case !may && in.Order.Kind != question.OrderAnswer: // to say that it was an answer drives nothing
		d.refuse(in)
	case in.Kind == question.Tapped:
		d.tapped(in)
	case in.Command != "":
		d.command(in, to)
	default:
		d.gather(in, to, in.Text, false)
	}
}

// refuse tells a person that they may not, and notes it.
func (d *Desk) refuse(in question.Input) {
	err := d.finish(in, question.Change{Entries: []question.Entry{
		{Kind: question.EntryRefused, By: author(in), Detail: string(question.AlertNoRole)},
	}})
	switch {
	case in.Kind == question.Tapped:
		d.config.Chat.Answer(in.Callback, question.Alert{Kind: question.AlertNoRole, Roles: d.config.Roles()}, in.User.Lang)
	case err == nil && d.mayRefuse(in):
		d.say(in, question.Telling{Kind: question.TellNoRight, Roles: d.config.Roles()})
	}
}

// tapped acts on a button of the desk's.
func (d *Desk) tapped(in question.Input) {
	if in.Order.Kind == question.OrderLate {
		d.late(in)
		return
	}
	d.config.Chat.Answer(in.Callback, question.Alert{}, in.User.Lang)
	switch o := in.Order; o.Kind {
	case question.OrderUse:
		d.useFrom(in, o.Session)
	case question.OrderNew:
		d.createFrom(in, o.Folder)
	case question.OrderPage:
		if d.mayReply(in) {
			d.sessions(in, o.Page)
		}
	case question.OrderStop:
		d.stop(in, o)
	case question.OrderKeep:
		d.keep(in, o)
	case question.OrderAnswer, question.OrderCommand:
		d.resolve(in, o)
	default:
		_ = d.finish(in, question.Change{})
	}
}

// command acts on a command. A reply to a session's message is about that session,
// else it is the one in use.
func (d *Desk) command(in question.Input, to target) {
	if asksOnly(in) && !d.mayReply(in) {
		return
	}
	if to.session == "" {
		to = seated(d.seat(in.Chat))
	}
	switch args := arguments(in.Text); in.Command {
	case "sessions":
		d.sessions(in, 0)
	case "use":
		d.use(in, to, args)
	case "new":
		d.create(in, to, args)
	case "follow":
		d.follow(in, args)
	case "level":
		d.level(in, args)
	case "mute":
		d.mute(in, args)
	case "status":
		d.status(in, to)
	case "pending":
		d.pending(in)
	case "help", "start":
		d.reply(in, question.Telling{Kind: question.TellHelp})
	default:
		if aboutOne(in) {
			d.about(in, to, args)
			return
		}
		d.reply(in, question.Telling{Kind: question.TellUnknown, Text: in.Command})
	}
}

// aboutOne reports whether a command is about one session.
func aboutOne(in question.Input) bool {
	switch in.Command {
	case "last", "diff", "todo", "abort", "noreply", "agent", "model", "run":
		return in.Kind == question.Typed
	}
	return false
}

// about acts on a command that is about one session.
func (d *Desk) about(in question.Input, to target, args string) {
	if to.session == "" {
		d.reply(in, question.Telling{Kind: question.TellWhich})
		return
	}
	switch in.Command {
	case "last":
		d.last(in, to)
	case "diff":
		d.diff(in, to)
	case "todo":
		d.todo(in, to)
	case "abort":
		d.abort(in, to)
	case "agent":
		d.agent(in, to, args)
	case "model":
		d.model(in, to, args)
	case "run":
		d.run(in, to, args)
	case "noreply":
		if args == "" {
			d.reply(in, question.Telling{Kind: question.TellHelp})
			return
		}
		d.gather(in, to, args, true)
	}
}

// reply answers an input that changes nothing. The update is let go of when the
// answer was tried: a crash before that answers it at the next start.
func (d *Desk) reply(in question.Input, t question.Telling) { d.replyAbout(in, t, target{}) }

func (d *Desk) replyAbout(in question.Input, t question.Telling, about target) {
	t = addressed(in, t)
	if in.Kind == question.Tapped {
		t.Edit = in.Message
	}
	d.tell(t, about, func(ids []question.PostedID, _ error) {
		d.misses(in, ids)
		_ = d.finish(in, question.Change{})
	})
}

// accept makes an errand of a prompt, for the agent and model that the chat has chosen
// for that session. The commit point: a crash before it, and the updates come again;
// behind it, and the prompt is owed. What the person wrote belongs to the session then.
func (d *Desk) accept(in question.Input, to target, p question.Prompt) {
	e := d.errand(in, to, p)
	said := to.said(in.Chat, d.posts(in))
	err := d.finish(in, question.Change{Said: said, Errands: []question.Errand{e}, Entries: []question.Entry{
		{Kind: question.EntryPrompted, Thread: e.ID, Session: to.session, By: e.By, Note: spoken(e.Prompt)},
	}})
	if err == nil {
		d.owe(e)
	}
}

// errand is what is owed for a prompt that came in an input.
func (d *Desk) errand(in question.Input, to target, p question.Prompt) question.Errand {
	p.Session = to.session
	if seat := d.seat(in.Chat); seat.Session == to.session {
		p.Agent, p.Model = seat.Agent, seat.Model
	}
	return question.Errand{
		ID: question.NewID(), Seat: question.Place{Title: to.title, Root: to.session}, Origin: to.origin, Prompt: p,
		Chat: in.Chat, Topic: in.Topic, Message: in.Message, By: author(in), Lang: in.User.Lang, At: time.Now(),
	}
}

// owe sets to work on an errand that is stored.
func (d *Desk) owe(e question.Errand) {
	id, owed := e.Prompt.Session, &errand{Errand: e}
	d.lines[id] = append(d.lines[id], owed)
	d.react(owed, seen, func(error) {})
	d.carry(id)
}

// posts are the messages that an input came in.
func (d *Desk) posts(in question.Input) []question.PostedID {
	ids := []question.PostedID{in.Message}
	for _, more := range d.with[in.Update] {
		ids = append(ids, more.Message)
	}
	return ids
}

// spoken is a prompt in words, for the journal.
func spoken(p question.Prompt) string {
	var words []string
	if p.Command != "" {
		words = append(words, "/"+p.Command)
	}
	for _, part := range p.Parts {
		if part.Text != "" {
			words = append(words, part.Text)
		} else if part.Name != "" {
			words = append(words, "["+part.Name+"]")
		}
	}
	return strings.Join(words, " ")
}
