package daemon

import (
	"cmp"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hermes/internal/api"
	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/internal/session"
	"hermes/internal/storage"
	"hermes/opencode/link"
	"hermes/pending"
)

// seenEvery is how often it is stored at most that a link is in use.
const seenEvery = 10 * time.Minute

// storeUsesAfter is how long it is collected which links are in use, until that is stored.
const storeUsesAfter = 5 * time.Second

// linkTokens knows the tokens with which plugins open links: those of the store, in memory, because every request of a plugin
// asks. It is safe for concurrent use.
type linkTokens struct {
	store pending.Links
	log   *slog.Logger

	mu     sync.Mutex
	byHash map[link.Hash]*knownLink
	byID   map[string]*knownLink // the same ones
	warned map[string]bool       // hosts whose plugins have the API's token
	used   []string              // ids of links of which it is not stored yet that they are in use
	timer  *time.Timer           // until that is stored
	closed bool

	storing sync.Mutex // held while that is stored
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
	t := &linkTokens{store: store, log: log, byHash: map[link.Hash]*knownLink{}, byID: map[string]*knownLink{}, warned: map[string]bool{}}
	for _, l := range list {
		t.know(&knownLink{l, l.Seen})
	}
	return t, nil
}

// know takes in a link; the caller has the lock, but at the start.
func (t *linkTokens) know(l *knownLink) { t.byHash[l.Hash], t.byID[l.ID] = l, l }

// named finds a link by its name, nil if there is none; the caller has the lock.
func (t *linkTokens) named(name string) *knownLink {
	for _, l := range t.byID {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// find finds the id of the link whose token has this hash.
func (t *linkTokens) find(h link.Hash) (id string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.byHash[h]
	if !ok {
		return "", false
	}
	return l.ID, true
}

// add makes a link. Its token is returned here and never again.
func (t *linkTokens) add(in api.NewLink, by question.Actor) (secret.Text, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	token, l, err := api.AddLink(t.store, in, by)
	if err != nil {
		return "", err
	}
	t.know(&knownLink{Link: l})
	return token, nil
}

// redeem makes the link of a code, as pending.Links.Redeem does.
func (t *linkTokens) redeem(x pending.Exchange, may func(chat.UserID) bool) (storage.LinkCode, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, l, err := t.store.Redeem(x, time.Now(), may)
	if err == nil && t.byHash[l.Hash] == nil {
		t.know(&knownLink{Link: l})
	}
	return c, err
}

// revoke forgets a link, and returns its id. When it returns without an error no request with its token is let through any more; links
// that are open are for the caller to end.
func (t *linkTokens) revoke(name string, by question.Actor) (id string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.store.Remove(name, api.LinkEntry(storage.EntryUnlinked, name, by)); err != nil {
		return "", err
	}
	if l := t.named(name); l != nil {
		id = l.ID
		t.forget(l)
	}
	return id, nil
}

// revokeOwn is revoke of the link of this id, if it is this person's, and returns its name; empty: it is not, or there is none.
func (t *linkTokens) revokeOwn(id string, owner chat.UserID, by question.Actor) (name string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.byID[id]
	if l == nil || l.Owner != owner || owner == 0 {
		return "", nil
	}
	if err := t.store.Remove(l.Name, api.LinkEntry(storage.EntryUnlinked, l.Name, by)); err != nil {
		return "", err
	}
	t.forget(l)
	return l.Name, nil
}

// forget is know, undone; the caller has the lock.
func (t *linkTokens) forget(l *knownLink) {
	delete(t.byHash, l.Hash)
	delete(t.byID, l.ID)
}

// rename gives a link another name. What is open with it goes on, and what it asks is for the caller to tell.
func (t *linkTokens) rename(name, next string, by question.Actor) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.store.Rename(name, next, api.RenameEntry(name, next, by)); err != nil {
		return err
	}
	if l := t.named(name); l != nil {
		l.Name, l.ByMachine = next, false
	}
	return nil
}

// setOwner gives a link to a person, or to nobody (0). What is open with it is for the caller to tell.
func (t *linkTokens) setOwner(name string, owner chat.UserID, by question.Actor) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.store.SetOwner(name, owner, api.OwnerEntry(name, owner, by)); err != nil {
		return err
	}
	if l := t.named(name); l != nil {
		l.Owner = owner
	}
	return nil
}

// OwnerOf is whose link this is, by its id, 0 for nobody; false: there is no such link now. "" is the API's token, which is nobody's.
func (t *linkTokens) OwnerOf(id string) (chat.UserID, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.byID[id]; l != nil {
		return l.Owner, true
	}
	return 0, id == ""
}

// NameOf is what a link is called, by its id; of one that was revoked, what it was called when it was made.
func (t *linkTokens) NameOf(id string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.byID[id]; l != nil {
		return l.Name
	}
	return session.FirstName(id)
}

// NamedByMachine reports whether nobody but its machine has said what the link of this id is called. What is said of a link that was
// revoked is said of what nobody can ask any more, and takes no rule away.
func (t *linkTokens) NamedByMachine(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.byID[id]
	return id != "" && (l == nil || l.ByMachine)
}

// withNames are hellos of links, with the names of the links in place of their ids.
func (t *linkTokens) withNames(list []link.Hello) []link.Hello {
	list = slices.Clone(list)
	for i := range list {
		list[i].Token = t.NameOf(list[i].Token)
	}
	return list
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

// noteUse notes that a link is in use. It is stored every ten minutes, with that of all others of the next seconds: when hermes starts,
// all links come at once, and a commit for each would hold up what is asked. It waits for nothing.
func (t *linkTokens) noteUse(of *link.Link) { t.noteHello(of.Hello()) }

func (t *linkTokens) noteHello(hello link.Hello) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.markSeen(hello, time.Now()) {
		return
	}
	t.used = append(t.used, hello.Token)
	if len(t.used) == 1 && !t.closed {
		t.timer = time.AfterFunc(storeUsesAfter, t.storeUses)
	}
}

// storeUses stores which links are in use.
func (t *linkTokens) storeUses() {
	t.storing.Lock()
	defer t.storing.Unlock()
	used := t.takeUsed()
	if len(used) == 0 {
		return
	}
	if err := t.store.NoteUse(used...); err != nil {
		t.log.Warn("it was not stored which links are in use", "links", len(used), "err", err)
	}
}

// takeUsed takes the links whose use is to be stored.
func (t *linkTokens) takeUsed() (list []pending.Link) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range t.used {
		if l := t.byID[id]; l != nil {
			list = append(list, l.Link)
		}
	}
	t.used = nil
	return list
}

// close stores what is not stored yet. Nothing writes to the store when it has returned.
func (t *linkTokens) close() {
	t.mu.Lock()
	t.closed = true
	if t.timer != nil {
		t.timer.Stop()
	}
	t.mu.Unlock()
	t.storeUses()
}

// markSeen notes that a link is in use, and reports whether to store that; the caller has the lock.
func (t *linkTokens) markSeen(hello link.Hello, now time.Time) (due bool) {
	if hello.Token == "" {
		t.warnOnce(hello.Host)
		return false
	}
	l := t.byID[hello.Token]
	if l == nil {
		return false
	}
	l.Seen, l.Host = now, hello.Host
	if due = now.Sub(l.stored) >= seenEvery; due {
		l.stored = now
	}
	return due
}

// isValid reports whether the link of this id was made and not revoked; "" is the API's token.
func (t *linkTokens) isValid(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byID[id] != nil || id == ""
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
	slices.SortStableFunc(list, func(a, b pending.Link) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
