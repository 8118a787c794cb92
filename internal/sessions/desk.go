package sessions

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hermes/internal/pace"
	"hermes/internal/question"
	"hermes/internal/recent"
)

// Agent is an OpenCode that can be reached, in one directory. The error for a session
// that it does not have is question.ErrNoSession.
type Agent interface {
	// Sessions lists the latest root sessions, the newest first.
	Sessions(ctx context.Context, limit int) ([]question.Session, error)
	Session(context.Context, question.SessionID) (question.Session, error)
	// CreateOnce makes a session, unless one was made there for the same moment.
	CreateOnce(ctx context.Context, at time.Time) (question.Session, error)
	// NextID makes the id of the session's next prompt, just before it is sent.
	NextID(context.Context, question.SessionID) (question.MessageID, error)
	// Prompt makes one attempt. Success is no proof: Prompted looks whether the
	// session has the message.
	Prompt(context.Context, question.Prompt) error
	Prompted(context.Context, question.SessionID, question.MessageID) (bool, error)
	// Wake has the session begin with a prompt that it has and passed over.
	Wake(context.Context, question.SessionID, question.MessageID) error
	Abort(context.Context, question.SessionID) error
	Turn(context.Context, question.SessionID) (question.Turn, error)
	Diff(context.Context, question.SessionID) (string, error)
	Agents(context.Context) ([]string, error)    // that a session can be given to
	Subagents(context.Context) ([]string, error) // that a prompt can mention
	Models(context.Context) ([]question.Model, error)
	Commands(context.Context) ([]string, error)
}

// Chat is where people see. Its methods queue and return; done is called once, from
// another goroutine, with what became of it.
type Chat interface {
	Tell(t question.Telling, done func(question.TellingShown))
	Answer(callback string, a question.Alert, lang string)
	// React puts an emoji under a person's message, in place of the one before; "" takes
	// it away.
	React(chat question.ChatID, message question.PostedID, emoji string, done func(error))
	// Follow shows what goes on in one silent message: touch says that it has changed,
	// end that it has for the last time.
	Follow(question.Following) (touch, end func())
}

// Store remembers. Commit keeps all of a change or nothing.
type Store interface {
	Driving() (question.Driving, error)
	Chats() ([]question.Chat, error)
	Said(question.ChatID, question.PostedID) (question.Said, bool, error)
	Find(question.Key) (question.Thread, bool, error)
	Recorded(question.Entry) (bool, error)
	// Told is the last turn of a session that was told of; empty: none that is known.
	Told(question.SessionID) (question.MessageID, error)
	Commit(question.Change) error
}

// Config says what a Desk works with. All of it but Hear, Skipped and Foreign is required.
type Config struct {
	Store   Store
	Chat    Chat
	Agents  func(question.Origin) (Agent, bool)              // the agent that reaches an origin now
	Places  func() []question.Origin                         // where sessions may be made though nothing was heard from there
	Waiting func(context.Context) ([]question.Thread, error) // the asks that people are shown
	Again   func(context.Context, question.Input)            // hands a text back to the bridge
	Roles   func() []string                                  // those who may drive sessions
	Follow  func([]question.SessionID)                       // says of which sessions question.Spoke is wanted, from now on
	Log     *slog.Logger

	// Home says whether hermes is set up for a chat: only there sessions are driven, and
	// anything is told of them. It may be called from anywhere.
	Home    func(question.ChatID) bool
	Skipped func() // told of each reply that is left out, as a person asked for too many

	// Fetch gets a file that a person sent, of limit bytes at most. Its error is
	// question.ErrTooLarge for a larger one, and says whether a later try may succeed.
	Fetch func(ctx context.Context, file question.FileID, limit int64) ([]byte, error)
	// Hear writes down what is said in a sound file. It tries again by itself what may
	// pass. nil: nothing does it.
	Hear func(ctx context.Context, name, mime string, sound []byte) (string, error)
	// Late notes a late answer at the question that it is for, and stores the change with
	// it, in one transaction. Its errors are question.ErrNoThread, question.ErrLate, and
	// the store's. It may take its time.
	Late func(context.Context, question.ID, question.Late, question.Change) error

	Foreign func() // told whenever an OpenCode speaks of a session of another one; may be nil

	IdleDelay time.Duration // how long a session must rest before its turn counts as ended
}

