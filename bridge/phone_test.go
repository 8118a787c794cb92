package bridge_test

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hermes/question"
)

// phone is Telegram: what every chat shows.
type phone struct {
	w       *world
	mu      sync.Mutex
	last    question.PostedID
	screens map[question.ChatID]map[question.PostedID]*screen
	alerts  []question.Alert
	notes   []question.Note
	sent    map[question.UpdateID]question.Input
	slow    time.Duration                      // a post is on its way
	silent  []bool                             // first messages, in their order
	refuses func(question.Post) (bool, string) // posts that fail, with why nothing can be shown there; nil: none

	drawn map[drawing]int // the fewest asks that a card spoke of, by what its buttons carry
}

// drawing is what a button carries.
type drawing struct {
	thread question.ID
	rev    int
}

// draw notes what a card shows.
func (p *phone) draw(v question.View) {
	key := drawing{v.Thread, v.Step}
	if p.drawn == nil {
		p.drawn = map[drawing]int{}
	}
	if n, ok := p.drawn[key]; !ok || v.Count < n {
		p.drawn[key] = v.Count
	}
}

// screen is one message.
type screen struct {
	view  question.View
	stray bool // a copy that hermes has replaced by a later one
}

// phoneOf is the phone as one generation of the bridge reaches it.
type phoneOf struct {
	*phone
	dead *atomic.Bool
}

func (p phoneOf) Show(post question.Post, done func(question.Shown)) {
	slow := p.slow
	go func() {
		time.Sleep(slow)
		done(p.show(post))
	}()
}

func (p phoneOf) show(post question.Post) question.Shown {
	f := p.w.fate("show", p.dead)
	view := post.View()
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := question.Shown{Messages: post.Messages, Rev: view.Rev, Err: f.err, Unknown: f.err != nil}
	if p.refuses != nil {
		if no, lost := p.refuses(post); no {
			return question.Shown{Err: errFault, Lost: lost}
		}
	}
	if !f.apply {
		return shown
	}
	if len(post.Messages) == 0 {
		p.silent = append(p.silent, post.Silent)
	}
	id := p.put(post, view)
	if f.err == nil {
		shown.Messages = []question.PostedID{id}
		if len(post.Messages) == 0 {
			shown.At = time.Now().Truncate(time.Second)
		}
	}
	return shown
}

// put shows the view: in the message that is there, or in a new one. A card that
// is sent again neutralises the copies of which hermes does not know.
func (p *phone) put(post question.Post, view question.View) question.PostedID {
	p.draw(view)
	chat := p.screens[post.Chat]
	if chat == nil {
		chat = map[question.PostedID]*screen{}
		p.screens[post.Chat] = chat
	}
	if len(post.Messages) > 0 {
		chat[post.Messages[0]].view = view
		return post.Messages[0]
	}
	for _, s := range chat {
		if post.Again && s.view.Thread == view.Thread {
			s.stray = true
		}
	}
	p.last++
	chat[p.last] = &screen{view: view}
	return p.last
}

func (p phoneOf) Note(n question.Note, done func(question.PostedID, error)) {
	f := p.w.fate("note", p.dead)
	p.mu.Lock()
	p.last++
	id := p.last
	if f.apply {
		p.notes = append(p.notes, n)
	}
	p.mu.Unlock()
	go done(id, f.err)
}

func (p phoneOf) Answer(_ string, a question.Alert, _ string) {
	p.w.turns.Load()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dead.Load() {
		p.alerts = append(p.alerts, a)
	}
}

// find is the newest message about a request in a chat.
func (p *phone) find(chat question.ChatID, id question.RequestID) (question.PostedID, question.View, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []question.PostedID
	for m, s := range p.screens[chat] {
		if s.view.Request.ID == id && !s.stray {
			ids = append(ids, m)
		}
	}
	if len(ids) == 0 {
		return 0, question.View{}, false
	}
	last := slices.Max(ids)
	return last, p.screens[chat][last].view, true
}

// press taps what the newest message about the request offers. It reports false
// when there is none.
func (w *world) press(chat question.ChatID, user question.UserID, id question.RequestID, m question.Move) bool {
	message, view, ok := w.chat.find(chat, id)
	if !ok {
		return false
	}
	m.Rev = view.Step
	w.input(question.Input{
		Kind: question.Tapped, Chat: chat, Private: true, Message: message, Callback: "cb",
		User: question.User{ID: user, Name: name(user)}, Thread: view.Thread, Move: m,
	})
	return true
}

func (w *world) say(chat question.ChatID, user question.UserID, replyTo question.PostedID, text string) {
	w.input(question.Input{
		Kind: question.Typed, Chat: chat, Private: true, Message: 1 << 20, Text: text, ReplyTo: replyTo,
		Sent: time.Now().Truncate(time.Second),
		User: question.User{ID: user, Name: name(user)},
	})
}

// input goes the way of a real update: into the inbox, then to the bridge.
func (w *world) input(in question.Input) {
	w.update++
	in.Update = w.update
	w.inputs = append(w.inputs, input{time.Now(), in})
	if w.chat.sent == nil {
		w.chat.sent = map[question.UpdateID]question.Input{}
	}
	w.chat.sent[in.Update] = in
	if _, err := w.store.Put([]question.Update{{ID: in.Update, Raw: []byte("{}")}}); err != nil {
		w.t.Fatal(err)
	}
	w.bridge.Handle(w.context(), in)
}

func name(u question.UserID) string {
	names := map[question.UserID]string{ada: "Ada", dana: "Dana", eve: "Eve", cleo: "Cleo"}
	return cmp.Or(names[u], "Bob")
}
