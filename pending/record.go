package pending

import (
	"time"

	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/internal/storage"
)

// threadRecord is a thread as the file holds it.
//
// The rule for this and every other type that is stored: fields are only ever
// added. A field is never renamed, never given another type or meaning, and its
// name is never used again once it is gone. A field that is missing, as in
// records from before it was added, means its zero value, so that must be right
// for them. Hence a hermes reads every record of its schema, older or newer than
// itself.
//
// A field that this hermes does not know is not kept when it stores the record
// anew. So whoever adds a field whose loss would do harm raises schemaVersion,
// and an older hermes refuses the file; for any other field, going back to an
// older hermes loses what it did not know of, and nothing else.
//
// An empty list and a missing one are different and stay so. Times are UTC to the
// nanosecond. Durations are nanoseconds. Numbers and the words of closed sets have the
// types of package question; every other string is a text, as its bytes are others'.
type threadRecord struct {
	ID      text           `json:"id"`
	Request requestRecord  `json:"request"`
	Origins []originRecord `json:"origins,omitzero"`
	Place   placeRecord    `json:"place,omitzero"`
	Project text           `json:"project,omitzero"`
	Said    text           `json:"said,omitzero"`
	Away    bool           `json:"away,omitzero"`

	AwaySince time.Time `json:"away_since,omitzero"`

	Asked    time.Time       `json:"asked,omitzero"`
	ShowAt   time.Time       `json:"show_at,omitzero"`
	Deadline time.Time       `json:"deadline,omitzero"`
	TTL      time.Duration   `json:"ttl,omitzero"`
	OnExpiry question.Expiry `json:"on_expiry,omitzero"`
	Expired  bool            `json:"expired,omitzero"`
	RemindAt []time.Time     `json:"remind_at,omitzero"`

	Wizard  wizardRecord  `json:"wizard,omitzero"`
	Offline time.Duration `json:"offline,omitzero"`

	Rev   int          `json:"rev,omitzero"`
	Cards []cardRecord `json:"cards,omitzero"`

	Resolving attemptsRecord `json:"resolving,omitzero"`
	CheckAt   time.Time      `json:"check_at,omitzero"`

	Needs       int                `json:"needs,omitzero"`
	Votes       []voteRecord       `json:"votes,omitzero"`
	ClaimFor    time.Duration      `json:"claim_for,omitzero"`
	Claim       *claimRecord       `json:"claim,omitzero"`
	Escalations []escalationRecord `json:"escalations,omitzero"`
	Escalated   bool               `json:"escalated,omitzero"`

	Leader text   `json:"leader,omitzero"`
	Equals []text `json:"equals,omitzero"`

	Decision *decisionRecord `json:"decision,omitzero"`
	Delivery deliveryRecord  `json:"delivery,omitzero"`
	Outcome  *outcomeRecord  `json:"outcome,omitzero"`

	Rule text `json:"rule,omitzero"`

	Prefer   bool `json:"prefer,omitzero"`
	Ruling   bool `json:"ruling,omitzero"`
	Announce bool `json:"announce,omitzero"`

	Late *lateRecord `json:"late,omitzero"`

	Owner ownerRecord `json:"owner,omitzero"`

	Held *holdRecord `json:"held,omitzero"`
}

// holdRecord keeps a decision from being sent. A hermes that does not know it sends the decision at once.
type holdRecord struct {
	Until  time.Time    `json:"until,omitzero"`
	Wizard wizardRecord `json:"wizard,omitzero"`
	Votes  []voteRecord `json:"votes,omitzero"`
}

type ownerRecord struct {
	ID   chat.UserID `json:"id,omitzero"`
	Name text        `json:"name,omitzero"`
	Link text        `json:"link,omitzero"`
}

type requestRecord struct {
	ID       text             `json:"id,omitzero"`
	Protocol session.Protocol `json:"protocol,omitzero"`
	Session  text             `json:"session,omitzero"`
	Message  text             `json:"message,omitzero"`
	Call     text             `json:"call,omitzero"`
	Items    []itemRecord     `json:"items,omitzero"`
	Agent    text             `json:"agent,omitzero"`

	Permission *permissionRecord `json:"permission,omitzero"`

	Context text `json:"context,omitzero"`
	Digest  text `json:"digest,omitzero"`

	Admission *admissionRecord `json:"admission,omitzero"`

	Form *formRecord `json:"form,omitzero"`
}

