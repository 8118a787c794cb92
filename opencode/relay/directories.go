package relay

import (
	"context"
	"net/url"
	"sync"
)

// maxDirectories bounds how many directories are remembered.
const maxDirectories = 1000

// directories are those in which the service has sessions. hermes may name no other: a directory that is
// named begins to be used, its plugins and MCP servers too. Safe for concurrent use.
type directories struct {
	mu    sync.Mutex
	known map[string]bool
}

func (d *directories) add(directory string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxDirectories {
		d.known = map[string]bool{}
	}
	d.known[directory] = true
}

func (d *directories) has(directory string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.known[directory]
}

// check reports whether the service has a session in a directory. It asks for the sessions
// there, which begins to use nothing.
func (d *directories) check(ctx context.Context, c *connected, directory string) (bool, error) {
	if d.has(directory) {
		return true, nil
	}
	var list struct {
		Data []struct {
			Location struct{ Directory string }
		}
	}
	err := c.get(ctx, "/api/session", url.Values{"directory": {directory}, "limit": {"1"}}, &list)
	if err != nil || len(list.Data) == 0 || list.Data[0].Location.Directory != directory {
		return false, err
	}
	d.add(directory)
	return true, nil
}
