package opencode

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"hermes/internal/event"
	"hermes/internal/recent"
	"hermes/internal/retry"
	"hermes/internal/secret"
	"hermes/internal/session"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
)

// Server is an OpenCode server that listens, reached directly.
type Server struct {
	URL       string // without a slash at the end
	Username  string
	Password  secret.Text
	Transport http.RoundTripper
}

// Client reaches the server, of this version, for a directory; both may be empty.
func (s Server) Client(directory, version string) *Client {
	return NewClient(call.Endpoint{
		Transport: s.Transport, Base: s.URL, Directory: directory, Username: s.Username, Password: s.Password,
	}, version, 0)
}

// directServer keeps one server connected: it follows its event stream, and lists what
// waits whenever it has connected.
type directServer struct {
	server     Server
	reads      http.RoundTripper
	second     *Client // without a directory, for a server of OpenCode 2
	ways       *ways
	at         session.Origin // its origins are this one in their directories
	registered string         // the id of the service, new at each start; empty: it is not the service
	identify   func(context.Context) (Identity, error)
	pauses     call.Pauses
	names      sessionNames

	mu          sync.Mutex
	who         Identity // of the connection: a server that comes back may be of another version
	following   bool     // it has said what it is, and its event stream is read
	connected   bool     // and what waits there was listed
	lastProblem string   // logged last
	instances   map[string]*instance
	linkUntil   map[string]time.Time      // by directory: see awaitLink
	room        *room                     // of the instances' asks
	words       *lastWords                // of all their sessions
	recent      *recent.Map[string, bool] // the same, the one with the latest event last; removeSpare bounds both
}

func newDirect(s Server, w *ways) *directServer {
	second := newClientV2(call.Endpoint{
		Transport: s.Transport, Reads: retryingReads(s.Transport), Base: s.URL, Username: s.Username, Password: s.Password,
	})
	s.Transport = twiceEncoded{s.Transport}
	d := newServer(s, second, w)
	d.reads = retryingReads(s.Transport)
	d.at = session.Origin{Way: session.Direct, Process: s.URL, Host: d.host()}
	d.identify = func(ctx context.Context) (Identity, error) {
		return identify(ctx, d.clientFor("", Identity{}).Endpoint)
	}
	return d
}

// newServer is a server that was not connected yet. It lacks its origin and how to ask what it is.
func newServer(s Server, second *Client, w *ways) *directServer {
	d := &directServer{server: s, second: second, ways: w}
	d.forgetLocked()
	return d
}

// forgetLocked makes the server one of which nothing is known: each connection begins so.
func (d *directServer) forgetLocked() {
	d.instances, d.recent = map[string]*instance{}, recent.New[string, bool](math.MaxInt)
	d.room, d.words, d.linkUntil = new(room), newLastWords(), map[string]time.Time{}
}