// formRecord, and the fields of the items, are of asks of protocols that a hermes without them does not know either: it
// sets such records aside.
type formRecord struct {
	Title  text `json:"title,omitzero"`
	Kind   text `json:"kind,omitzero"`
	Server text `json:"server,omitzero"`
}

type admissionRecord struct {
	User     chat.UserID `json:"user,omitzero"`
	Called   text        `json:"called,omitzero"` // by Telegram
	Username text        `json:"username,omitzero"`
	Lang     text        `json:"lang,omitzero"`
	Name     text        `json:"name,omitzero"` // by the invitation
	Roles    []text      `json:"roles,omitzero"`
	Chat     chat.ID     `json:"chat,omitzero"`
	Title    text        `json:"title,omitzero"`
	Made     time.Time   `json:"made,omitzero"`
	Group    bool        `json:"group,omitzero"`
	Waits    bool        `json:"waits,omitzero"`
	Removed  bool        `json:"removed,omitzero"`
}

type permissionRecord struct {
	Kind     text           `json:"kind,omitzero"`
	Patterns []text         `json:"patterns,omitzero"`
	Always   []text         `json:"always,omitzero"`
	Command  text           `json:"command,omitzero"`
	Diff     text           `json:"diff,omitzero"`
	Details  []detailRecord `json:"details,omitzero"`

	Files  []fileChangeRecord `json:"files,omitzero"`
	Links  []fileLinkRecord   `json:"links,omitzero"`
	Unread bool               `json:"unread,omitzero"`
}

type fileChangeRecord struct {
	Kind question.ChangeKind `json:"kind"`
	Path text                `json:"path"`
	To   text                `json:"to,omitzero"`
}

type fileLinkRecord struct {
	Path   text `json:"path"`
	Target text `json:"target"`
}

type detailRecord struct {
	Name text `json:"name,omitzero"`
	Text text `json:"text,omitzero"`
}

type itemRecord struct {
	Header   text           `json:"header,omitzero"`
	Text     text           `json:"text,omitzero"`
	Options  []optionRecord `json:"options,omitzero"`
	Multiple bool           `json:"multiple,omitzero"`
	Custom   bool           `json:"custom,omitzero"`
	ID       text           `json:"id,omitzero"`
	Field    *fieldRecord   `json:"field,omitzero"`
}

// fieldRecord is what an item of a form takes. Min and Max are finite: JSON has no other numbers.
type fieldRecord struct {
	Kind     fields.Kind   `json:"kind,omitzero"`
	Required bool          `json:"required,omitzero"`
	Format   fields.Format `json:"format,omitzero"`
	Pattern  text          `json:"pattern,omitzero"`
	Min      *float64      `json:"min,omitzero"`
	Max      *float64      `json:"max,omitzero"`
	Default  []text        `json:"default,omitzero"`
	URL      text          `json:"url,omitzero"`
	When     []whenRecord  `json:"when,omitzero"`
}

type whenRecord struct {
	Key   text `json:"key,omitzero"`
	Not   bool `json:"not,omitzero"`
	Value text `json:"value,omitzero"`
}

type optionRecord struct {
	Label       text `json:"label,omitzero"`
	Description text `json:"description,omitzero"`
	ID          text `json:"id,omitzero"`
	Cancels     bool `json:"cancels,omitzero"`
	Default     bool `json:"default,omitzero"`
}

type originRecord struct {
	Way       session.Way `json:"way,omitzero"`
	Process   text        `json:"process,omitzero"`
	Directory text        `json:"directory,omitzero"`
	Host      text        `json:"host,omitzero"`
	Resolved  text        `json:"resolved,omitzero"`
	Token     text        `json:"token,omitzero"`
}

type placeRecord struct {
	Title    text `json:"title,omitzero"`
	Subagent text `json:"subagent,omitzero"`
	Root     text `json:"root,omitzero"`
}

