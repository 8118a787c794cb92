package daemon

import (
	"log/slog"
	"strings"
	"testing"

	"hermes/internal/simulate/testenv"
	"hermes/opencode/link"
)

func TestConnections_MaxConnections(t *testing.T) {
	for descriptors, want := range map[uint64]int{256: 192, 1024: 768, 4096: 3072, 1 << 20: 8192, 1 << 63: 8192, 0: 1} {
		if got := maxConnections(descriptors); got != want {
			t.Errorf("of %d descriptors %d are for connections, want %d", descriptors, got, want)
		}
	}
	if links := 256 * 3; maxConnections(1024) < links {
		t.Error("the links do not fit the usual 1024 descriptors")
	}
}

// However few the connections are, links leave some to events, answers and programs; and the log says it when there are too many.
func TestConnections_LeaveRoomBesideLinks(t *testing.T) {
	for connections, want := range map[int]int{768: 576, 3072: 2304, 8192: 4096, 1: 1} {
		if got := maxLinks(connections); got != want {
			t.Errorf("of %d connections %d may be polls of links, want %d", connections, got, want)
		}
	}
	var log testenv.LockedBuffer
	all := &connections{most: 8, log: slog.New(slog.NewTextHandler(&log, nil))}
	for range 5 {
		all.refuseLink(link.Hello{Host: "laptop", Token: "laptop-7"})
	}
	if n := strings.Count(log.String(), "as many as hermes takes"); n != 1 || !strings.Contains(log.String(), "token=laptop-7") {
		t.Errorf("the log has it %d times:\n%s", n, log.String())
	}
}
