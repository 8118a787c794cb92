package opencodesim

import (
	"fmt"
	"path"
	"time"

	"hermes/opencode/release"
)

// The versions that can be simulated.
const (
	VersionOld = release.Oldest
	VersionNew = release.Newest
)

// behaviour is what differs between the simulated versions. Each field is a
// fact measured on the released binaries. Its methods are what follows from that
// alone: how requests are read and refused, and what a tool call is to do.
type behaviour struct {
	version    string
	modern     bool          // 404 for what is not pending, event ids, sync duplicates
	heartbeat  time.Duration // between two server.heartbeat frames of an event stream
	toolPrefix string        // before the error text of a failed tool call
	abortText  string        // message of MessageAbortedError in an aborted message
}

func behaviourOf(version string) behaviour {
	switch version {
	case VersionOld:
		return behaviour{
			version: version, heartbeat: 30 * time.Second,
			toolPrefix: "Error: ", abortText: "The operation was aborted.",
		}
	case VersionNew, "":
		return behaviour{
			version: VersionNew, modern: true, heartbeat: 10 * time.Second,
			abortText: "Aborted",
		}
	}
	panic(fmt.Sprintf("simulator: version %q is not simulated; use VersionOld or VersionNew", version))
}

// directoryKey is the name of the instance that a request for dir reaches.
// 1.1.53 compares the text; newer versions normalise it, so that a trailing
// slash does not make another instance.
func (b behaviour) directoryKey(dir string) string {
	if !b.modern {
		return dir
	}
	return path.Clean(dir)
}
