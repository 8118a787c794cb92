//go:build postgres && unix

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/internal/standby"
	"hermes/pending/kv"
	"hermes/pending/postgres"
	"hermes/pending/postgres/pgtest"
)

// holder makes changes as a process does that acts: one that fails ends the lease, and the next lease reads anew what is stored.
type holder struct {
	t     testing.TB
	d     *postgres.Database
	lease standby.Lease
}

// add appends to a key, and reports whether it is stored for sure.
func (h *holder) add(key, text string) bool {
	h.t.Helper()
	calls := 0
	err := h.lease.DB().Update(func(tx kv.Tx) error {
		calls++
		return appendTo(tx, key, text)
	})
	if calls > 1 {
		h.t.Errorf("fn was called %d times", calls)
	}
	if err == nil {
		return true
	}
	if h.lease.Err() == nil {
		h.t.Errorf("a change failed, and the lease goes on: %v", err)
	}
	before, start := h.lease.Epoch(), time.Now()
	h.lease = acquire(h.t, h.d, "a")
	if took := time.Since(start); h.lease.Epoch() <= before {
		h.t.Errorf("epoch %d after %d, in %v", h.lease.Epoch(), before, took)
	}
	return false
}

// A change that is confirmed is stored, once; one whose COMMIT got no answer is stored once, or not, and ends the lease, which hermes takes back before it is over.
func TestUpdate_CutAtCommit(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	d := openFor(t, p.Through(s.URL()), time.Minute)
	h := &holder{t, d, acquire(t, d, "a")}
	for i := range 60 {
		at := pgtest.At(i % 4)
		p.CutCommits(once(at))
		key := fmt.Sprint(i)
		if sure := h.add(key, "x"); sure != (at == pgtest.Never) {
			t.Errorf("cut at %d: confirmed %v", at, sure)
		}
		got := get(t, h.lease.DB(), key)
		if want := map[pgtest.At]string{pgtest.Never: "x", pgtest.AfterCommit: "x", pgtest.WithCommit: got}[at]; got != want || strings.Trim(got, "x") != "" || len(got) > 1 {
			t.Fatalf("%d, cut at %d: stored is %q", i, at, got)
		}
	}
}

func once(at pgtest.At) func() pgtest.At {
	return func() (now pgtest.At) {
		now, at = at, pgtest.Never
		return now
	}
}

// appendTo is a change that shows when it is made twice.
func appendTo(tx kv.Tx, key, text string) error {
	b := tx.Bucket("b")
	return b.Put([]byte(key), append(b.Get([]byte(key)), text...))
}

func TestUpdate_CutAtAnyMoment(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	d := openFor(t, p.Through(s.URL()), time.Minute)
	h := &holder{t, d, acquire(t, d, "a")}
	sure := 0
	for i := range 100 {
		var cutting sync.WaitGroup
		cutting.Go(func() {
			<-time.After(rand.N(20 * time.Millisecond))
			p.Cut()
		})
		key := fmt.Sprint(i)
		stored := h.add(key, "x")
		cutting.Wait()
		if stored {
			sure++
		}
		if got := get(t, h.lease.DB(), key); got != "x" && (stored || got != "") {
			t.Errorf("%d: stored is %q (confirmed: %v)", i, got, stored)
		}
	}
	if sure == 0 {
		t.Error("no change was confirmed")
	}
}

// A network that swallows everything holds no call up for longer than the lease, and costs the lease.
func TestLease_DarkNetwork(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	d := open(t, p.Through(s.URL()))
	l := acquire(t, d, "a")
	put(t, l.DB(), "key", "value")
	p.Darken()
	start := time.Now()
	err := l.DB().Update(func(tx kv.Tx) error { return appendTo(tx, "key", "more") })
	if took := time.Since(start); err == nil || took > 4*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
	<-l.Done()
	if took := time.Since(start); took > 4*time.Second || !errors.Is(l.Err(), postgres.ErrExpired) {
		t.Errorf("after %v: %v", took, l.Err())
	}
	start = time.Now()
	if _, err := d.Look(t.Context()); err == nil || time.Since(start) > 4*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	other := acquire(t, open(t, s.URL()), "b")
	p.Lighten()
	if got := get(t, other.DB(), "key"); got != "value" {
		t.Errorf("got %q", got)
	}
}

