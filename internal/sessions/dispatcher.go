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

// takeTap acts on a button.
func (c *Controller) takeTap(in inbound.Input) {
	if in.Late || in.Button.Kind == inbound.ButtonLate {
		c.takeLate(in)
		return
	}
	if in.Button.Kind == inbound.ButtonSend {
		c.takeDraftTap(in)
		return
	}
	c.answerTap(in, nil)
	switch o := in.Button; o.Kind {
	case inbound.ButtonUse:
		c.useByID(in, o.Session)
	case inbound.ButtonNew:
		c.makeInFolder(in, o.Folder)
	case inbound.ButtonPage:
		if c.mayReply(in) {
			c.showList(in, o.Page)
		}
	case inbound.ButtonAgents, inbound.ButtonModels:
		if c.mayReply(in) {
			c.takeNameTap(in, o)
		}
	case inbound.ButtonAgent, inbound.ButtonModel:
		c.takeNameTap(in, o)
	case inbound.ButtonLevel:
		c.chooseLevel(in, o.Level)
	case inbound.ButtonUnlinks, inbound.ButtonUnlink, inbound.ButtonLinked:
		c.takeLinkTap(in)
	case inbound.ButtonStop:
		c.stopSession(in, o)
	case inbound.ButtonKeep:
		c.letGoOn(in)
	default:
		c.consume(in)
	}
}

// takeCommand acts on a command. A reply to a session's message is about that session,
// else it is the one in use. What a command settles is of the session in use, so with such a reply the chat uses that
// session from then on (settlesUse).
func (c *Controller) takeCommand(in inbound.Input, to target) {
	if asksOnly(in) && !c.mayReply(in) {
		return
	}
	if to.session == "" {
		to = c.sessionInUse(in)
	}
	switch args := arguments(in.Text); in.Command {
	case "sessions":
		c.showList(in, 0)
	case "use":
		c.takeUse(in, to, args)
	case "new":
		c.makeNamed(in, to, args)
	case "level":
		c.chooseLevel(in, args)
	case "mute":
		c.chooseMute(in, args)
	case "status":
		c.showStatus(in, to)
	case "pending":
		c.showPending(in)
	case "help", "start":
		c.reply(in, ui.Help(c.config.Links && in.Private))
	default:
		if in.Command == "follow" && args == "off" {
			c.followNone(in)
			return
		}
		if isAboutOne(in) {
			c.takeSessionCommand(in, to, args)
			return
		}
		c.reply(in, ui.UnknownCommand(in.Command).Text())
	}
}

// sessionInUse is the one that the chat uses, if it is open to who wrote.
func (c *Controller) sessionInUse(in inbound.Input) target {
	if to := sessionInUse(c.chats.settings(in.Chat)); c.routes.isOpenTo(in, c.routes.homeOf(to)) {
		return to
	}
	return target{}
}

// takeUse makes plain text go to the session that the words name, or, in a reply, to that
// of the message; "off" makes it go nowhere. Without words it shows the list.
func (c *Controller) takeUse(in inbound.Input, to target, text string) {
	switch {
	case text == "off":
		c.useNone(in)
	case text == "" && in.ReplyTo != 0 && to.session != "":
		c.useByID(in, to.session)
	case text == "":
		c.showList(in, 0)
	default:
		c.useNamed(in, text)
	}
}

// takeSessionCommand acts on a command that is about one session.
func (c *Controller) takeSessionCommand(in inbound.Input, to target, args string) {
	if to.session == "" {
		c.reply(in, ui.WhichSession().Text())
		return
	}
	switch in.Command {
	case "last":
		c.showLast(in, to)
	case "diff":
		c.showDiff(in, to)
	case "todo":
		c.showTodo(in, to)
	case "abort":
		c.askFirst(in, to)
	case "follow":
		c.chooseFollow(in, to, args)
	case "agent":
		c.chooseName(in, to, agentChoice(), pickTyped(args))
	case "model":
		c.chooseName(in, to, modelChoice(), pickTyped(args))
	case "run":
		c.takeRun(in, to, args)
	case "noreply":
		if args == "" {
			c.reply(in, ui.Help(c.config.Links && in.Private))
			return
		}
		c.takeText(in, to, args, true)
	}
}

// takeRun gives the session a command of OpenCode's own. Without a name it lists them. A text
// that OpenCode could take for something to run or to read is not even kept.
func (c *Controller) takeRun(in inbound.Input, to target, args string) {
	text := arguments(args)
	if session.Expands(text) {
		c.replyWith(in, addressedTo(in, ui.PromptRefused(to.asSession(), remote.ReasonSigns)), to)
		return
	}
	if name := strings.TrimSpace(strings.TrimSuffix(args, text)); name != "" {
		c.prompts.accept(in, to, session.Prompt{Command: strings.TrimPrefix(name, "/"), Parts: []session.Part{{Text: text}}})
		return
	}
	c.showCommands(in, to)
}

// takeText acts on a whole text, which is a prompt, or an answer that comes too late.
func (c *Controller) takeText(in inbound.Input, to target, text string, noReply bool) {
	if in.Command == "" && (to.asked || in.Late) {
		t, _, err := c.config.Store.Find(storage.Key{Chat: in.Chat, Message: in.ReplyTo})
		if err == nil && in.Late {
			c.offerLate(in, t, to, t.ReplyPrompt(text), nil)
			return
		}
		if err == nil {
			text = t.ReplyPrompt(text)
		}
	}
	c.prompts.accept(in, to, session.Prompt{Parts: []session.Part{{Text: text}}, NoReply: noReply})
}

// takeFiles makes a prompt of an album.
func (c *Controller) takeFiles(a album, to target) {
	fault := a.fault(c.hears)
	if to.session == "" && (fault != nil || a.command == "noreply") && !c.mayReply(a.in) {
		return
	}
	switch {
	case to.session == "" && a.command == "noreply":
		c.reply(a.in, ui.WhichSession().Text())
	case to.session == "" && fault == nil:
		c.offerDraft(a.in, a.text, a.parts())
	case fault != nil:
		c.replyWith(a.in, addressedTo(a.in, fault.Text()), target{})
	case a.in.Late && a.command == "":
		t, _, _ := c.config.Store.Find(storage.Key{Chat: a.in.Chat, Message: a.in.ReplyTo})
		if a.text != "" {
			a.text = t.ReplyPrompt(a.text)
		}
		c.offerLate(a.in, t, to, a.text, a.parts())
	default:
		c.prompts.accept(a.in, to, a.prompt())
	}
}

// takeUnaddressed acts on a text that has no session.
func (c *Controller) takeUnaddressed(in inbound.Input) { c.offerDraft(in, in.Text, nil) }

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