// Desk drives sessions. Make it with New, then Run it; Take, Doubt and Event may be
// called concurrently, at any time, and never wait.
type Desk struct {
	config Config
	log    *slog.Logger
	in     queue
	aloft  *aloft
	open   *open
	ctx    context.Context // of what runs beside the loop; nil: start no more
	ending <-chan struct{} // closed when Run is told to end
	steps  sync.WaitGroup

	origins  map[question.Origin]bool // those that were heard of and not lost since
	heard    *heard
	accused  *recent.Map[accusation, bool]    // what was logged
	lines    map[question.SessionID][]*errand // oldest first
	watches  map[question.SessionID]*watch
	crowded  *recent.Map[string, bool] // sources with too many watches, as logged
	follows  map[question.ChatID]*follow
	told     *recent.Map[question.SessionID, question.MessageID] // the last turn that was told of; what it has forgotten, the store has
	seats    sync.Map                                            // question.ChatID → question.Seat; changed by the loop alone
	moves    *moves                                              // changed by the loop alone
	taking   map[question.UpdateID]bool                          // begun, and still in the inbox
	early    []func()                                            // what came in before any OpenCode was heard of
	warm     bool                                                // nothing is early any more
	choices  map[question.ChatID]*choice                         // that are worked on
	newest   time.Time                                           // for which a session was made
	missed   map[question.ChatID]question.PostedID               // what said that the last one came to nothing
	doubts   map[question.UpdateID]doubt
	parts    map[writer]*partial // texts that may go on
	replies  pace.People
	refusals pace.People
	begun    sync.Map                               // writer → begun: the same, known beside the loop
	albums   map[writer]*album                      // files that may go on
	shares   sync.Map                               // shared → target: the same, known beside the loop
	with     map[question.UpdateID][]question.Input // what goes with an input that is worked on

	troubled string            // the store's failure that was logged last; empty: it works
	unstored []question.Change // what has happened, and the store did not take
}

// New makes a Desk and reads what is owed and settled: what people write right after the
// start is understood by it. Its error is the store's.
func New(c Config) (*Desk, error) {
	d := &Desk{
		config: c, log: c.Log, in: queue{wake: make(chan struct{}, 1)}, aloft: newAloft(), open: newOpen(),
		origins: map[question.Origin]bool{}, heard: newHeard(maxHeard),
		accused: recent.New[accusation, bool](maxAccused),
		lines:   map[question.SessionID][]*errand{},
		follows: map[question.ChatID]*follow{},
		watches: map[question.SessionID]*watch{}, moves: newMoves(), crowded: recent.New[string, bool](maxCrowded), told: recent.New[question.SessionID, question.MessageID](maxHeard),
		taking: map[question.UpdateID]bool{}, doubts: map[question.UpdateID]doubt{}, choices: map[question.ChatID]*choice{},
		missed:   map[question.ChatID]question.PostedID{},
		replies:  pace.People{Burst: replyBurst, Every: replyEvery},
		refusals: pace.People{Burst: 1, Every: refuseEvery},
		parts:    map[writer]*partial{}, albums: map[writer]*album{}, with: map[question.UpdateID][]question.Input{},
	}
	return d, d.load()
}

// grace is how long Run waits at its end for what is under way.
const grace = 4 * time.Second

// Run does what is owed until ctx ends; what is under way then gets some seconds.
func (d *Desk) Run(ctx context.Context) {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	d.ctx, d.ending = work, ctx.Done()
	d.resume()
	d.after(warmUp, d.warmed)
	for {
		select {
		case <-d.in.wake:
			d.in.run()
		case <-ctx.Done():
			d.drain(stop)
			d.storeRest()
			return
		}
	}
}

// warmUp is how long after the start hermes waits for an OpenCode to be heard of, until
// it says of anything that none can be reached.
const warmUp = 5 * time.Second

// warmed lets everything be done that came in before, in its order.
func (d *Desk) warmed() {
	early := d.early
	d.warm, d.early = true, nil
	for _, f := range early {
		f()
	}
}

// drain takes in the results of what is under way, and starts no more. What does not
// end in time is looked for at the next start, as after a crash.
func (d *Desk) drain(stop context.CancelFunc) {
	d.ctx = nil
	done := make(chan struct{})
	go func() {
		d.steps.Wait()
		close(done)
	}()
	limit := time.NewTimer(grace)
	defer limit.Stop()
	for {
		select {
		case <-d.in.wake:
			d.in.run()
		case <-done:
			d.in.run()
			return
		case <-limit.C:
			stop()
			return
		}
	}
}

func (d *Desk) load() error {
	driving, err := d.config.Store.Driving()
	if err != nil {
		return err
	}
	for _, s := range driving.Seats {
		d.seats.Store(s.Chat, s)
	}
	for _, w := range driving.Watches {
		d.watches[w.Session] = &watch{Watch: w}
	}
	for _, e := range driving.Errands {
		d.lines[e.Prompt.Session] = append(d.lines[e.Prompt.Session], &errand{Errand: e})
	}
	chats, err := d.config.Store.Chats()
	for _, c := range chats {
		d.moved(c.ID, c.MovedTo)
	}
	return err // the origins say when they can be reached
}

// beside runs f beside the loop.
func (d *Desk) beside(f func(context.Context)) {
	ctx := d.ctx
	if ctx == nil {
		return // the next start does it
	}
	d.steps.Go(func() { f(ctx) })
}

// back hands f to the loop. It may be called from anywhere, and does not wait.
func (d *Desk) back(f func()) { d.in.put(f) }

// after hands f to the loop in a while.
func (d *Desk) after(t time.Duration, f func()) *time.Timer {
	return time.AfterFunc(t, func() { d.back(f) })
}

// queue holds what the loop is to do. It has no limit, so nobody ever waits.
type queue struct {
	mu   sync.Mutex
	list []func()
	wake chan struct{}
}

func (q *queue) put(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// run does all that is in the queue.
func (q *queue) run() {
	for {
		q.mu.Lock()
		list := q.list
		q.list = nil
		q.mu.Unlock()
		if len(list) == 0 {
			return
		}
		for _, f := range list {
			f()
		}
	}
}
