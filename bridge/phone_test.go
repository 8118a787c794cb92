package bridge_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/outbound"
	"hermes/internal/question"
	"hermes/internal/storage"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// phone is Telegram: what every chat shows.
type phone struct {
	w          *world
	mu         sync.Mutex
	last       chat.MessageID
	screens    map[chat.ID]map[chat.MessageID]*screen
	alerts     []string // what taps were answered with, in English
	notes      []note
	sent       map[chat.UpdateID]inbound.Input
	slow       time.Duration // a post waits in its chat's queue
	slowResult time.Duration // a post is on screen, and hermes does not know it yet
	slowBox    time.Duration // a reply box is
	boxes      map[chat.MessageID]*box
	unreminded []chat.MessageID                   // reminders that were taken away
	silent     []bool                             // first messages, in their order
	refuses    func(outbound.Post) (bool, string) // posts that fail, with why nothing can be shown there; nil: none
	noFiles    chat.ID                            // the chat that takes no files; 0: none
	waits      map[chat.ID]time.Duration          // what Telegram says then: not before

	wrong []string       // what must not be
	tried map[tried]bool // what may be in a chat, as a sending was tried

	drawn map[drawing]int // the fewest asks that a card spoke of, by what its buttons carry
}

// note is a message beside the cards, in English.
type note struct {
	chat    chat.ID
	replyTo chat.MessageID
	text    string
}

func english() ui.Reader { return ui.Reader{Words: words.For("en"), Now: time.Now()} }

// told is what a tap is answered with.
func told(say ui.Line) string { return say.Alert(english()) }

// noted is what a message says.
func noted(text ui.Text) string { return text(english()).Parts[0].String() }