// A COMMIT that is on its way when the network goes dark is not judged by what is seen before it arrives.
func TestUpdate_CommitArrivesLate(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	l := acquire(t, open(t, p.Through(s.URL())), "a")
	put(t, l.DB(), "key", "")
	err := l.DB().Update(func(tx kv.Tx) error {
		if err := appendTo(tx, "key", "x"); err != nil {
			return err
		}
		p.Darken()
		return nil
	})
	if _, unknown := errors.AsType[*postgres.Unknown](err); !unknown && !errors.Is(err, postgres.ErrExpired) {
		t.Errorf("got %v", err)
	}
	if l.Valid() == nil {
		t.Error("who does not know what is stored goes on")
	}
	p.Lighten()
}

// A holder that was stopped in the middle of a transaction writes nothing once another one has the lease, and does not keep that one waiting.
func TestLease_PausedWriter(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	old := acquire(t, open(t, p.Through(s.URL())), "old")
	put(t, old.DB(), "key", "old")
	var second standby.Lease
	err := old.DB().Update(func(tx kv.Tx) error {
		if err := appendTo(tx, "key", " and stopped"); err != nil || second != nil {
			return err
		}
		p.Darken() // so that it renews nothing, as a stopped process
		start := time.Now()
		second = acquire(t, open(t, s.URL()), "new")
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("the next one waited for %v", took)
		}
		put(t, second.DB(), "key", "new")
		p.Lighten()
		return nil
	})
	if err == nil {
		t.Error("a deposed holder wrote")
	}
	if got := get(t, second.DB(), "key"); got != "new" {
		t.Errorf("got %q", got)
	}
	if old.Valid() == nil || second.Valid() != nil {
		t.Errorf("valid: old %v, new %v", old.Valid(), second.Valid())
	}
}

// The fence holds also for a holder whose clocks tell it that all is well.
func TestLease_DeposedWhileItBelievesInItself(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	old := acquire(t, open(t, s.URL()), "old")
	put(t, old.DB(), "key", "old")
	s.SQL(t, "postgres", "update hermes_lease set until = clock_timestamp()")
	second := acquire(t, open(t, s.URL()), "new")
	if err := old.DB().Update(func(tx kv.Tx) error { return appendTo(tx, "key", "!") }); !errors.Is(err, postgres.ErrDeposed) {
		t.Errorf("got %v", err)
	}
	<-old.Done()
	if !errors.Is(old.Err(), postgres.ErrDeposed) {
		t.Errorf("got %v", old.Err())
	}
	if got := get(t, second.DB(), "key"); got != "old" {
		t.Errorf("got %q", got)
	}
}

