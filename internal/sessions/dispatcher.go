package sessions

import (
	"strconv"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// dispatcher gives each whole input to the part that acts on it.
type dispatcher struct {
	*services
	prompts  *promptQueue
	queries  *queries
	chooser  *chooser
	maker    *sessionMaker
	stopper  *stopper
	drafts   *drafts
	unlinker *unlinker
	hears    bool // voices can be written down
	links    bool // Config.Links
}

// takeTap acts on a button.
func (d *dispatcher) takeTap(in inbound.Input) {
	if in.Late || in.Button.Kind == inbound.ButtonLate {
		d.drafts.takeLate(in)
		return
	}
	if in.Button.Kind == inbound.ButtonSend {
		d.drafts.takeTap(in)
		return
	}
	d.outbox.answerTap(in, nil)
	switch o := in.Button; o.Kind {
	case inbound.ButtonUse:
		d.chooser.useByID(in, o.Session)
	case inbound.ButtonNew:
		d.maker.makeInFolder(in, o.Folder)
	case inbound.ButtonPage:
		if d.respond.mayReply(in) {
			d.queries.showList(in, o.Page)
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
		d.stopper.letGoOn(in)
	default:
		d.respond.consume(in)
	}
}

// takeCommand acts on a command. A reply to a session's message is about that session,
// else it is the one in use. What a command settles is of the session in use, so with such a reply the chat uses that
// session from then on (settlesUse).
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
	case "level":
		d.chooser.chooseLevel(in, args)
	case "mute":
		d.chooser.chooseMute(in, args)
	case "status":
		d.queries.showStatus(in, to)
	case "pending":
		d.queries.showPending(in)
	case "help", "start":
		d.respond.reply(in, ui.Help(d.links && in.Private))
	default:
		if in.Command == "follow" && args == "off" {
			d.chooser.followNone(in)
			return
		}
		if isAboutOne(in) {
			d.takeSessionCommand(in, to, args)
			return
		}
		d.respond.reply(in, ui.UnknownCommand(in.Command).Text())
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
		d.respond.reply(in, ui.WhichSession().Text())
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
	case "follow":
		d.chooser.chooseFollow(in, to, args)
	case "agent":
		d.chooser.chooseName(in, to, agentChoice(), pickTyped(args))
	case "model":
		d.chooser.chooseName(in, to, modelChoice(), pickTyped(args))
	case "run":
		d.takeRun(in, to, args)
	case "noreply":
		if args == "" {
			d.respond.reply(in, ui.Help(d.links && in.Private))
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
		d.respond.replyWith(in, addressedTo(in, ui.PromptRefused(to.asSession(), remote.ReasonSigns)), to)
		return
	}
	if name := strings.TrimSpace(strings.TrimSuffix(args, text)); name != "" {
		d.prompts.accept(in, to, session.Prompt{Command: strings.TrimPrefix(name, "/"), Parts: []session.Part{{Text: text}}})
		return
	}
	d.queries.showCommands(in, to)
}

// takeText acts on a whole text, which is a prompt, or an answer that comes too late.
func (d *dispatcher) takeText(in inbound.Input, to target, text string, noReply bool) {
	if in.Command == "" && (to.asked || in.Late) {
		t, _, err := d.store.Find(storage.Key{Chat: in.Chat, Message: in.ReplyTo})
		if err == nil && in.Late {
			d.drafts.offerLate(in, t, to, t.ReplyPrompt(text), nil)
			return
		}
		if err == nil {
			text = t.ReplyPrompt(text)
		}
	}
	d.prompts.accept(in, to, session.Prompt{Parts: []session.Part{{Text: text}}, NoReply: noReply})
}

// takeFiles makes a prompt of an album.
func (d *dispatcher) takeFiles(a album, to target) {
	fault := a.fault(d.hears)
	if to.session == "" && (fault != nil || a.command == "noreply") && !d.respond.mayReply(a.in) {
		return
	}
	switch {
	case to.session == "" && a.command == "noreply":
		d.respond.reply(a.in, ui.WhichSession().Text())
	case to.session == "" && fault == nil:
		d.drafts.offer(a.in, a.text, a.parts())
	case fault != nil:
		d.respond.replyWith(a.in, addressedTo(a.in, fault.Text()), target{})
	case a.in.Late && a.command == "":
		t, _, _ := d.store.Find(storage.Key{Chat: a.in.Chat, Message: a.in.ReplyTo})
		if a.text != "" {
			a.text = t.ReplyPrompt(a.text)
		}
		d.drafts.offerLate(a.in, t, to, a.text, a.parts())
	default:
		d.prompts.accept(a.in, to, a.prompt())
	}
}

// takeUnaddressed acts on a text that has no session.
func (d *dispatcher) takeUnaddressed(in inbound.Input) { d.drafts.offer(in, in.Text, nil) }

// Commands are the commands that a Controller knows, in the order of /help.
func Commands() []string {
	return []string{
		"sessions", "use", "new", "last", "diff", "todo", "status", "pending", "abort", "noreply",
		"run", "agent", "model", "follow", "level", "mute", "help",
	}
}

// arguments is what stands behind the command, without the spaces around it.
func arguments(text string) string {
	at := strings.IndexAny(text, " \t\n")
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(text[at:])
}

// muteFor reads the time of /mute: 30m, 2h, 3d, 1h30m; 0 for off. It reports false for
// anything else, and for more than 30 days.
func muteFor(text string) (time.Duration, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "off" || text == "0" {
		return 0, true
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil && n > 0 && n <= 30
	}
	t, err := time.ParseDuration(text)
	return t, err == nil && t >= time.Minute && t <= 30*24*time.Hour
}

// levelOf reads the level of /level.
func levelOf(text string) (remote.Level, bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "questions":
		return remote.LevelQuestions, true
	case "turns":
		return remote.LevelTurns, true
	case "all":
		return remote.LevelAll, true
	}
	return "", false
}

