//go:build postgres && unix

package pgtest

import (
	"strconv"
	"testing"
)

func TestCluster_KeepsWhatWasCommitted(t *testing.T) {
	c := StartCluster(t, Options{})
	c.Primary.SQL(t, "postgres", "create table kept (n int)")
	c.Primary.SQL(t, "postgres", "insert into kept values (7)")
	c.Primary.Kill()
	c.Promote(t)
	if got := c.Standby.SQL(t, "postgres", "select n from kept"); got != "7" {
		t.Errorf("got %q", got)
	}
	c.Standby.SQL(t, "postgres", "insert into kept values (8)")
	c.Standby.Pause()
	c.Standby.Continue()
	c.Standby.Shutdown(t)
	c.Standby.StartAgain(t)
	if got := c.Standby.SQL(t, "postgres", "select count(*) from kept"); got != "2" {
		t.Errorf("got %q", got)
	}
}

func TestCluster_IsReplacedPartByPart(t *testing.T) {
	c := StartCluster(t, Options{})
	c.Primary.SQL(t, "postgres", "create table kept (n int)")
	for n := range 3 {
		c.Primary.Kill()
		c.Promote(t)
		c.Replace(t)
		c.Primary.SQL(t, "postgres", "insert into kept values ("+strconv.Itoa(n)+")")
	}
	c.Primary.Kill()
	c.Promote(t)
	if got := c.Standby.SQL(t, "postgres", "select count(*) from kept"); got != "3" {
		t.Errorf("%s of 3 commits are on the last server", got)
	}
}
