package sessions

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/outbound"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/telegram/ui"
)

// deliver makes one try to bring a prompt to its session. It runs beside the loop.
func (q *promptQueue) deliver(ctx context.Context, p *queuedPrompt, owed remote.QueuedPrompt, along []route) outcome {
	at, s, err := findSession(ctx, along, owed.Prompt.Session)
	if err != nil {
		return outcome{}.failWith(err)
	}
	o := outcome{route: at, session: s}
	if owed.Prompt.ID != "" {
		there, err := at.Prompted(ctx, s.ID, owed.Prompt.ID)
		if there {
			o.end = endOfTaken(owed.Prompt, false, false)
			return o
		}
		if err != nil {
			return outcome{err: err}
		}
	}
	if owed.Restored {
		o.end = remote.PromptBefore
		return o
	}
	prompt, err := q.writeDown(ctx, p, owed)
	if err == nil {
		prompt, err = q.files.fillFiles(ctx, prompt)
	}
	if err == nil && prompt.ID == "" {
		prompt, err = q.giveID(ctx, p, prompt, at)
	}
	if err == nil && !owed.Quotes {
		prompt, err = withMentions(ctx, at, prompt)
	}
	if err == nil {
		o.session = lookAfterFetching(ctx, at, s, owed.Prompt)
		o.asks = q.observer.asksOf(ctx, s.ID, at.Origin)
		err = at.Prompt(ctx, prompt)
	}
	if errors.Is(err, session.ErrLateID) { // the session has gone on, without it
		if prompt, err = q.giveID(ctx, p, prompt, at); err == nil {
			err = at.Prompt(ctx, prompt)
		}
	}
	return q.proveTaken(ctx, o, prompt, err)
}

// giveID gives a prompt an id and stores it: from then on the session may have it.
func (q *promptQueue) giveID(ctx context.Context, p *queuedPrompt, prompt session.Prompt, at Prompter) (session.Prompt, error) {
	id, err := at.NextID(ctx, prompt.Session)
	if err != nil {
		return prompt, err
	}
	prompt.ID = id
	return prompt, q.alterPrompt(ctx, p, func(next *remote.QueuedPrompt) { next.Prompt.ID = id })
}

// alterPrompt stores a prompt otherwise than it was, and what that was for. It is called
// beside the loop, and waits for it.
func (q *promptQueue) alterPrompt(ctx context.Context, p *queuedPrompt, how func(*remote.QueuedPrompt), entries ...storage.Entry) error {
	return q.loop.Do(ctx, func() {
		next := p.QueuedPrompt
		how(&next)
		q.commit(storage.Change{Prompts: []remote.QueuedPrompt{next}, Entries: entries})
		p.QueuedPrompt = next
	})
}

// alterPart stores a part of a prompt otherwise than it was.
func (q *promptQueue) alterPart(ctx context.Context, p *queuedPrompt, i int, part session.Part, entries ...storage.Entry) error {
	return q.alterPrompt(ctx, p, func(next *remote.QueuedPrompt) {
		next.Prompt.Parts = slices.Clone(next.Prompt.Parts)
		next.Prompt.Parts[i] = part
	}, entries...)
}

// writeDown has what is said in a prompt written down. The words are stored before they are
// shown, and shown before the prompt is sent: what people read is what the agent gets. A
// crash in between shows them again, at worst. It runs beside the loop.
func (q *promptQueue) writeDown(ctx context.Context, p *queuedPrompt, owed remote.QueuedPrompt) (session.Prompt, error) {
	prompt := owed.Prompt
	prompt.Parts = slices.Clone(prompt.Parts)
	for i, part := range prompt.Parts {
		if part.Spoken && part.File != "" {
			text, err := q.files.hearPart(ctx, part)
			if err != nil {
				return prompt, err
			}
			part = session.Part{Text: text, Spoken: true}
			err = q.alterPart(ctx, p, i, part, storage.Entry{
				Kind: storage.EntryHeard, Thread: owed.ID, Session: prompt.Session, By: owed.By, Note: text,
			})
			if err != nil {
				return prompt, err
			}
		}
		if part.Spoken {
			q.showWords(ctx, p, part.Text)
			part.Spoken = false
			if err := q.alterPart(ctx, p, i, part); err != nil {
				return prompt, err
			}
		}
		prompt.Parts[i] = part
	}
	return prompt, nil
}

// showWords shows what was said, and waits until it is shown or cannot be.
func (q *promptQueue) showWords(ctx context.Context, p *queuedPrompt, text string) {
	shown := make(chan struct{})
	q.loop.Post(func() {
		t := outbound.Message{Chat: p.Chat, Topic: p.Topic, ReplyTo: p.Message, Lang: p.Lang, Text: ui.Heard(text)}
		q.tell(t, p.target(), func([]chat.MessageID, error) { close(shown) })
	})
	select {
	case <-shown:
	case <-ctx.Done():
	}
}

// lookAfterFetching is how the session stands when the files of its prompt have been fetched:
// that takes minutes at worst, and the report on the prompt depends on it.
func lookAfterFetching(ctx context.Context, at Reader, before session.Session, owed session.Prompt) session.Session {
	if slices.ContainsFunc(owed.Parts, func(p session.Part) bool { return p.File != "" }) {
		if now, err := at.Session(ctx, before.ID); err == nil {
			return now
		}
	}
	return before
}

var errUnproven = errors.New("OpenCode took the prompt and does not have it")

// proveTaken tells what a try has come to. Only a look at the session proves it. Its error is
// loop.ErrEnded if hermes ends before that is known.
func (q *promptQueue) proveTaken(ctx context.Context, o outcome, p session.Prompt, err error) outcome {
	if err != nil {
		return o.failWith(err)
	}
	var ending error
	for _, wait := range []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond, time.Second} {
		if ending != nil {
			return outcome{err: ending}
		}
		ending = q.pause(wait) // then there is one more look
		if there, err := o.route.Prompted(ctx, p.Session, p.ID); err == nil && there {
			o.end = endOfTaken(p, o.session.Busy, len(o.asks) > 0)
			return o
		}
	}
	return outcome{err: errUnproven}
}

// mention is how a person names an agent in a prompt.
var mention = regexp.MustCompile(`(?:^|\s)@([A-Za-z0-9][A-Za-z0-9_.-]*)`)

// withMentions adds to a prompt the agents that its text mentions and OpenCode has; all
// else with an @ is text.
func withMentions(ctx context.Context, at Catalogue, p session.Prompt) (session.Prompt, error) {
	if p.Command != "" || len(p.Parts) == 0 {
		return p, nil
	}
	found := mention.FindAllStringSubmatch(p.Parts[0].Text, -1)
	if len(found) == 0 {
		return p, nil
	}
	agents, err := at.Subagents(ctx)
	if err != nil {
		return p, err
	}
	p.Parts = slices.Clone(p.Parts)
	for _, m := range found {
		part := session.Part{Agent: strings.TrimRight(m[1], ".")}
		isSame := func(o session.Part) bool { return o.Agent == part.Agent }
		if slices.Contains(agents, part.Agent) && !slices.ContainsFunc(p.Parts, isSame) {
			p.Parts = append(p.Parts, part)
		}
	}
	return p, nil
}