// sessionsNamed finds the sessions that a person may mean: by id, by the whole title, by a part of it, or by the end of
// an id, as lists show it.
func sessionsNamed(list []session.Session, text string) []session.Session {
	text = strings.ToLower(strings.TrimSpace(text))
	var whole, part, end []session.Session
	for _, s := range list {
		title := strings.ToLower(s.Title)
		switch {
		case string(s.ID) == text || strings.ToLower(string(s.ID)) == text:
			return []session.Session{s}
		case title == text:
			whole = append(whole, s)
		case text != "" && strings.Contains(title, text):
			part = append(part, s)
		case len(text) >= shortEnd && strings.HasSuffix(strings.ToLower(string(s.ID)), strings.TrimPrefix(text, "…")):
			end = append(end, s)
		}
	}
	switch {
	case len(whole) > 0:
		return whole
	case len(part) > 0:
		return part
	}
	return end
}

// asksOnly reports whether a command changes nothing.
func asksOnly(in inbound.Input) bool {
	some := arguments(in.Text) != "" || settlesUse(in)
	switch in.Command {
	case "new", "abort", "follow":
		return false
	case "use":
		return !some && in.ReplyTo == 0
	case "agent", "model", "run", "noreply", "level", "mute":
		return !some
	}
	return true
}

// isAboutOne reports whether a command is about one session.
func isAboutOne(in inbound.Input) bool {
	switch in.Command {
	case "last", "diff", "todo", "abort", "noreply", "agent", "model", "run":
		return in.Kind == inbound.Typed
	case "follow":
		return in.Kind == inbound.Typed && arguments(in.Text) != "off"
	}
	return false
}

// settlesUse reports whether a command makes its chat use the session whose message it replies to: what it settles is the session's in use.
func settlesUse(in inbound.Input) bool {
	if in.Kind != inbound.Typed || in.ReplyTo == 0 {
		return false
	}
	switch in.Command {
	case "use", "agent", "model":
		return true
	case "follow":
		return arguments(in.Text) != "off"
	}
	return false
}
