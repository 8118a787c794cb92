package service

import (
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const passwordCanary = "canary-of-43-characters-as-opencode-makes-it"

// written writes a file as OpenCode does, with these replacements.
func written(t *testing.T, replace ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "service.json")
	text := fmt.Sprintf(`{"id":"02db6065-08b7-43b8-8602-b721869f2e92","version":"2.0.0","url":"http://127.0.0.1:49374","pid":%d,"password":%q}`,
		os.Getpid(), passwordCanary)
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replace...).Replace(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind_AsOpenCodeWritesIt(t *testing.T) {
	got, err := File{Path: written(t)}.Find()
	want := Registration{
		ID: "02db6065-08b7-43b8-8602-b721869f2e92", Version: "2.0.0", URL: "http://127.0.0.1:49374", PID: os.Getpid(), Password: passwordCanary,
	}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if text := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(text, "canary") {
		t.Errorf("a print shows the password: %s", text)
	}
}

func TestFind_WhatIsNotBelieved(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "service.json")
	folder := t.TempDir()
	pipe := filepath.Join(t.TempDir(), "service.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	exposed := written(t)
	if err := os.Chmod(exposed, 0o640); err != nil {
		t.Fatal(err)
	}
	writable := written(t)
	if err := os.Chmod(writable, 0o602); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path string
		want Fault
	}{
		"no file":                 {absent, Absent},
		"a folder on the way":     {filepath.Join(exposed, "service.json"), Unreadable},
		"a folder":                {folder, Malformed},
		"a pipe":                  {pipe, Malformed},
		"others may read it":      {exposed, Exposed},
		"others may write it":     {writable, Exposed},
		"no JSON":                 {written(t, "{", ""), Malformed},
		"no pid":                  {written(t, `"pid"`, `"p"`), Malformed},
		"no password":             {written(t, passwordCanary, ""), Malformed},
		"no version":              {written(t, "2.0.0", ""), Malformed},
		"the configuration alone": {written(t, `"url"`, `"hostname"`), Malformed},
		"too long":                {written(t, "02db6065", strings.Repeat("0", maxFile)), Malformed},
		"another machine":         {written(t, "127.0.0.1", "192.0.2.1"), Elsewhere},
		"a name":                  {written(t, "127.0.0.1", "example.org"), Elsewhere},
	} {
		got, err := File{Path: c.path}.Find()
		if FaultOf(err) != c.want || got != (Registration{}) {
			t.Errorf("%s: got %+v, %v, want the fault %q", name, got, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "canary") || strings.Count(err.Error(), c.path) != 1) {
			t.Errorf("%s: the error is %q", name, err)
		}
	}
}

// ownedBy is a file of a user.
type ownedBy struct {
	fs.FileInfo
	uid uint32
}

func (o ownedBy) Sys() any { return &syscall.Stat_t{Uid: o.uid} }

// foreignInfo says nothing of a file's owner.
type foreignInfo struct{ fs.FileInfo }

func (foreignInfo) Sys() any { return nil }

func TestFaultOf_AnotherUsersFile(t *testing.T) {
	info, err := os.Stat(written(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		info fs.FileInfo
		user int
		want Fault
	}{
		"its own":              {ownedBy{info, 1000}, 1000, ""},
		"another user's":       {ownedBy{info, 1001}, 1000, Foreign},
		"root's":               {ownedBy{info, 0}, 1000, Foreign},
		"another user's, root": {ownedBy{info, 1000}, 0, Foreign},
		"whose is not known":   {foreignInfo{info}, 1000, Foreign},
	} {
		if got := faultOf(c.info, c.user); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A port that a killed service leaves can be taken by anybody.
func TestFind_AfterAKill(t *testing.T) {
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	f := File{Path: written(t, fmt.Sprintf(`"pid":%d`, os.Getpid()), fmt.Sprintf(`"pid":%d`, child.Process.Pid))}
	if r, err := f.Find(); err != nil || r.PID != child.Process.Pid {
		t.Errorf("while it runs: %+v, %v", r, err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	if r, err := f.Find(); FaultOf(err) != Stopped || r != (Registration{}) {
		t.Errorf("after a kill: %+v, %v", r, err)
	}
	f.IsRunning = func(pid int) bool { return pid == child.Process.Pid }
	if _, err := f.Find(); err != nil {
		t.Errorf("the function that was given is not asked: %v", err)
	}
}

func TestOwnURL(t *testing.T) {
	isOwn := func(ip netip.Addr) bool {
		return ip == netip.MustParseAddr("100.64.0.7") || ip == netip.MustParseAddr("fd00::7")
	}
	for text, want := range map[string]string{
		"http://127.0.0.1:49374":       "http://127.0.0.1:49374",
		"http://127.0.0.1:49374/":      "http://127.0.0.1:49374",
		"http://127.8.8.8:49374":       "http://127.8.8.8:49374",
		"http://[::1]:49374":           "http://[::1]:49374",
		"http://localhost:49374":       "http://localhost:49374",
		"http://127.0.0.1":             "http://127.0.0.1:80",
		"http://0.0.0.0:49374":         "http://127.0.0.1:49374",
		"http://[::]:49374":            "http://[::1]:49374",
		"http://100.64.0.7:49374":      "http://100.64.0.7:49374",
		"http://[fd00::7]:49374":       "http://[fd00::7]:49374",
		"http://100.64.0.8:49374":      "",
		"http://localhost.example:1":   "",
		"http://127.0.0.1.example:1":   "",
		"http://2130706433:1":          "", // 127.0.0.1 for some
		"http://127.1:1":               "",
		"http://[::1%25eth0]:1":        "",
		"http://a@127.0.0.1:1":         "",
		"http://127.0.0.1:1/?x":        "",
		"http://127.0.0.1:1/#x":        "",
		"https://127.0.0.1:49374":      "",
		"unix:///tmp/socket":           "",
		"127.0.0.1:49374":              "",
		"":                             "",
		"http://[::ffff:127.0.0.1]:80": "http://[::ffff:127.0.0.1]:80",
	} {
		got, ok := ownURL(text, isOwn)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestIsOwnAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true,
		"192.0.2.1": false, // for documents alone (RFC 5737)
		"224.0.0.1": false, // a group of machines
	} {
		began := time.Now()
		if got := isOwnAddress(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %v", text, got)
		}
		if time.Since(began) > time.Second {
			t.Errorf("%s: it took %v", text, time.Since(began))
		}
	}
}