// retryingReads tries GETs again on failures that pass. A request that arrives in the
// instant a server starts to listen may never be answered (measured on 1.18.33),
// so one try is short.
func retryingReads(transport http.RoundTripper) http.RoundTripper {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax = 2
	c.RetryWaitMin, c.RetryWaitMax = 50*time.Millisecond, 500*time.Millisecond
	c.HTTPClient = &http.Client{
		Transport: transport, Timeout: 3 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c.ErrorHandler = lastTry
	return &retryablehttp.RoundTripper{Client: c}
}

// lastTry passes on what the last try gave. An answer that came with an error has
// nobody to read it.
func lastTry(res *http.Response, err error, _ int) (*http.Response, error) {
	if err != nil && res != nil {
		_ = res.Body.Close()
		return nil, err
	}
	return res, err
}

// twiceEncoded is for OpenCode's listening servers, which decode the directory of a
// call twice (measured on 1.1.53 and 1.18.33): a % in it must survive that.
type twiceEncoded struct{ next http.RoundTripper }

func (t twiceEncoded) RoundTrip(req *http.Request) (*http.Response, error) {
	query := req.URL.Query()
	if d := query.Get("directory"); strings.Contains(d, "%") {
		req = req.Clone(req.Context())
		query.Set("directory", strings.ReplaceAll(d, "%", "%25"))
		req.URL.RawQuery = query.Encode()
	}
	return t.next.RoundTrip(req)
}

// clientFor reaches the server, as it said that it is, for one directory.
func (d *directServer) clientFor(directory string, who Identity) *Client {
	if who.IsV2() {
		return d.second.forDirectory(directory)
	}
	return NewClient(call.Endpoint{
		Transport: d.server.Transport, Reads: d.reads, Base: d.server.URL, Directory: directory,
		Username: d.server.Username, Password: d.server.Password, Pauses: &d.pauses,
	}, who.Version, 0)
}

// run keeps the server connected until ctx ends.
func (d *directServer) run(ctx context.Context) {
	const first, last = 250 * time.Millisecond, 15 * time.Second
	for failures := 1; ctx.Err() == nil; failures++ {
		began := time.Now()
		err := d.connect(ctx)
		d.setDown(ctx, err)
		if time.Since(began) > last {
			failures = 1
		}
		pause := retry.Backoff(failures, first, last)
		if isStarting(err) {
			pause = min(pause, startingPause)
		}
		if retry.Wait(ctx, pause) != nil {
			return
		}
	}
}

// startingPause is how soon a server that is starting is tried again: OpenCode 2 answers 503
// meanwhile and asks for one second.
const startingPause = time.Second

func isStarting(err error) bool {
	var e *call.Error
	return errors.As(err, &e) && e.Status == http.StatusServiceUnavailable
}

// streamGap is how long after it has connected an event stream may still lose
// events (measured on 1.18.33: those of the first milliseconds).
const streamGap = time.Second

// connect finds out what the server is, and follows its event stream until that breaks.
func (d *directServer) connect(ctx context.Context) error {
	who, err := d.identify(ctx)
	switch {
	case err != nil:
		return err
	case d.ways.background.follows(d, who):
		return errFollowed
	}
	d.mu.Lock()
	d.forgetLocked()
	d.who, d.following = who, true
	d.mu.Unlock()
	if who.IsV2() {
		return d.followV2(ctx, who)
	}
	return d.followV1(ctx, who)
}

// followV1 follows the event stream of a server of 1.x until it breaks.
func (d *directServer) followV1(ctx context.Context, who Identity) error {
	ctx, cancel := context.WithCancel(ctx)
	var listing sync.WaitGroup
	defer listing.Wait()
	defer cancel()
	said := newSpeech(d.ways.followed.has)
	return d.clientFor("", Identity{}).streamEvents(ctx, said.skips, func(e globalEvent) {
		if e.Payload.Type == "server.connected" {
			listing.Go(func() {
				d.listDirectories(ctx)
				d.setConnected(who.Version)
				if retry.Wait(ctx, streamGap) == nil {
					d.listDirectories(ctx)
				}
				for retry.Wait(ctx, lookEvery) == nil {
					d.listUnlinked(ctx)
				}
			})
		}
		d.hearFrame(ctx, said, e)
	})
}

func (d *directServer) hearFrame(ctx context.Context, said *speechFollower, e globalEvent) {
	if e.Directory == "" || e.Directory == "global" { // "global" stands for none (1.18.33)
		return
	}
	switch isDisposed := e.Payload.Type == "server.instance.disposed"; {
	case isDisposed && d.isUnlisted(e.Directory):
		d.clientFor(e.Directory, Identity{}).pause(disposeGap)
		return
	case !isDisposed && d.rests(ctx, e.Directory): // to ask a disposed one whether it does would start it anew
		return
	}
	i := d.instanceIn(e.Directory)
	if piece, ok := said.lastPiece(e.Payload); ok {
		i.words.hear(piece)
	}
	i.hear(ctx, e.Payload)
	if id, step, ok := said.hear(e.Payload); ok {
		i.emitSpoken(id, step)
	}
}

// listDirectories lists what waits in every directory where something may wait.
func (d *directServer) listDirectories(ctx context.Context) {
	c := v1.NewDriver(d.clientFor("", Identity{}).Endpoint, "", 0)
	directories := c.AskingDirectories(ctx)
	if own, err := c.OwnDirectory(ctx); err == nil && own != "" {
		directories = append(directories, own)
	}
	directories = append(directories, d.ways.knownDirectories(d.at)...)
	seen := map[string]bool{}
	for _, directory := range directories {
		if !seen[directory] {
			seen[directory] = true
			if d.rests(ctx, directory) {
				continue
			}
			_ = d.ways.reachable.list(ctx, d.instanceIn(directory)) // it is in the log
		}
	}
}

func (d *directServer) isConnected() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.connected
}