func TestCluster_PromotedStandbyHasWhatWasConfirmed(t *testing.T) {
	c := pgtest.StartCluster(t, pgtest.Options{})
	d := openFor(t, c.URL(), 20*time.Second)
	l := acquire(t, d, "a")
	confirmed := make(chan int, 1000)
	ctx, stop := context.WithCancel(t.Context())
	h := &holder{t, d, l}
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			for !h.add(fmt.Sprint(i), "x") {
			}
			confirmed <- i
		}
	})
	for range 50 {
		<-confirmed
	}
	c.Primary.Kill()
	c.Promote(t)
	last := 0
	for range 50 {
		last = <-confirmed
	}
	stop()
	writing.Wait()
	for i := range last + 1 {
		if got := get(t, h.lease.DB(), fmt.Sprint(i)); got != "x" && got != "xx" { // a change that got no answer was made again
			t.Errorf("%d of %d: %q", i, last, got)
		}
	}
	if err := h.lease.Valid(); err != nil {
		t.Error(err)
	}
	if a, err := d.Look(t.Context()); err != nil || a.Name != "a" {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestOpen_ErrorsHaveNoPassword(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	url, secret := s.URL(), pgtest.Password
	for _, bad := range []string{
		strings.Replace(url, secret, secret+"x", 1),
		strings.Replace(url, s.Address(), "127.0.0.1:1", 1),
		strings.Replace(url, "/postgres?", "/nothing?", 1),
		strings.Replace(url, secret, secret+"/"+secret, 1),
		strings.Replace(url, secret, secret+"%zz", 1),
		strings.Replace(url, secret, secret+"#?@"+secret, 1),
		strings.Replace(url, s.Address(), "127.0.0.1:port", 1),
		strings.Replace(url, secret, "12/"+secret, 1),
		strings.Replace(url, secret, "12?x="+secret, 1),
		strings.Replace(url, secret, "12#"+secret, 1),
		strings.Replace(url, secret, secret+"@"+secret, 1),
		url + "&sslrootcert=/nowhere&password=" + secret,
		url + "&target_session_attrs=" + secret,
		strings.Replace(url, "disable", "require", 1),
		strings.Replace(url, "postgres://", "", 1),
		strings.Replace(url, "disable", secret, 1),
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		d, err := postgres.Open(ctx, bad, postgres.Options{Lease: 2 * time.Second})
		cancel()
		if err == nil {
			d.Close()
			t.Errorf("%s was opened", strings.ReplaceAll(bad, secret, "PASSWORD"))
			continue
		}
		if said := fmt.Sprintf("%v %+v", err, err); strings.Contains(said, secret) || strings.Contains(said, "Zq7w") || !strings.Contains(said, "HERMES_STORE") {
			t.Errorf("%v", said)
		}
	}
}

func TestOpen_RefusesNewer(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	open(t, s.URL()).Close()
	s.SQL(t, "postgres", "update hermes_schema set version = 99")
	if _, err := postgres.Open(t.Context(), s.URL(), postgres.Options{}); !errors.Is(err, postgres.ErrNewer) || !strings.Contains(err.Error(), "99") {
		t.Errorf("got %v", err)
	}
}

func TestOpen_SeveralAtOnce(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	for range 5 {
		url := s.NewDatabase(t)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				d, err := postgres.Open(t.Context(), url, postgres.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				d.Close()
			})
		}
		all.Wait()
	}
}

// A standby that was promoted without the last change has the lease's row as it was. Who has the lease then must not go on with what it remembers.
func TestUpdate_HistoryThatWasLost(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	l := acquire(t, open(t, s.URL()), "a")
	put(t, l.DB(), "key", "first")
	before := s.SQL(t, "postgres", "select last_commit from hermes_fence")
	put(t, l.DB(), "key", "second")
	s.SQL(t, "postgres", "update hermes_records set value = 'first'; update hermes_fence set last_commit = '"+before+"'")
	if err := l.DB().Update(func(tx kv.Tx) error { return appendTo(tx, "key", "!") }); !errors.Is(err, postgres.ErrRewound) {
		t.Errorf("got %v", err)
	}
	<-l.Done()
	if !errors.Is(l.Err(), postgres.ErrRewound) {
		t.Errorf("got %v", l.Err())
	}
	if got := s.SQL(t, "postgres", "select convert_from(value, 'UTF8') from hermes_records"); got != "first" {
		t.Errorf("stored is %q", got)
	}
}

// While the synchronous standby is away nothing can be confirmed, and nothing is said to be stored; a connection that is given up must not end the wait.
func TestCluster_NothingIsConfirmedWithoutTheStandby(t *testing.T) {
	c := pgtest.StartCluster(t, pgtest.Options{})
	l := acquire(t, open(t, c.URL()), "a")
	put(t, l.DB(), "key", "both")
	c.Standby.Shutdown(t)
	err := l.DB().Update(func(tx kv.Tx) error { return tx.Bucket("b").Put([]byte("key"), []byte("one")) })
	if err == nil {
		t.Error("a change was confirmed that one server has")
	}
	<-l.Done()
	if got := c.Primary.SQL(t, "postgres", "select convert_from(value, 'UTF8') from hermes_records"); got != "both" {
		t.Errorf("what waits for the standby is seen: %q", got)
	}
	c.Standby.StartAgain(t)
	next := acquire(t, open(t, c.URL()), "b")
	if got := get(t, next.DB(), "key"); got != "both" && got != "one" {
		t.Errorf("got %q", got)
	}
	put(t, next.DB(), "key", "next")
}

