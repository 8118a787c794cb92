//go:build unix

package pgtest

import (
	"os"
	"strconv"
	"testing"
)

// Cluster is a primary and its synchronous standby: a commit is confirmed when both have it.
type Cluster struct {
	Primary, Standby *Server
}

// StartCluster makes both, and waits until the standby is synchronous.
func StartCluster(t testing.TB, o Options) *Cluster {
	t.Helper()
	c := &Cluster{Primary: Start(t, o), Standby: prepare(t, o, "standby")}
	c.Primary.SQL(t, "postgres", "select 1")
	t.Cleanup(func() { c.Standby.Kill() })
	c.follow(t)
	return c
}

// follow makes the standby a copy of the primary, and has the primary wait for it from then on.
func (c *Cluster) follow(t testing.TB) {
	t.Helper()
	c.Standby.mustRun(t, c.Standby.dir, "pg_basebackup", "--no-sync", "-c", "fast", "-X", "stream", "-R", "-h", "127.0.0.1", "-p", strconv.Itoa(c.Primary.port), "-U", User, "-D", c.Standby.data)
	c.Standby.StartAgain(t)
	c.Primary.SQL(t, "postgres", "alter system set synchronous_standby_names = '*'")
	c.Primary.SQL(t, "postgres", "select pg_reload_conf()")
	for c.Primary.SQL(t, "postgres", "select count(*) from pg_stat_replication where sync_state = 'sync'") != "1" {
	}
}

// URL names both servers.
func (c *Cluster) URL() string { return urlOf("postgres", c.Primary.Address(), c.Standby.Address()) }

// Promote makes the standby a primary, which waits for no other one. The old primary must be down: nothing else keeps it from taking writes.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	c.Standby.mustRun(t, c.Standby.dir, "pg_ctl", "-D", c.Standby.data, "-w", "promote")
}

// Replace makes a new standby, in the place of the old primary, which is down and whose data it loses; the one that was promoted is the primary from then on.
func (c *Cluster) Replace(t testing.TB) {
	t.Helper()
	c.Primary, c.Standby = c.Standby, c.Primary
	if err := os.RemoveAll(c.Standby.data); err != nil {
		t.Fatal(err)
	}
	c.follow(t)
}
