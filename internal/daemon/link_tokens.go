package daemon

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/pending"
)

// seenEvery is how often it is stored at most that a link is in use.
const seenEvery = 10 * time.Minute

// linkTokens knows the tokens with which plugins open links: those of the store, in memory, because every request of a plugin
// asks. It is safe for concurrent use.
type linkTokens struct {
	store pending.Links
	log   *slog.Logger

	mu     sync.Mutex
	byHash map[link.Hash]*knownLink
	warned map[string]bool // hosts whose plugins have the API's token
}

// knownLink is one link, with what the store does not have yet.
type knownLink struct {
	pending.Link
	stored time.Time // the Seen that is in the store
}

func newLinkTokens(store pending.Links, log *slog.Logger) (*linkTokens, error) {
	list, err := store.All()
	if err != nil {
		return nil, err
	}
	t := &linkTokens{store: store, log: log, byHash: map[link.Hash]*knownLink{}, warned: map[string]bool{}}
	for _, l := range list {
		t.byHash[l.Hash] = &knownLink{l, l.Seen}
	}
	return t, nil
}

// nameOf finds a token by its hash.
func (t *linkTokens) nameOf(h link.Hash) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.byHash[h]
	if !ok {
		return "", false
	}
	return l.Name, true
}

// add makes a link. Its token is returned here and never again.
func (t *linkTokens) add(in api.NewLink, by question.Actor) (secret.Text, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	token, l, err := api.AddLink(t.store, in, by)
	if err != nil {
		return "", err
	}
	t.byHash[l.Hash] = &knownLink{Link: l}
	return token, nil
}

// revoke forgets a link. When it returns without an error no request with its token is let through any more; links that are open
// are for the caller to end.
func (t *linkTokens) revoke(name string, by question.Actor) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.store.Remove(name, api.LinkEntry(storage.EntryUnlinked, name, by)); err != nil {
		return err
	}
	maps.DeleteFunc(t.byHash, func(_ link.Hash, l *knownLink) bool { return l.Name == name })
	return nil
}

// setOwner gives a link to a person, or to nobody (0). What is open with it is for the caller to tell.
func (t *linkTokens) setOwner(name string, owner chat.UserID, by question.Actor) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.store.SetOwner(name, owner, api.OwnerEntry(name, owner, by)); err != nil {
		return err
	}
	for _, l := range t.byHash {
		if l.Name == name {
			l.Owner = owner
		}
	}
	return nil
}

// OwnerOf is whose link this is, 0 for nobody; false: there is no such link now. "" is the API's token, which is nobody's.
func (t *linkTokens) OwnerOf(name string) (chat.UserID, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.byHash {
		if l.Name == name {
			return l.Owner, true
		}
	}
	return 0, name == ""
}

// Owns reports whether the person has a link.
func (t *linkTokens) Owns(id chat.UserID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.byHash {
		if l.Owner == id {
			return true
		}
	}
	return false
}

// noteUse notes that a link is in use. It is stored every ten minutes, and while nothing waits for it: every request of every machine
// needs the lock. A store that fails is no reason to end the link: the next time is soon.
func (t *linkTokens) noteUse(of *link.Link) {
	l, due := t.markSeen(of.Hello(), time.Now())
	if !due {
		return
	}
	if err := t.store.NoteUse(l.Name, l.Seen, l.Host); err != nil {
		t.log.Warn("it was not stored that a link is in use", "link", l.Name, "err", err)
	}
}

// markSeen notes that a link is in use, and reports whether to store that now.
func (t *linkTokens) markSeen(hello link.Hello, now time.Time) (seen pending.Link, due bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if hello.Token == "" {
		t.warnOnce(hello.Host)
		return seen, false
	}
	for _, l := range t.byHash {
		if l.Name != hello.Token {
			continue
		}
		l.Seen, l.Host = now, hello.Host
		if due = now.Sub(l.stored) >= seenEvery; due {
			l.stored = now
		}
		return l.Link, due
	}
	return seen, false
}

// isValid reports whether the token of this name was made and not revoked; "" is the API's.
func (t *linkTokens) isValid(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.byHash {
		if l.Name == name {
			return true
		}
	}
	return name == ""
}

// warnedHosts bounds for how many hosts it is remembered that the log has the warning.
const warnedHosts = 1000

// warnOnce says once for each host that its plugin has more than it needs.
func (t *linkTokens) warnOnce(host string) {
	if t.warned[host] || len(t.warned) >= warnedHosts {
		return
	}
	t.warned[host] = true
	t.log.Warn("an OpenCode links with the API's token, which its agents can read; run hermes plugin install there, or hermes link add here and give it that token", "host", host)
}

// list is what is known of all links, by name.
func (t *linkTokens) list() []pending.Link {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]pending.Link, 0, len(t.byHash))
	for _, l := range t.byHash {
		list = append(list, l.Link)
	}
	slices.SortFunc(list, func(a, b pending.Link) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