type wizardRecord struct {
	State   question.State `json:"state,omitzero"`
	Step    int            `json:"step,omitzero"`
	Rev     int            `json:"rev,omitzero"`
	Page    int            `json:"page,omitzero"`
	Typing  bool           `json:"typing,omitzero"`
	Choices []choiceRecord `json:"choices,omitzero"`
	Last    moveRecord     `json:"last,omitzero"`
	Notice  noticeRecord   `json:"notice,omitzero"`

	Dismissing bool `json:"dismissing,omitzero"`
	Reviewed   bool `json:"reviewed,omitzero"`
}

type choiceRecord struct {
	Options []int  `json:"options,omitzero"`
	Texts   []text `json:"texts,omitzero"`
	Skipped bool   `json:"skipped,omitzero"`
}

type moveRecord struct {
	Action question.Action `json:"action,omitzero"`
	Rev    int             `json:"rev,omitzero"`
	Item   int             `json:"item,omitzero"`
	Option int             `json:"option,omitzero"`
	On     bool            `json:"on,omitzero"`
	Text   text            `json:"text,omitzero"`
}

type noticeRecord struct {
	Kind    question.NoticeKind `json:"kind,omitzero"`
	Item    int                 `json:"item,omitzero"`
	Options []int               `json:"options,omitzero"`
	Text    text                `json:"text,omitzero"`
}

type cardRecord struct {
	Chat     chat.ID          `json:"chat"`
	Topic    int              `json:"topic,omitzero"`
	Room     int              `json:"room,omitzero"`
	Messages []chat.MessageID `json:"messages,omitzero"`
	Others   []chat.MessageID `json:"others,omitzero"`
	Unsure   bool             `json:"unsure,omitzero"`
	Rev      int              `json:"rev,omitzero"`
	Tries    attemptsRecord   `json:"tries,omitzero"`
	Lost     text             `json:"lost,omitzero"`
	ShownAt  time.Time        `json:"shown_at,omitzero"`
	Boxes    []boxRecord      `json:"boxes,omitzero"`

	Copies []spanRecord   `json:"copies,omitzero"`
	Search attemptsRecord `json:"search,omitzero"`

	Unfiled bool `json:"unfiled,omitzero"`
	Taken   int  `json:"taken,omitzero"`
}

// spanRecord is where copies of a card may lie. A hermes that does not know it looks for
// none, and forgets the span when it stores the record.
type spanRecord struct {
	After  chat.MessageID `json:"after,omitzero"`
	Before chat.MessageID `json:"before,omitzero"`
	Likely bool           `json:"likely,omitzero"`
	Since  time.Time      `json:"since,omitzero"`
}

// boxRecord is a reply box. An older hermes does not keep it: the message stays where it
// is, and a reply to it is taken for a reply to nothing.
type boxRecord struct {
	User     chat.UserID    `json:"user,omitzero"`
	Name     text           `json:"name,omitzero"`
	Username text           `json:"username,omitzero"`
	Lang     text           `json:"lang,omitzero"`
	Item     int            `json:"item,omitzero"`
	Begun    bool           `json:"begun,omitzero"`
	Message  chat.MessageID `json:"message,omitzero"`
	Over     bool           `json:"over,omitzero"`
	Tries    attemptsRecord `json:"tries,omitzero"`
	Reminder bool           `json:"reminder,omitzero"`
}

type attemptsRecord struct {
	Made int       `json:"made,omitzero"`
	Next time.Time `json:"next,omitzero"`
}

type voteRecord struct {
	By      actorRecord `json:"by"`
	Answers [][]text    `json:"answers,omitzero"`
	At      time.Time   `json:"at,omitzero"`
}

type claimRecord struct {
	By    actorRecord `json:"by"`
	Until time.Time   `json:"until,omitzero"`
}

type escalationRecord struct {
	At    time.Time    `json:"at,omitzero"`
	Cards []cardRecord `json:"cards,omitzero"`
}

type decisionRecord struct {
	Reject  bool        `json:"reject,omitzero"`
	Note    text        `json:"note,omitzero"`
	Answers [][]text    `json:"answers,omitzero"`
	By      actorRecord `json:"by"`
	At      time.Time   `json:"at,omitzero"`

	Withdrawn bool `json:"withdrawn,omitzero"`
}

// actorRecord stands in journal entries too: fields are added at the end.
type actorRecord struct {
	Kind question.ActorKind `json:"kind,omitzero"`
	User chat.UserID        `json:"user,omitzero"`
	Name text               `json:"name,omitzero"`
	Chat chat.ID            `json:"chat,omitzero"`

	Token text `json:"token,omitzero"`
}

