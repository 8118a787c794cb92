package sessions

import (
	"strings"

	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// dispatcher gives each whole input to the part that acts on it.
type dispatcher struct {
	*services
	prompts  *promptQueue
	queries  *queries
	chooser  *chooser
	maker    *sessionMaker
	stopper  *stopper
	late     *lateAnswers
	drafts   *drafts
	unlinker *unlinker
	hears    bool // voices can be written down
	links    bool // Config.Links
}

// takeTap acts on a button.
func (d *dispatcher) takeTap(in inbound.Input) {
	if in.Button.Kind == inbound.ButtonLate {
		d.late.takeTap(in)
		return
	}
	if in.Button.Kind == inbound.ButtonSend {
		d.drafts.takeTap(in)
		return
	}
	d.outbox.answerTap(in, outbound.Alert{})
	switch o := in.Button; o.Kind {
	case inbound.ButtonUse:
		d.chooser.useByID(in, o.Session)
	case inbound.ButtonNew:
		d.maker.makeInFolder(in, o.Folder)
	case inbound.ButtonPage:
		if d.respond.mayReply(in) {
			d.queries.showList(in, o.Page)
		}
	case inbound.ButtonDiff:
		if d.respond.mayReply(in) {
			d.queries.showChanges(in, o)
		}
	case inbound.ButtonAgents, inbound.ButtonModels:
		if d.respond.mayReply(in) {
			d.chooser.takeNameTap(in, o)
		}
	case inbound.ButtonAgent, inbound.ButtonModel:
		d.chooser.takeNameTap(in, o)
	case inbound.ButtonLevel:
		d.chooser.chooseLevel(in, o.Level)
	case inbound.ButtonUnlinks, inbound.ButtonUnlink, inbound.ButtonLinked:
		d.unlinker.takeTap(in)
	case inbound.ButtonStop:
		d.stopper.stopSession(in, o)
	case inbound.ButtonKeep:
		d.stopper.letGoOn(in, o)
	default:
		_ = d.respond.consume(in)
	}
}

// takeCommand acts on a command. A reply to a session's message is about that session,
// else it is the one in use.
func (d *dispatcher) takeCommand(in inbound.Input, to target) {
	if asksOnly(in) && !d.respond.mayReply(in) {
		return
	}
	if to.session == "" {
		to = d.sessionInUse(in)
	}
	switch args := arguments(in.Text); in.Command {
	case "sessions":
		d.queries.showList(in, 0)
	case "use":
		d.takeUse(in, to, args)
	case "new":
		d.maker.makeNamed(in, to, args)
	case "follow":
		d.chooser.chooseFollow(in, args)
	case "level":
		d.chooser.chooseLevel(in, args)
	case "mute":
		d.chooser.chooseMute(in, args)
	case "status":
		d.queries.showStatus(in, to)
	case "pending":
		d.queries.showPending(in)
	case "help", "start":
		d.respond.reply(in, remote.Message{Kind: remote.TellHelp, Links: d.links && in.Private})
	default:
		if isAboutOne(in) {
			d.takeSessionCommand(in, to, args)
			return
		}
		d.respond.reply(in, remote.Message{Kind: remote.TellUnknown, Text: in.Command})
	}
}

// sessionInUse is the one that the chat uses, if it is open to who wrote.
func (d *dispatcher) sessionInUse(in inbound.Input) target {
	if to := sessionInUse(d.chats.settings(in.Chat)); d.routes.isOpenTo(in, d.routes.homeOf(to)) {
		return to
	}
	return target{}
}

// takeUse makes plain text go to the session that the words name, or, in a reply, to that
// of the message; "off" makes it go nowhere. Without words it shows the list.
func (d *dispatcher) takeUse(in inbound.Input, to target, text string) {
	switch {
	case text == "off":
		d.chooser.useNone(in)
	case text == "" && in.ReplyTo != 0 && to.session != "":
		d.chooser.useByID(in, to.session)
	case text == "":
		d.queries.showList(in, 0)
	default:
		d.chooser.useNamed(in, text)
	}
}

// takeSessionCommand acts on a command that is about one session.
func (d *dispatcher) takeSessionCommand(in inbound.Input, to target, args string) {
	if to.session == "" {
		d.respond.reply(in, remote.Message{Kind: remote.TellWhich})
		return
	}
	switch in.Command {
	case "last":
		d.queries.showLast(in, to)
	case "diff":
		d.queries.showDiff(in, to)
	case "todo":
		d.queries.showTodo(in, to)
	case "abort":
		d.stopper.askFirst(in, to)
	case "agent":
		d.chooser.chooseName(in, to, agentChoice(), pickTyped(args))
	case "model":
		d.chooser.chooseName(in, to, modelChoice(), pickTyped(args))
	case "run":
		d.takeRun(in, to, args)
	case "noreply":
		if args == "" {
			d.respond.reply(in, remote.Message{Kind: remote.TellHelp, Links: d.links && in.Private})
			return
		}
		d.takeText(in, to, args, true)
	}
}

// takeRun gives the session a command of OpenCode's own. Without a name it lists them. A text
// that OpenCode could take for something to run or to read is not even kept.
func (d *dispatcher) takeRun(in inbound.Input, to target, args string) {
	text := arguments(args)
	if session.Expands(text) {
		d.respond.replyAbout(in, remote.Message{Kind: remote.TellRefused, Session: to.asSession(), Reason: remote.ReasonSigns}, to)
		return
	}
	if name := strings.TrimSpace(strings.TrimSuffix(args, text)); name != "" {
		d.prompts.accept(in, to, session.Prompt{Command: strings.TrimPrefix(name, "/"), Parts: []session.Part{{Text: text}}})
		return
	}
	d.queries.showCommands(in, to)
}

// takeText acts on a whole text, which is a prompt, or words that reply to an offer or to the
// card of a question that got no answer.
func (d *dispatcher) takeText(in inbound.Input, to target, text string, noReply bool) {
	switch {
	case to.answers != "" && to.asked:
		d.late.takeReply(in, to, text)
		return
	case to.answers != "":
		d.late.takeWords(in, to, text)
		return
	}
	if to.asked && in.Command == "" {
		text = d.replyText(in, text)
	}
	d.prompts.accept(in, to, session.Prompt{Parts: []session.Part{{Text: text}}, NoReply: noReply})
}

// replyText is what a text that replies to a card tells the session.
func (d *dispatcher) replyText(in inbound.Input, text string) string {
	t, ok, err := d.store.Find(storage.Key{Chat: in.Chat, Message: in.ReplyTo})
	if err != nil || !ok {
		return text
	}
	return t.ReplyPrompt(text)
}

// takeFiles makes a prompt of an album.
func (d *dispatcher) takeFiles(a album, to target) {
	fault := a.fault(d.hears)
	switch {
	case to.session == "":
		d.respond.reply(a.in, remote.Message{Kind: remote.TellWhich})
	case to.answers != "" && a.command != "noreply":
		d.late.rejectFile(a.in, to)
	case fault.Kind != "":
		d.respond.reply(a.in, fault)
	default:
		d.prompts.accept(a.in, to, a.prompt())
	}
}

// takeUnaddressed acts on a text that has no session.
func (d *dispatcher) takeUnaddressed(in inbound.Input) { d.drafts.offer(in) }
