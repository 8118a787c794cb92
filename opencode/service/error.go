package service

import (
	"errors"
	"io/fs"
)

// Fault is the closed set of reasons for which a file leads to no service.
type Fault string

const (
	Absent     Fault = "absent"     // there is no file: the service does not run, or never did
	Foreign    Fault = "foreign"    // it belongs to another user
	Unchecked  Fault = "unchecked"  // the system does not say whose it is: Windows
	Exposed    Fault = "exposed"    // others may read or write it
	Elsewhere  Fault = "elsewhere"  // its URL leads to another machine
	Malformed  Fault = "malformed"  // it is not what OpenCode writes
	Unreadable Fault = "unreadable" // the system does not let it be read
	Stopped    Fault = "stopped"    // its process does not run: it was killed
	Taken      Fault = "taken"      // no process of this user listens at its address
)

// sentence says what is wrong, about the file.
func (f Fault) sentence() string {
	switch f {
	case Absent:
		return "is not there: the OpenCode service does not run"
	case Foreign:
		return "belongs to another user and is not believed"
	case Unchecked:
		return "cannot be believed: on Windows hermes does not check whose it is; name the server in HERMES_OPENCODE_URLS"
	case Exposed:
		return "can be read or written by other users and is not believed"
	case Elsewhere:
		return "names an address that is not of this machine, and the password is not sent there"
	case Malformed:
		return "is not what OpenCode writes"
	case Unreadable:
		return "cannot be read"
	case Stopped:
		return "was left behind by a service that was killed"
	case Taken:
		return "is not where the OpenCode service listens: no process of this user does, and the password is not sent there"
	}
	return string(f)
}

// Error says why a file leads to no service. It never holds what the file says.
type Error struct {
	Path  string // of the file; of Taken the address
	Fault Fault
	Err   error // of Unreadable
}

func (e *Error) Error() string {
	text := e.Path + " " + e.Fault.sentence()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// FaultOf is the fault of an error of this package; empty for others.
func FaultOf(err error) Fault {
	var e *Error
	if errors.As(err, &e) {
		return e.Fault
	}
	return ""
}

// withoutPath is the cause alone: Error names the path already.
func withoutPath(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
