package service

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	"hermes/internal/secret"
)

// Username is the user of every OpenCode 2 server; another one is refused.
const Username = "opencode"

// maxFile bounds what is read of the file. OpenCode writes some 200 bytes.
const maxFile = 64 << 10

// Registration is what a running service says of itself. ID and PID are new at each start,
// URL and Password stay (measured on 2.0 of 2026-07-20).
type Registration struct {
	ID       string
	Version  string
	URL      string // of this machine: see File.Find
	PID      int
	Password secret.Text
}

// File is the file that a service writes when it has started, and removes when it is stopped.
type File struct {
	Path      string
	IsRunning func(pid int) bool // a process of this user; nil: the system is asked
}

// Find reads where the service is that runs now. The error is an *Error.
//
// The file says where the password is sent, so what it says is believed only of a regular
// file that belongs to hermes' own user and that nobody else can read or write, and only of
// a URL that leads to this machine: a loopback address, or one that this machine has itself.
// An address that means all of them is dialled as loopback. The service is a process of this
// machine, so a URL that leads elsewhere is not its own, and plain HTTP would show the
// password to the network. A server elsewhere is for HERMES_OPENCODE_URLS, where a person
// names it. After a kill the file stays, and whoever takes the port then must not get the
// password: so a process with the number of the one that wrote it must run, and Transport
// looks whose process takes a connection.
func (f File) Find() (Registration, error) {
	r, err := read(f.Path)
	if err != nil {
		return Registration{}, err
	}
	isRunning := f.IsRunning
	if isRunning == nil {
		isRunning = runs
	}
	if !isRunning(r.PID) {
		return Registration{}, &Error{Path: f.Path, Fault: Stopped}
	}
	return r, nil
}

func read(path string) (Registration, error) {
	raw, err := readOwn(path)
	if err != nil {
		return Registration{}, err
	}
	var file struct {
		ID       string `json:"id"`
		Version  string `json:"version"`
		URL      string `json:"url"`
		PID      int    `json:"pid"`
		Password string `json:"password"`
	}
	if json.Unmarshal(raw, &file) != nil || file.PID <= 0 || file.Version == "" || file.URL == "" || file.Password == "" {
		return Registration{}, &Error{Path: path, Fault: Malformed}
	}
	url, ok := ownURL(file.URL, isOwnAddress)
	if !ok {
		return Registration{}, &Error{Path: path, Fault: Elsewhere}
	}
	return Registration{
		ID: file.ID, Version: file.Version, URL: url, PID: file.PID, Password: secret.Text(file.Password),
	}, nil
}

// readOwn reads the file if it can be believed.
func readOwn(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Path: path, Fault: Absent}
	case err != nil:
		return nil, &Error{Path: path, Fault: Unreadable, Err: withoutPath(err)}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, &Error{Path: path, Fault: Unreadable, Err: withoutPath(err)}
	}
	if fault := faultOf(info, os.Geteuid()); fault != "" {
		return nil, &Error{Path: path, Fault: fault}
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, &Error{Path: path, Fault: Unreadable, Err: withoutPath(err)}
	case len(raw) > maxFile:
		return nil, &Error{Path: path, Fault: Malformed}
	}
	return raw, nil
}
