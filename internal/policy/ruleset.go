package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// Ruleset holds people and rules. It never changes, and may be used concurrently.
type Ruleset struct {
	people  map[chat.UserID]Person
	rules   []conditionalRule // in the file's order
	targets []Target          // for what no rule sends elsewhere
	open    bool              // everybody in it may answer everything, with a role or without
	drivers []string          // the roles that may drive sessions
}

// Count is how many rules there are.
func (r *Ruleset) Count() int { return len(r.rules) }

// conditionalRule is a rule and when it fits.
type conditionalRule struct {
	Rule
	when    conditions
	toOwner bool // its chats name the owner's
}

// Person is somebody who is known.
type Person struct {
	ID    chat.UserID
	Name  string
	Roles []string // may be empty: then the person may not answer
}

// Target is a chat, or a topic of a forum.
type Target struct {
	Chat  chat.ID
	Topic int // 0: none
}

// String is the target as the file has it: -1001234567890/5.
func (t Target) String() string {
	if t == ownersTarget {
		return toOwner
	}
	if t.Topic == 0 {
		return strconv.FormatInt(int64(t.Chat), 10)
	}
	return fmt.Sprintf("%d/%d", t.Chat, t.Topic)
}

// Rule is what to do with an ask.
type Rule struct {
	Name      string     // empty: no rule of the file fits
	Roles     []string   // who may answer; empty: everybody with a role
	AlsoRoles [][]string // of each of these too, who answers must have a role
	Approvals int        // how many different people must approve; at least 1
	Targets   []Target   // where it is shown
	OwnChats  bool       // Targets are the rule's own, and not those that get everything else

	// Owner is whose agent asks; 0: the link has no owner, or there is none. OwnerOnly: nobody
	// else may answer. NotOwner: the owner may not.
	Owner     chat.UserID
	OwnerOnly bool
	NotOwner  bool

	Claim      time.Duration
	Exclusive  bool // while it is claimed, nobody else may answer
	Escalation []Escalation
	Quiet      Hours

	AutoDecision                 // what is decided without people, if anything is
	Notify       bool            // what the rule has decided is shown at its end
	Timeout      time.Duration   // how long people have; 0: as configured
	OnTimeout    question.Expiry // what happens then; empty: as configured
	Remind       []time.Duration // ascending, after the first showing; nil: at half time and before the end
	Undo         *time.Duration  // how long a decision is held, to be taken back; nil: as configured

	// Unsure: a rule that counts looks at something that is not known of the ask yet. Then
	// nothing may be decided, for another rule may be the first that fits as soon as it is.
	Unsure bool
}

// UndoOr is how long a decision under the rule is held, or the default where the rule does not say. 0: it is sent at once.
func (r Rule) UndoOr(def time.Duration) time.Duration {
	if r.Undo == nil {
		return def
	}
	return *r.Undo
}

// Escalation is what happens to an ask that nobody has answered.
type Escalation struct {
	After   time.Duration
	Targets []Target

	toOwner bool // and the owner's private chat
}

// Ask is what a rule is found for.
type Ask struct {
	Request   question.Request
	Directory string // as OpenCode spells it
	Resolved  string // the same without symbolic links, where its machine says so; empty: it does not
	Place     session.Place
	Link      string      // the name of the link that it came over; empty: none, or one with the API's token
	Owner     chat.UserID // of that link; 0: nobody
	At        time.Time   // when it was asked

	LinkByMachine bool // nobody but the machine of the link has said that it is called so
}

// Everyone is the ruleset without a file: these users may answer everything, and these
// chats get everything.
func Everyone(users []chat.UserID, targets []Target) *Ruleset {
	b := &Ruleset{people: map[chat.UserID]Person{}, targets: slices.Clone(targets), open: true}
	for _, id := range users {
		b.people[id] = Person{ID: id}
	}
	return b
}

// With adds people. One who is in the ruleset already stays as they are there.
func (s *Ruleset) With(people ...Person) *Ruleset {
	next := *s
	next.people = maps.Clone(s.people)
	for _, p := range people {
		if _, ok := next.people[p.ID]; !ok {
			next.people[p.ID] = p.clone()
		}
	}
	return &next
}

// WithDefault replaces the chats that get what no rule sends elsewhere. A file says
// nothing of them: without this they are the private chats of all who have a role.
func (s *Ruleset) WithDefault(targets ...Target) *Ruleset {
	next := *s
	next.targets = slices.Clone(targets)
	return &next
}

// AndDefault adds chats to those that get what no rule sends elsewhere.
func (s *Ruleset) AndDefault(targets ...Target) *Ruleset {
	next := *s
	next.targets = slices.Clone(s.targets)
	for _, t := range targets {
		if !slices.Contains(next.targets, t) {
			next.targets = append(next.targets, t)
		}
	}
	return &next
}

// Open reports whether everybody in the ruleset may answer everything, so that roles
// mean nothing.
func (s *Ruleset) Open() bool { return s.open }

