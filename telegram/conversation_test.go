package telegram_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/telegram"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// conversation is as much of the bridge as a conversation needs: it keeps one thread and
// shows it after every input.
type conversation struct {
	*world
	view question.View
	card []chat.MessageID
}

func newConversation(t *testing.T, lang string, items ...question.Item) *conversation {
	return newConversationAbout(t, lang, cardtest.Asks(items...))
}

func newConversationAbout(t *testing.T, lang string, v question.View) *conversation {
	k := &conversation{view: v}
	k.world = newWorld(t, func(c *telegram.Config) { c.Lang, c.Handle = lang, k.hear })
	// The bubble's clock begins at a fixed time, so the golden files hold.
	k.view.Deadline = time.Now().Add(k.view.TTL)
	k.start()
	k.say("/start")
	k.refresh()
	return k
}

func (k *conversation) hear(_ context.Context, in inbound.Input) {
	k.inbox.forget(in.Update)
	move, alert := in.Move, ui.Line(nil)
	switch {
	case in.Command == "start":
		k.bot.Tell(outbound.Message{Text: ui.Greeting(in.User).Text(), Answer: true, Chat: in.Chat}, func(outbound.MessageShown) {})
		return
	case in.Kind == inbound.Typed:
		move = question.WizardInput{Action: question.Say, Text: in.Text}
	}
	next, err := k.view.Wizard.Apply(k.view.Request, move)
	var notice *question.Notice
	switch {
	case errors.Is(err, question.ErrStale):
		alert = ui.Stale()
	case errors.Is(err, question.ErrClosed):
		alert = ui.HowItStands(k.view)
	case errors.As(err, &notice):
		alert = ui.NotTaken(*notice, k.view.Request)
	}
	if in.Kind == inbound.Tapped {
		k.bot.Answer(in.Callback, alert, in.User.Lang)
		time.Sleep(time.Millisecond) // alerts do not wait for cards; the golden files name them first
	}
	k.step(next, in.User)
}

func (k *conversation) step(w question.Wizard, u chat.User) {
	k.view.Wizard, k.view.Step = w, w.Rev
	k.view.Rev++
	by := question.Actor{Kind: question.Person, User: u.ID, Name: u.Name}
	o := question.Outcome{Kind: question.OutcomeAnswered, Answers: w.Answers(k.view.Request), By: by, At: time.Now()}
	switch w.State {
	case question.Dismissed:
		o.Kind = question.OutcomeDismissed
		fallthrough
	case question.Answered:
		if k.view.Outcome == nil {
			k.view.Phase, k.view.Outcome = question.PhaseEnded, &o
		}
	}
	k.refresh()
}

func (k *conversation) refresh() {
	v := k.view
	k.bot.Show(post(7, v, k.card...), func(s outbound.Shown) { k.card = s.Messages })
}

// tap taps a button of the card and lets everything happen.
func (k *conversation) tap(label string) {
	k.t.Helper()
	settle()
	if _, err := k.tele.Tap(7, 7, int(k.card[len(k.card)-1]), label); err != nil {
		k.t.Error(err)
	}
	settle()
}

func (k *conversation) types(text string) {
	k.t.Helper()
	settle()
	k.say(text)
	settle()
}

func TestConversations(t *testing.T) {
	for name, run := range map[string]func(t *testing.T, lang string) *conversation{
		"one": func(t *testing.T, lang string) *conversation {
			k := newConversation(t, lang, cardtest.Database())
			k.tap("2. ")
			return k
		},
		"typed": func(t *testing.T, lang string) *conversation {
			k := newConversation(t, lang, cardtest.AmbiguousItem())
			k.tap("✏️")
			k.types("post")
			k.types(`"post"`)
			return k
		},
		"several": func(t *testing.T, lang string) *conversation {
			k := newConversation(t, lang, cardtest.Database(), cardtest.Languages(), cardtest.NameItem())
			k.tap("1. ")
			k.tap("☐ 1")
			k.tap("☐ 3")
			k.tap(words.For(lang).Next)
			k.types("The Bridge")
			k.tap("✏️ 1")
			k.tap("2. ")
			k.types("yes")
			k.tap("✅")
			return k
		},
		"any": func(t *testing.T, lang string) *conversation {
			k := newConversation(t, lang, cardtest.Languages())
			k.tap("✅")
			k.tap("☐ 2")
			k.tap("✏️")
			k.types("Odin")
			k.tap("✕")
			k.tap("✅")
			return k
		},
		"form": func(t *testing.T, lang string) *conversation {
			w := words.For(lang)
			k := newConversationAbout(t, lang, cardtest.FormOf(cardtest.Order()...))
			k.tap("1. ")
			k.types("12")
			k.types("2")
			k.tap("↩️")
			k.tap(w.Form.Yes)
			k.types("gold paper")
			k.types("ada")
			k.tap("⏭")
			k.tap("✏️ 4")
			k.tap(w.Form.No)
			k.tap("✅")
			return k
		},
		"login": func(t *testing.T, lang string) *conversation {
			k := newConversationAbout(t, lang, cardtest.FormOf(cardtest.Login("https://example.org/login")))
			k.types("what is this?")
			k.tap("✅")
			return k
		},
		"declined": func(t *testing.T, lang string) *conversation {
			k := newConversationAbout(t, lang, cardtest.FormOf(cardtest.Flavours()))
			k.tap("☐ 1")
			k.tap("🚫")
			k.tap("🚫")
			return k
		},
		"dismissed": func(t *testing.T, lang string) *conversation {
			k := newConversation(t, lang, cardtest.Database())
			k.tap("🚫")
			k.tap("◀")
			k.tap("🚫")
			k.tap("🚫")
			return k
		},
	} {
		for _, lang := range []string{"en", "zh"} {
			synctest.Test(t, func(t *testing.T) {
				k := run(t, lang)
				cardtest.Golden(t, "talk."+name+"."+lang+".txt", k.tele.History(7))
				k.stop()
				k.checkRules()
			})
		}
	}
}