func TestLease_Size(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	l := acquire(t, open(t, s.URL()), "a")
	put(t, l.DB(), "key", strings.Repeat("x", 1000))
	if n, err := l.DB().(kv.Sizer).Size(); err != nil || n < 1000 {
		t.Errorf("got %d, %v", n, err)
	}
}

// A server that crashes and comes back within the lease costs time and nothing else, for who has the lease and for who waits for it.
func TestLease_ServerCrashes(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	l := acquire(t, openFor(t, s.URL(), time.Minute), "a")
	put(t, l.DB(), "key", "before")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waits := make(chan standby.Lease)
	other := openFor(t, s.URL(), time.Minute)
	go func() {
		next, err := other.Acquire(ctx, standby.Holder{Name: "b"})
		if err != nil {
			t.Error(err)
		}
		waits <- next
	}()
	s.Kill()
	done := make(chan error)
	go func() {
		done <- l.DB().Update(func(tx kv.Tx) error { return appendTo(tx, "key", ", and after") })
	}()
	s.StartAgain(t)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := get(t, l.DB(), "key"); got != "before, and after" {
		t.Errorf("got %q", got)
	}
	if err := l.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next := <-waits; next == nil || next.Epoch() != l.Epoch()+1 {
		t.Errorf("got %+v", next)
	}
}

// Waiting does not bring a table back.
func TestAcquire_EndsWhereWaitingDoesNotHelp(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	d := open(t, s.URL())
	s.SQL(t, "postgres", "drop table hermes_lease")
	if _, err := d.Acquire(t.Context(), standby.Holder{Name: "a"}); err == nil || !strings.Contains(err.Error(), "hermes_lease") {
		t.Errorf("got %v", err)
	}
}

// What hermes reads must be what it wrote, so that a URL that prefers copies has no say.
func TestCluster_OnlyThePrimaryIsUsed(t *testing.T) {
	c := pgtest.StartCluster(t, pgtest.Options{})
	for _, which := range []string{"any", "prefer-standby", "standby", "read-only"} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		d, err := postgres.Open(ctx, c.URL()+"&target_session_attrs="+which, postgres.Options{Lease: 2 * time.Second})
		if err != nil {
			t.Errorf("%s: %v", which, err)
			cancel()
			continue
		}
		l, err := d.Acquire(ctx, standby.Holder{Name: "a"})
		if err != nil {
			t.Errorf("%s: %v", which, err)
		} else if put(t, l.DB(), "key", which); get(t, d.Reader(), "key") != which {
			t.Errorf("%s: what was written is not read", which)
		}
		d.Close()
		cancel()
	}
}

// A setting of the role can have a commit wait for nobody, whatever standbys the server names.
func TestLook_SynchronousCommitIsOff(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	d := open(t, s.URL())
	for _, set := range []string{"alter role hermes set synchronous_commit = local", "alter system set synchronous_standby_names = 'nowhere'", "select pg_reload_conf()"} {
		s.SQL(t, "postgres", set)
	}
	d.Close()
	d = open(t, s.URL())
	if a, err := d.Look(t.Context()); err != nil || a.Synchronous {
		t.Errorf("%+v, %v", a, err)
	}
}

// Who gives up waiting, and has the lease without knowing it, does not keep others from it.
func TestAcquire_GivenUp(t *testing.T) {
	s := pgtest.Start(t, pgtest.Options{})
	p := pgtest.NewProxy(t, s.Address())
	d := openFor(t, p.Through(s.URL()), time.Minute)
	p.CutCommits(func() pgtest.At { return pgtest.AfterCommit })
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := d.Acquire(ctx, standby.Holder{Name: "a"}); err == nil {
		t.Fatal("it has the lease, though no answer came")
	}
	if a, err := open(t, s.URL()).Look(t.Context()); err != nil || a.Held || a.Epoch == 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