func (d *directServer) setConnected(version string) {
	d.mu.Lock()
	d.connected, d.lastProblem = true, ""
	d.mu.Unlock()
	d.ways.log.Info("connected to OpenCode", "server", d.host(), "version", version)
	d.ways.untested.hear(version, d.host())
}

// setDown emits that nothing at the server can be reached, and logs why if that is new.
func (d *directServer) setDown(ctx context.Context, err error) {
	d.mu.Lock()
	d.connected, d.following = false, false
	instances := make([]*instance, 0, len(d.instances))
	for _, i := range d.instances {
		instances = append(instances, i)
	}
	news := err != nil && ctx.Err() == nil && d.lastProblem != err.Error()
	if news {
		d.lastProblem = err.Error()
	}
	d.mu.Unlock()
	for _, i := range instances {
		d.ways.reachable.removeAs(i, event.Lost)
	}
	switch {
	case news && errors.Is(err, errFollowed):
		d.ways.log.Info("OpenCode is reached by another name", "server", d.host(), "err", err)
	case news:
		d.ways.log.Warn("OpenCode cannot be reached", "server", d.host(), "err", err)
	}
}

// maxDirectories bounds how many directories of a server are remembered. An instance that
// is forgotten is emitted as lost, and comes back with its next event.
const maxDirectories = 1000

func (d *directServer) instanceIn(directory string) *instance {
	d.mu.Lock()
	i := d.instanceInLocked(directory)
	spare := d.removeSpare()
	d.mu.Unlock()
	d.ways.reachable.add(i)
	if spare != nil {
		d.ways.reachable.removeAs(spare, event.Lost)
	}
	return i
}

// removeSpare removes the instance with the oldest last event in which nothing waits, if
// there are too many; nil: there are not, or something waits in all. Over a link, where an
// OpenCode may say anything, it does not matter whether something waits.
func (d *directServer) removeSpare() *instance {
	if len(d.instances) <= maxDirectories {
		return nil
	}
	for _, directory := range d.recent.Keys() {
		if i := d.instances[directory]; i != nil && (i.asks.isEmpty() || d.at.Way == session.Link) {
			delete(d.instances, directory)
			d.recent.Remove(directory)
			return i
		}
	}
	return nil
}

func (d *directServer) instanceInLocked(directory string) *instance {
	i, ok := d.instances[directory]
	d.recent.Add(directory, true)
	if !ok {
		o := d.at
		o.Directory = directory
		client := d.clientFor(directory, d.who)
		emit := d.ways.emit
		if d.who.IsV2() {
			client.start = d.startLocked()
			emit = ofStart(client.start, emit)
		}
		i = newInstance(o, client, &d.names, emit)
		i.asks.room, i.words = d.room, d.words
		d.instances[directory] = i
	}
	return i
}

// startLocked tells which start of an OpenCode 2 this is. A machine may give the same process id
// again, as containers do: then one start cannot be told from another, which nothing claims.
func (d *directServer) startLocked() string {
	return fmt.Sprintf("%d %s %s", d.who.PID, d.who.Version, d.registered)
}

// ofStart emits asks as those of this start.
func ofStart(start string, emit func(event.Event)) func(event.Event) {
	return func(e event.Event) {
		for n := range e.Asks {
			e.Asks[n].Start = start
		}
		emit(e)
	}
}

// clientIn is the client for a directory, as long as the server is connected: setDown then
// finds the instance.
func (d *directServer) clientIn(directory string) (*Client, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.connected || !d.linkUntil[directory].IsZero() && d.ways.links.speakFor(d.server.URL, directory) {
		return nil, false
	}
	i := d.instanceInLocked(directory)
	d.ways.reachable.add(i)
	return i.client, true
}

// origins are those that were reached by the last connection.
func (d *directServer) origins() []session.Origin {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]session.Origin, 0, len(d.instances))
	for _, i := range d.instances {
		list = append(list, i.origin)
	}
	return list
}

// host is the server's host and port, of one over a link its machine: for people, and without
// any password.
func (d *directServer) host() string {
	if d.at.Way == session.Link {
		return d.at.Host
	}
	u, err := url.Parse(d.server.URL)
	if err != nil {
		return ""
	}
	return u.Host
}
