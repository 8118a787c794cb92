package sessions

import (
	"context"
	"slices"
	"strings"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/ui"
)

// namePage is how many names are offered at once.
const namePage = 8

// nameChoice is something that is chosen by one of the names that OpenCode has.
type nameChoice struct {
	text  func(ui.Choice) ui.Text
	names func(context.Context, Catalogue) ([]string, error)
	set   func(chat *remote.ChatSettings, name string) // empty: as it was used last
}

// agentChoice is which agent the session in use is prompted with.
func agentChoice() nameChoice {
	return nameChoice{
		ui.Choice.Agent, func(ctx context.Context, at Catalogue) ([]string, error) { return at.Agents(ctx) },
		func(chat *remote.ChatSettings, name string) { chat.Agent = name },
	}
}

// modelChoice is the same for the model, which is written provider/model.
func modelChoice() nameChoice {
	return nameChoice{ui.Choice.Model, modelNames, func(chat *remote.ChatSettings, name string) { chat.Model = modelNamed(name) }}
}

func modelNames(ctx context.Context, at Catalogue) ([]string, error) {
	models, err := at.Models(ctx)
	var names []string
	for _, m := range models {
		names = append(names, m.Provider+"/"+m.ID)
	}
	return names, err
}

func modelNamed(name string) session.Model {
	provider, id, _ := strings.Cut(name, "/")
	return session.Model{Provider: provider, ID: id}
}

// namePick says what somebody wants of the names there are: one of them, a page of them, or what is not there.
type namePick func(names []string) picked

// picked is a name to use, or what is offered instead.
type picked struct {
	chosen  bool
	name    string // to use; empty: as it was used last
	missing string // the name that is not there; remote.NoName: what a button meant; empty: none was given
	offered []string
	page    int
	pages   int
}

// pickTyped takes what was typed: a name, "off" for what was used last, or nothing. Of a name that is not there, those are
// offered that have it in them.
func pickTyped(text string) namePick {
	return func(names []string) picked {
		switch {
		case text == "off":
			return picked{chosen: true}
		case slices.Contains(names, text):
			return picked{chosen: true, name: text}
		}
		p := offerPage(names, 0)
		isLike := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(text)) }
		if like := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isLike(name) }); text != "" && len(like) > 0 && len(like) <= namePage {
			p = offerPage(like, 0)
		}
		p.missing = text
		return p
	}
}

// pickTapped takes the name that a button stands for.
func pickTapped(tag string) namePick {
	return func(names []string) picked {
		for _, name := range append([]string{""}, names...) {
			if session.ShortTag(name) == tag {
				return picked{chosen: true, name: name}
			}
		}
		p := offerPage(names, 0)
		p.missing = remote.NoName
		return p
	}
}

func pickPage(page int) namePick {
	return func(names []string) picked { return offerPage(names, page) }
}

// offerPage offers a page of names; one that is not there any more is the last.
func offerPage(names []string, page int) picked {
	pages := max(1, (len(names)+namePage-1)/namePage)
	page = min(max(page, 0), pages-1)
	return picked{offered: names[page*namePage : min(len(names), (page+1)*namePage)], page: page, pages: pages}
}

// chooseName settles what the session in use works with, or offers what there is. A button counts for the session that it
// was made for, as long as the chat uses that.
func (c *Controller) chooseName(in inbound.Input, to target, choice nameChoice, pick namePick) {
	used := c.chats.settings(in.Chat).Session
	switch {
	case used == to.session || settlesUse(in):
	case used == "":
		c.reply(in, ui.WhichSession().Text())
		return
	default:
		c.reply(in, ui.OtherSession().Text())
		return
	}
	along := c.routes.toOpen(in, to)
	c.loop.Beside(func(ctx context.Context) func() {
		at, s, err := findSession(ctx, along, to.session)
		var list []string
		var last session.Turn
		if err == nil {
			last, _ = at.Turn(ctx, s.ID) // what it does not tell is not said
			list, err = choice.names(ctx, at)
		}
		return func() {
			if err != nil {
				c.replyFailure(in, err)
				return
			}
			c.applyPick(in, foundAt(at, s), ui.Choice{Session: s, Last: last}, choice, pick(list))
		}
	})
}

// applyPick settles on the name that was picked, or offers what there is.
func (c *Controller) applyPick(in inbound.Input, at target, t ui.Choice, choice nameChoice, p picked) {
	chat := c.chats.settings(in.Chat)
	if t.Moved = chat.Session != at.session && settlesUse(in); t.Moved {
		chat = using(chat, at)
	}
	if p.chosen {
		choice.set(&chat, p.name)
	} else {
		t.Names, t.Missing, t.Page, t.Pages = p.offered, p.missing, p.page, p.pages
	}
	t.Settings = chat
	switch {
	case chat.Session != at.session:
		c.reply(in, ui.OtherSession().Text())
	case !p.chosen && !t.Moved:
		if settlesUse(in) {
			c.choices.markSettled(in) // it replies to the session in use
		}
		c.replyAbout(in, choice.text(t), at)
	default:
		c.settleOn(in, chat, choice.text(t), at)
	}
}

// takeNameTap acts on a button about agents or models.
func (c *Controller) takeNameTap(in inbound.Input, o inbound.Button) {
	to := target{session: o.Session}
	if chat := c.chats.settings(in.Chat); chat.Session == o.Session {
		to = sessionInUse(chat)
	}
	switch o.Kind {
	case inbound.ButtonAgent:
		c.chooseName(in, to, agentChoice(), pickTapped(o.Tag))
	case inbound.ButtonModel:
		c.chooseName(in, to, modelChoice(), pickTapped(o.Tag))
	case inbound.ButtonAgents:
		c.chooseName(in, to, agentChoice(), pickPage(o.Page))
	default:
		c.chooseName(in, to, modelChoice(), pickPage(o.Page))
	}
}

// isSetting reports whether a button settles something, so that its message has nothing more to offer.
func isSetting(k inbound.ButtonKind) bool {
	return k == inbound.ButtonAgent || k == inbound.ButtonModel || k == inbound.ButtonLevel
}