type deliveryRecord struct {
	Attempts attemptsRecord `json:"attempts,omitzero"`
	Begun    bool           `json:"begun,omitzero"`
	SentAt   time.Time      `json:"sent_at,omitzero"`
	From     time.Time      `json:"from,omitzero"`
}

type outcomeRecord struct {
	Kind    question.OutcomeKind `json:"kind,omitzero"`
	Note    text                 `json:"note,omitzero"`
	Along   text                 `json:"along,omitzero"`
	Begun   bool                 `json:"begun,omitzero"`
	Answers [][]text             `json:"answers,omitzero"`
	By      actorRecord          `json:"by"`
	At      time.Time            `json:"at,omitzero"`
}

type lateRecord struct {
	Errand  text               `json:"errand,omitzero"`
	Answers [][]text           `json:"answers,omitzero"`
	By      actorRecord        `json:"by"`
	At      time.Time          `json:"at,omitzero"`
	State   question.LateState `json:"state,omitzero"`
}

// chatRecord is a chat as the file holds it. The rule on [threadRecord] holds for it.
type chatRecord struct {
	ID      chat.ID `json:"id"`
	Lang    text    `json:"lang,omitzero"`
	MovedTo chat.ID `json:"moved_to,omitzero"`
	Blocked bool    `json:"blocked,omitzero"`
	Hinted  bool    `json:"hinted,omitzero"`
	Greeted bool    `json:"greeted,omitzero"`

	Seen time.Time `json:"seen,omitzero"`
}

// entryRecord is a journal entry as the file holds it. The rule on [threadRecord] holds
// for it, and one more: fields are added at the end, for the order is hashed.
type entryRecord struct {
	At      time.Time         `json:"at"`
	Kind    storage.EntryKind `json:"kind"`
	Thread  text              `json:"thread,omitzero"`
	Request text              `json:"request,omitzero"`
	Session text              `json:"session,omitzero"`
	By      actorRecord       `json:"by,omitzero"`
	Answers [][]text          `json:"answers,omitzero"`
	Detail  text              `json:"detail,omitzero"`
	Rule    text              `json:"rule,omitzero"`
	Note    text              `json:"note,omitzero"`
}

// The three that follow are invitations and what they let in. The rule on
// [threadRecord] holds for them. The code of an invitation is in no field: its hash is the key.
type invitationRecord struct {
	ID    text      `json:"id"`
	Group bool      `json:"group,omitzero"`
	Name  text      `json:"name,omitzero"`
	Roles []text    `json:"roles,omitzero"`
	Made  time.Time `json:"made,omitzero"`
	Until time.Time `json:"until,omitzero"`
	Used  time.Time `json:"used,omitzero"`
}

type guestRecord struct {
	User       chat.UserID `json:"user"`
	Name       text        `json:"name,omitzero"`
	Roles      []text      `json:"roles,omitzero"`
	Since      time.Time   `json:"since,omitzero"`
	Invitation text        `json:"invitation,omitzero"`
	Chat       chat.ID     `json:"chat,omitzero"`
}

type groupRecord struct {
	Chat       chat.ID     `json:"chat"`
	By         chat.UserID `json:"by,omitzero"`
	Since      time.Time   `json:"since,omitzero"`
	Invitation text        `json:"invitation,omitzero"`
}

// topicRecord is a session's topic as the file holds it. The rule on [threadRecord] holds
// for it. An older hermes does not know of the bucket, and leaves it alone.
type topicRecord struct {
	Chat    chat.ID   `json:"chat"`
	Root    text      `json:"root"`
	ID      int       `json:"id,omitzero"`
	Name    text      `json:"name,omitzero"`
	Project text      `json:"project,omitzero"`
	Title   text      `json:"title,omitzero"`
	Doubts  int       `json:"doubts,omitzero"`
	Deleted int       `json:"deleted,omitzero"`
	Over    bool      `json:"over,omitzero"`
	Closed  time.Time `json:"closed,omitzero"`

	Origin originRecord `json:"origin,omitzero"`
	Used   time.Time    `json:"used,omitzero"`
}