// wasNoted counts the messages that say it.
func (w *world) wasNoted(say ui.Line) (n int) {
	w.chat.mu.Lock()
	defer w.chat.mu.Unlock()
	for _, one := range w.chat.notes {
		if one.text == noted(say.Text()) {
			n++
		}
	}
	return n
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

// tried is a thread that a chat may show.
type tried struct {
	chat   chat.ID
	thread question.ID
}

// try notes that a new message of a thread may be in a chat from now on. The first of an ask
// that has ended is one too many: nobody saw it ask.
func (p *phone) try(post outbound.Post, v question.View, certain bool) {
	key := tried{post.Chat, v.Thread}
	if v.Outcome != nil && v.Request.Permission == nil && !p.tried[key] && !certain {
		p.wrong = append(p.wrong, fmt.Sprintf("chat %d is told how %s ended, which it never saw", post.Chat, v.Request.ID))
	}
	if p.tried == nil {
		p.tried = map[tried]bool{}
	}
	p.tried[key] = p.tried[key] || !certain
}

// screen is one message.
type screen struct {
	view question.View
	lost bool // hermes was not told that it was sent, or was killed before it had stored that
}

// isCopy reports whether a message is one that hermes does not know of. That may be so of a lost one alone.
func (w *world) isCopy(chat chat.ID, id chat.MessageID, s *screen) bool {
	w.t.Helper()
	_, known, err := w.store.Find(storage.Key{Chat: chat, Message: id})
	if err != nil || !known && !s.lost {
		w.t.Errorf("message %d in chat %d was confirmed, and hermes does not know of it: %v", id, chat, err)
	}
	return !known
}

// tapCopies taps each copy, with a button that has never been on screen, so that it decides nothing. The taps of asks that
// have ended are told so.
func (w *world) tapCopies() {
	w.t.Helper()
	for chatID, screens := range w.chat.screens {
		for _, id := range slices.Sorted(maps.Keys(screens)) {
			if s := screens[id]; w.isCopy(chatID, id, s) {
				w.tapCopy(chatID, id, s)
			}
		}
	}
}

func (w *world) tapCopy(chatID chat.ID, id chat.MessageID, s *screen) {
	w.t.Helper()
	t, _, err := w.store.Find(storage.Key{ID: s.view.Thread})
	before, user := len(w.chat.alerts), map[chat.ID]chat.UserID{adaChat: ada}[chatID]
	w.input(inbound.Input{
		Kind: inbound.Tapped, Chat: chatID, Private: true, Message: id, Callback: "cb", User: chat.User{ID: cmp.Or(user, bob)},
		Thread: s.view.Thread, Move: question.WizardInput{Action: question.Go, Rev: -1},
	})
	w.wait(5 * time.Second)
	got := w.chat.alerts[before:]
	if err != nil || len(got) != 1 || got[0] == told(ui.NoSuchAsk()) || t.Outcome != nil && got[0] != told(ui.HowItStands(t.View())) {
		w.t.Errorf("who tapped a copy of %s, which is %+v, was told %q, %v", t.Request.ID, t.Outcome, got, err)
	}
	if w.isCopy(chatID, id, s) {
		w.t.Errorf("message %d in chat %d of %s was tapped, and is still unknown", id, chatID, t.Request.ID)
	}
}

// phoneOf is the phone as one generation of the bridge reaches it.
type phoneOf struct {
	*phone
	dead *atomic.Bool
}

func (p phoneOf) Show(post outbound.Post, done func(outbound.Shown)) {
	slow, slowResult := p.slow, p.slowResult
	go func() {
		time.Sleep(slow)
		shown := p.show(post)
		time.Sleep(slowResult)
		done(shown)
	}()
}

func (p phoneOf) show(post outbound.Post) outbound.Shown {
	view, wanted := post.View()
	if !wanted {
		return outbound.Shown{}
	}
	f := p.w.fate("show", p.dead)
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := outbound.Shown{
		Messages: post.Messages, Rev: view.Rev, Err: f.err, Unfiled: post.Chat == p.noFiles,
	}
	if p.refuses != nil {
		if no, lost := p.refuses(post); no {
			return outbound.Shown{Err: errFault, Refused: lost, RetryAfter: p.waits[post.Chat]}
		}
	}
	if len(post.Messages) == 0 {
		p.try(post, view, f.certain)
	}
	if !f.apply {
		return shown
	}
	if len(post.Messages) == 0 {
		p.silent = append(p.silent, post.Silent)
	}
	id := p.put(post, view, f.err != nil)
	if f.err == nil {
		shown.Messages = []chat.MessageID{id}
		if len(post.Messages) == 0 {
			shown.At = time.Now().Truncate(time.Second)
		}
	}
	return shown
}

// put shows the view: in the message that is there, or in a new one. One whose sending
// seems to have failed stays as a copy of which hermes does not know.
func (p *phone) put(post outbound.Post, view question.View, lost bool) chat.MessageID {
	p.draw(view)
	chats := p.screens[post.Chat]
	if chats == nil {
		chats = map[chat.MessageID]*screen{}
		p.screens[post.Chat] = chats
	}
	if len(post.Messages) > 0 {
		chats[post.Messages[0]].view = view
		return post.Messages[0]
	}
	p.last++
	chats[p.last] = &screen{view: view, lost: lost}
	return p.last
}

func (p phoneOf) Tell(n outbound.Message, done func(outbound.MessageShown)) {
	f := p.w.fate("note", p.dead)
	p.mu.Lock()
	p.last++
	id := p.last
	if f.apply {
		p.notes = append(p.notes, note{n.Chat, n.ReplyTo, noted(n.Text)})
	}
	p.mu.Unlock()
	go done(outbound.MessageShown{Messages: []chat.MessageID{id}, Err: f.err})
}

func (p phoneOf) Answer(_ string, say ui.Line, _ string) {
	p.w.turns.Load()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dead.Load() {
		p.alerts = append(p.alerts, told(say))
	}
}

// find is the newest message about a request in a chat.
func (p *phone) find(chatID chat.ID, id question.RequestID) (chat.MessageID, question.View, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []chat.MessageID
	for m, s := range p.screens[chatID] {
		if s.view.Request.ID == id {
			ids = append(ids, m)
		}
	}
	if len(ids) == 0 {
		return 0, question.View{}, false
	}
	last := slices.Max(ids)
	return last, p.screens[chatID][last].view, true
}

// press taps what the newest message about the request offers. It reports false
// when there is none.
func (w *world) press(chatID chat.ID, user chat.UserID, id question.RequestID, m question.WizardInput) bool {
	message, view, ok := w.chat.find(chatID, id)
	if !ok {
		return false
	}
	m.Rev = view.Step
	w.input(inbound.Input{
		Kind: inbound.Tapped, Chat: chatID, Private: true, Message: message, Callback: "cb",
		User: chat.User{ID: user, Name: name(user)}, Thread: view.Thread, Move: m,
	})
	return true
}

// dismiss dismisses a question, in both steps.
func (w *world) dismiss(chatID chat.ID, user chat.UserID, id question.RequestID) {
	w.press(chatID, user, id, question.WizardInput{Action: question.Dismiss})
	w.wait(50 * time.Millisecond)
	w.press(chatID, user, id, question.WizardInput{Action: question.Dismiss, On: true})
}

func (w *world) say(chatID chat.ID, user chat.UserID, replyTo chat.MessageID, text string) {
	w.input(inbound.Input{
		Kind: inbound.Typed, Chat: chatID, Private: true, Message: 1 << 20, Text: text, ReplyTo: replyTo,
		Sent: time.Now().Truncate(time.Second),
		User: chat.User{ID: user, Name: name(user)},
	})
}

// input goes the way of a real update: into the inbox, then to the intake.
func (w *world) input(in inbound.Input) {
	w.update++
	in.Update = w.update
	w.inputs = append(w.inputs, input{time.Now(), in})
	if w.chat.sent == nil {
		w.chat.sent = map[chat.UpdateID]inbound.Input{}
	}
	w.chat.sent[in.Update] = in
	if _, err := w.store.Put([]chat.Update{{ID: in.Update, Raw: []byte("{}")}}); err != nil {
		w.t.Fatal(err)
	}
	w.intake.Handle(w.t.Context(), in)
}

func name(u chat.UserID) string {
	names := map[chat.UserID]string{ada: "Ada", dana: "Dana", eve: "Eve", cleo: "Cleo"}
	return cmp.Or(names[u], "Bob")
}

// box is a reply box that somebody has seen.
type box struct {
	outbound.BoxPost
	removed bool
}

func (p phoneOf) Box(post outbound.BoxPost, done func(question.BoxDone)) {
	slow := p.slowBox
	go func() {
		time.Sleep(slow)
		done(p.box(post))
	}()
}

func (p phoneOf) box(post outbound.BoxPost) question.BoxDone {
	op := "box"
	if post.Message != 0 {
		op = "unbox"
	}
	f := p.w.fate(op, p.dead)
	p.mu.Lock()
	defer p.mu.Unlock()
	d := question.BoxDone{Err: f.err, Unknown: f.err != nil && f.apply}
	if !f.apply {
		return d
	}
	if post.Reminder {
		p.unreminded = append(p.unreminded, post.Message)
		return d
	}
	if post.Message != 0 {
		p.boxes[post.Message].removed = true
		return d
	}
	p.last++
	if p.boxes == nil {
		p.boxes = map[chat.MessageID]*box{}
	}
	p.boxes[p.last] = &box{BoxPost: post}
	if f.err == nil {
		d.ID = p.last
	}
	return d
}

// openBoxes are the boxes that are there.
func (p *phone) openBoxes() []chat.MessageID {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []chat.MessageID
	for id, b := range p.boxes {
		if !b.removed {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