// Roles are all roles that a person has or a rule asks for, in alphabetical order.
func (s *Ruleset) Roles() []string {
	var all []string
	for _, p := range s.people {
		all = append(all, p.Roles...)
	}
	for _, e := range s.rules {
		all = append(all, e.Roles...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Rule gives the first rule that fits; without one, the rule of an empty name: the
// ruleset's own chats, and everybody who has a role. As long as it is not certain that a rule
// fits, those behind it count as well, up to the first that fits for certain: what all of
// them restrict is restricted.
func (s *Ruleset) Rule(a Ask) Rule {
	var fitting []Rule
	unsure := false
	for _, e := range s.rules {
		fit := e.fitAsk(a)
		unsure = unsure || fit == NotKnown
		if fit.Counts() {
			fitting = append(fitting, s.withOwner(s.withTargets(e.ruleFor(a, fit)), a.Owner))
		}
		if fit == Met {
			break
		}
	}
	if len(fitting) == 0 {
		return s.withOwner(s.withTargets(Rule{Approvals: 1}), a.Owner)
	}
	rule := fitting[0]
	for _, r := range fitting[1:] {
		rule = rule.restrictedBy(r)
	}
	rule.Unsure = unsure
	return rule
}

// withTargets is the rule with the chats that it names, or the ruleset's.
func (s *Ruleset) withTargets(r Rule) Rule {
	r.OwnChats = len(r.Targets) > 0
	if len(r.Targets) == 0 {
		r.Targets = slices.Clone(s.targets)
	}
	return r
}

// restrictedBy adds the restrictions of another rule: who answers must have the right by
// both, and a rule that rejects wins over one that asks people. The chats of both are asked.
func (r Rule) restrictedBy(other Rule) Rule {
	if other.Decide == Reject && r.Decide != Reject {
		r, other = other, r
	}
	switch {
	case len(r.Roles) == 0:
		r.Roles = other.Roles
	case len(other.Roles) > 0:
		r.AlsoRoles = append(r.AlsoRoles, other.Roles)
	}
	r.AlsoRoles = append(r.AlsoRoles, other.AlsoRoles...)
	r.Approvals = max(r.Approvals, other.Approvals)
	if r.Claim == 0 {
		r.Claim = other.Claim
	}
	r.Exclusive = r.Exclusive || other.Exclusive
	if other.Undo != nil && *other.Undo > r.UndoOr(0) {
		r.Undo = other.Undo
	}
	r.NotOwner = r.NotOwner || other.NotOwner
	r.OwnerOnly = (r.OwnerOnly || other.OwnerOnly) && r.Approvals == 1 && !r.NotOwner
	r.OwnChats = r.OwnChats || other.OwnChats || len(other.Escalation) > 0
	for _, t := range other.Targets {
		if !slices.Contains(r.Targets, t) {
			r.Targets = append(r.Targets, t)
		}
	}
	return r
}

// Targets are all chats that the ruleset can send to, each once.
func (s *Ruleset) Targets() []Target {
	var all []Target
	if s.usesDefault() {
		all = slices.Clone(s.targets)
	}
	for _, e := range s.rules {
		all = append(all, e.Targets...)
		for _, escalation := range e.Escalation {
			all = append(all, escalation.Targets...)
		}
	}
	var once []Target
	for _, t := range all {
		if !slices.Contains(once, t) {
			once = append(once, t)
		}
	}
	return once
}

// Chats are all chats that the ruleset names, each once, whether anything is sent there now
// or not.
func (s *Ruleset) Chats() []chat.ID {
	var all []chat.ID
	for _, t := range slices.Concat(s.targets, s.Targets()) {
		if !slices.Contains(all, t.Chat) {
			all = append(all, t.Chat)
		}
	}
	return all
}

// usesDefault reports whether anything goes to the ruleset's own chats.
func (s *Ruleset) usesDefault() bool {
	all := func(e conditionalRule) bool { return e.when.fitEverything() }
	silent := func(e conditionalRule) bool { return len(e.Targets) == 0 }
	return !slices.ContainsFunc(s.rules, all) || slices.ContainsFunc(s.rules, silent)
}

// Person finds somebody by their id.
func (s *Ruleset) Person(id chat.UserID) (Person, bool) {
	p, ok := s.people[id]
	return p.clone(), ok
}

// People are all who are known, by id.
func (s *Ruleset) People() []Person {
	var list []Person
	for _, id := range slices.Sorted(maps.Keys(s.people)) {
		list = append(list, s.people[id].clone())
	}
	return list
}

// Rules are the names of the rules, in their order.
func (s *Ruleset) Rules() []string {
	var names []string
	for _, e := range s.rules {
		names = append(names, e.Name)
	}
	return names
}

func (p Person) clone() Person {
	p.Roles = slices.Clone(p.Roles)
	return p
}

func (r Rule) clone() Rule {
	r.Roles, r.Targets, r.Escalation = slices.Clone(r.Roles), slices.Clone(r.Targets), slices.Clone(r.Escalation)
	r.Remind, r.Answers = slices.Clone(r.Remind), slices.Clone(r.Answers)
	for i, e := range r.Escalation {
		r.Escalation[i].Targets = slices.Clone(e.Targets)
	}
	return r
}

// WithPaired adds the people whom invitations let in, and their chats. People and chats of
// the ruleset stay as they are. current returns what a chat became, if Telegram replaced it.
func (s *Ruleset) WithPaired(p storage.Pairings, current func(chat.ID) chat.ID) *Ruleset {
	var people []Person
	var targets []Target
	configured := s.targets
	add := func(chat chat.ID) {
		known := func(t Target) bool { return current(t.Chat) == current(chat) }
		if chat != 0 && !slices.ContainsFunc(configured, known) {
			targets = append(targets, Target{Chat: chat})
		}
	}
	for _, g := range p.Guests {
		people = append(people, Person{ID: g.User, Name: g.Name, Roles: g.Roles})
		add(g.Chat)
	}
	for _, g := range p.Groups {
		add(g.Chat)
	}
	return s.With(people...).AndDefault(targets...)
}

// NamedLink are the names of the rules whose condition on the link fits this name, and not the other one: a link that is renamed to it
// is no longer meant by them.
func (s *Ruleset) NamedLink(name, next string) (list []string) {
	for _, r := range s.rules {
		fits := func(name string) bool { return anyFits(r.when.Link, name) }
		if len(r.when.Link) > 0 && fits(name) && !fits(next) && !slices.Contains(list, r.Name) {
			list = append(list, r.Name)
		}
	}
	return list
}
