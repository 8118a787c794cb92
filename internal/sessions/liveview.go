package sessions

import (
	"context"
	"errors"
	"slices"
	"time"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/outbound"
	"hermes/internal/remote"
	"hermes/internal/retry"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

const (
	// followAfter: the live message of a turn that is over soon would be noise.
	followAfter = 2 * time.Second
	// followEvery is how often a followed session at work is looked at: events can be
	// lost, and the time that it takes grows.
	followEvery = 30 * time.Second
	// followSoon is how long after something was asked the session is looked at: people
	// are shown it by then.
	followSoon = time.Second
	// followSettled is the same after an answer. It is less than an edit has to wait.
	followSettled = 200 * time.Millisecond
)

// liveView keeps one live message in each chat that follows a session.
type liveView struct {
	*Controller

	messages map[chat.ID]*liveMessage
}

func newLiveView(c *Controller) *liveView {
	return &liveView{Controller: c, messages: map[chat.ID]*liveMessage{}}
}

// resumeMessages takes over the live messages that an earlier life of hermes did not finish.
func (v *liveView) resumeMessages() {
	v.sayFollowed()
	for _, chat := range v.chats.choose(func(s remote.ChatSettings) bool { return s.Live != 0 && v.chats.Home(s.Chat) }) {
		if v.messages[chat.Chat] != nil {
			continue
		}
		said, known := v.messageOf(chat.Chat, chat.Live)
		m := &liveMessage{
			chat: chat.Chat, topic: chat.Topic, message: chat.Live,
			about: target{session: said.Session, origin: said.Origin, title: said.Title},
		}
		v.messages[chat.Chat] = m
		if !known || m.isOutdated(chat) {
			v.finishMessage(m, ui.LiveLeft, false)
			continue
		}
		v.lookIn(m, warmUp)
	}
}

// matchSettings starts or ends the live message of a chat as its settings have it.
func (v *liveView) matchSettings(chat chat.ID) {
	settings := v.chats.settings(chat)
	if m := v.messages[chat]; m != nil && m.isOutdated(settings) {
		v.finishMessage(m, ui.LiveLeft, false)
	}
	v.sayFollowed()
	if settings.Follow && settings.Session != "" && v.mayFollow(settings) {
		v.ensureMessage(settings, 0)
	}
}

// following are the chats that follow a session, and may; empty: any.
func (v *liveView) following(id session.ID) []remote.ChatSettings {
	return slices.DeleteFunc(v.chats.following(id), func(s remote.ChatSettings) bool { return !v.mayFollow(s) })
}

func (v *liveView) mayFollow(s remote.ChatSettings) bool {
	return v.routes.isOpenIn(s.Chat, v.routes.homeOf(sessionInUse(s)))
}

// sayFollowed says which sessions to listen to while they work.
func (v *liveView) sayFollowed() {
	var ids []session.ID
	for _, chat := range v.following("") {
		if !slices.Contains(ids, chat.Session) {
			ids = append(ids, chat.Session)
		}
	}
	slices.Sort(ids)
	v.config.Follow(ids)
}

// ensureMessage gives the live message of a chat. A session that had none is looked at in a while.
func (v *liveView) ensureMessage(chat remote.ChatSettings, in time.Duration) *liveMessage {
	if m := v.messages[chat.Chat]; m != nil {
		return m
	}
	m := &liveMessage{chat: chat.Chat, topic: chat.Topic, about: sessionInUse(chat)}
	v.messages[chat.Chat] = m
	v.lookIn(m, in)
	return m
}

// advance does what is owed to a live message, and sets its alarm.
func (v *liveView) advance(m *liveMessage) {
	if v.messages[m.chat] != m {
		return
	}
	steps, wake := m.Next(time.Now())
	if slices.Contains(steps, lookStep) {
		v.startLook(m)
	}
	m.alarm.set(v.loop, wake, func() { v.advance(m) })
}

// lookIn has the session looked at in a while, and not before.
func (v *liveView) lookIn(m *liveMessage, in time.Duration) {
	m.lookAt = time.Now().Add(in)
	v.advance(m)
}

// takeEvent takes in what a session's OpenCode said, for those who follow it.
func (v *liveView) takeEvent(e event.Event) {
	switch e.Kind {
	case event.Worked:
		for _, chat := range v.following(e.Session) {
			v.ensureMessage(chat, followAfter).setResting(false)
		}
	case event.Spoke:
		for _, chat := range v.following(e.Session) {
			m := v.ensureMessage(chat, followAfter)
			if m.addSpoken(e.Spoken); m.shown {
				m.touch()
			}
		}
	case event.Rested, event.Failed:
		for _, chat := range v.following(e.Session) {
			if m := v.messages[chat.Chat]; m != nil {
				m.setResting(e.Kind == event.Rested)
				v.lookIn(m, v.config.IdleDelay+followSoon) // behind the message of the turn's end
			}
		}
	case event.Asked:
		v.lookAround(e.Origin, followSoon)
	case event.Replied, event.Rejected:
		v.lookAround(e.Origin, followSettled)
	case event.Opened:
		for _, chat := range v.following("") {
			if v.routes.mayHave(e.Origin, chat.Origin) {
				v.lookIn(v.ensureMessage(chat, followAfter), followAfter)
			}
		}
	}
}

// lookAround looks at what is followed in a directory: a subagent's ask is its session's.
func (v *liveView) lookAround(o session.Origin, in time.Duration) {
	for _, m := range v.messages {
		if m.about.origin.Directory == o.Directory && v.routes.believes(o, m.about.session) {
			v.lookIn(m, in)
		}
	}
}

// originLost looks at what was followed at an origin that cannot be reached any more. A
// link that only broke comes back at once.
func (v *liveView) originLost(o session.Origin, closed bool) {
	for _, m := range v.messages {
		if m.about.origin != o {
			continue
		}
		m.stale.closed = closed
		if closed {
			v.lookIn(m, 0)
		} else {
			v.lookIn(m, v.config.IdleDelay)
		}
	}
}

// startLook looks how the session stands.
func (v *liveView) startLook(m *liveMessage) {
	if !v.routes.isOpenIn(m.chat, v.routes.homeOf(m.about)) {
		v.finishMessage(m, ui.LiveLeft, false)
		return
	}
	m.looking, m.lookAt = true, time.Time{}
	along, id, wantsTurn := v.routes.toOpenIn(m.chat, m.about), m.about.session, m.wantsTurn()
	v.loop.Beside(func(ctx context.Context) func() {
		seen := v.observer.lookAtWork(ctx, along, id, wantsTurn)
		return func() { v.takeSight(m, seen) }
	})
}

// takeSight shows what a sight of the session means.
func (v *liveView) takeSight(m *liveMessage, s sight) {
	now := time.Now()
	m.looking = false
	if v.messages[m.chat] != m {
		return
	}
	if isDue(m.lookAt, now) {
		v.lookIn(m, followSoon)
		return
	}
	s.open = m.stale.isUncertain(&s, v.routes.runsAt(m.about), now)
	switch {
	case errors.Is(s.err, errGone):
		v.finishMessage(m, ui.LiveGone, false)
	case s.err != nil && m.stale.closed && errors.Is(s.err, errAway):
		v.finishMessage(m, ui.LiveClosed, false)
	case s.err != nil, s.open:
		v.showAway(m)
	case s.session.Busy:
		v.showWork(m, s)
	default:
		// The end of the turn is reported in a message of its own, unless the chat is
		// muted.
		if m.wasKilled(s.turn) {
			v.finishMessage(m, ui.LiveClosed, false)
			return
		}
		ended := func(of session.Session) ui.Text { return ui.LiveEnded(of, s.turn) }
		v.finishMessage(m, ended, !v.chats.settings(m.chat).Muted.After(now))
	}
}

// showAway shows that it is not known how the session stands.
func (v *liveView) showAway(m *liveMessage) {
	if !m.shown && m.message == 0 {
		m.alarm.stop()
		delete(v.messages, m.chat) // it begins anew when something is heard
		return
	}
	m.changeState(func(t *liveState) {
		if t.live = remote.LiveAway; t.session.ID == "" {
			t.session = m.about.asSession()
		}
	})
	v.showMessage(m)
	m.lookBy(followEvery)
	v.advance(m)
}

// showWork shows that the session works, or that it waits for a person.
func (v *liveView) showWork(m *liveMessage, s sight) {
	m.stale = staleTurn{}
	m.about = foundAt(s.route, s.session)
	m.changeState(func(t *liveState) {
		t.session, t.live = s.session, remote.LiveWorks
		if s.asks {
			t.live = remote.LiveWaits
		}
		if !s.turn.Began.IsZero() {
			t.turn.Began = s.turn.Began
			if t.turn.Text == "" {
				t.turn.Text = s.turn.Text
			}
		}
	})
	if m.shown || m.message != 0 || !s.asks { // what it waits for is a message already
		v.showMessage(m)
	}
	m.lookBy(followEvery)
	v.advance(m)
}

// showMessage shows how the session stands, in the message that there is or a new one.
func (v *liveView) showMessage(m *liveMessage) {
	if m.dead = m.dead || !v.chats.Home(m.chat); m.dead {
		return
	}
	if m.shown {
		m.touch()
		return
	}
	m.shown = true
	m.touch, m.end = v.config.Chat.Follow(outbound.LiveMessage{
		Chat: m.chat, Topic: m.topic, Message: m.message, Now: m.toShow,
		Shown: func(id chat.MessageID, err error) { v.loop.Post(func() { v.takeShown(m, id, err) }) },
	})
}

// finishMessage lets the message tell how it ended, for the last time, or has it go where that can be done.
func (v *liveView) finishMessage(m *liveMessage, tell func(session.Session) ui.Text, goes bool) {
	m.alarm.stop()
	if v.messages[m.chat] == m {
		delete(v.messages, m.chat)
	}
	if m.dead || !m.shown && m.message == 0 {
		return
	}
	m.setEnd(tell, goes)
	if v.showMessage(m); m.end != nil {
		m.end()
	}
}

// takeShown keeps which message it is, until that has told its end.
func (v *liveView) takeShown(m *liveMessage, id chat.MessageID, err error) {
	if v.chats.Current(m.chat) != m.chat {
		m.dead = true // it stays behind
		return
	}
	chats, ended := v.chats.settings(m.chat), m.hasEnded() && err == nil
	switch {
	case err == nil && id != 0 && m.message == 0:
		m.message = id
		if !ended {
			chats.Chat, chats.Live = m.chat, id
			v.keepSettings(storage.Change{ChatSettings: []remote.ChatSettings{chats}, MessageRefs: m.about.messages(m.chat, []chat.MessageID{id})})
		}
	case ended || err != nil && !retry.IsTemporary(err):
		m.dead = true
		if chats.Live != 0 && chats.Live == m.message {
			chats.Live = 0
			v.keepSettings(storage.Change{ChatSettings: []remote.ChatSettings{chats}})
		}
	}
	if err != nil {
		v.log.Debug("a live message was not shown", "chat", m.chat, "err", err)
	}
}

// keepSettings stores a change of one chat's settings.
func (v *liveView) keepSettings(c storage.Change) {
	v.commit(c)
	v.chats.put(c.ChatSettings[0])
}
