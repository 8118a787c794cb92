package service

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"
)

// A table as Linux writes it on a little-endian machine: the port 0xC0DE of several addresses.
const (
	header  = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	ours    = "   0: 0100007F:C0DE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1060 1 00000000e86925e1 100 0 0 10 0\n"
	theirs  = "   1: 0100007F:C0DE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1061 1 00000000e86925e2 100 0 0 10 0\n"
	any4    = "   2: 00000000:C0DE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1062 1 00000000e86925e3 100 0 0 10 0\n"
	any6    = "   3: 00000000000000000000000000000000:C0DE 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1063\n"
	mapped  = "   4: 0000000000000000FFFF00000100007F:C0DE 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1064\n"
	beside  = "   5: 0200007F:C0DE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1065 1\n"
	other   = "   6: 0100007F:C0DF 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1066 1\n"
	closing = "   7: 0100007F:C0DE 0100007F:1234 06 00000000:00000000 03:00000DB3 00000000     0        0 0 3 000000006db49467\n"
	dialled = "   8: 0100007F:AAAA 0100007F:C0DE 01 00000000:00000000 00:00000000 00000000  1000        0 1067 1\n"
)

func TestDialer_WhoListens(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the tables are those of a little-endian machine")
	}
	local, remote := netip.MustParseAddrPort("127.0.0.1:43690"), netip.MustParseAddrPort("127.0.0.1:49374")
	for name, c := range map[string]struct {
		table string
		want  bool
	}{
		"the user's own":                        {dialled + ours + closing, true},
		"another user's":                        {dialled + theirs, false},
		"another user's, at all addresses":      {dialled + any4, false},
		"another user's, of both families":      {dialled + any6, false},
		"another user's, of IPv6 for IPv4":      {dialled + mapped, false},
		"another user's at all, the own at one": {dialled + ours + any4, false}, // which one took it is not told
		"another user's at another address":     {dialled + ours + beside, true},
		"another user's at another port":        {dialled + ours + other, true},
		"nobody by now":                         {dialled + closing, false},
		"a table without the connection":        {theirs, true},
		"a table of something else":             {"nothing\n\n 1 2 3 4 5 6 7 8 9\n", true},
	} {
		d := dialer{user: 1000, sockets: func() ([]socket, error) { return socketsIn(header + c.table), nil }}
		if got := d.isOwn(local, remote); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !(dialer{sockets: func() ([]socket, error) { return nil, errors.ErrUnsupported }}).isOwn(local, remote) {
		t.Error("a system that does not tell keeps hermes from connecting")
	}
}

// With the tables of this machine: what listens is this user's, and for another user it is
// somebody else's, to whom nothing is sent.
func TestTransport_SendsNothingToAnotherUser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells who listens")
	}
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", "[::]:0"} {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err) // a machine without IPv6
			continue
		}
		calls := 0
		server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls++ })}}
		server.Start()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		for user, want := range map[int]int{os.Geteuid(): 1, os.Geteuid() + 1: 0} {
			calls = 0
			transport := Transport(&http.Transport{DisableKeepAlives: true}).(*http.Transport)
			if user != os.Geteuid() {
				transport.DialContext = dialer{user: user, sockets: sockets}.dial
			}
			client := &http.Client{Transport: transport}
			res, err := client.Get(strings.NewReplacer("[::]", "127.0.0.1").Replace(fmt.Sprintf("http://%s", net.JoinHostPort(hostOf(address), port))))
			if err == nil {
				_ = res.Body.Close()
			}
			if calls != want || (FaultOf(err) == Taken) != (want == 0) {
				t.Errorf("%s for %d: %d calls, %v", address, user, calls, err)
			}
		}
		server.Close()
	}
}

func hostOf(address string) string {
	host, _, _ := net.SplitHostPort(address)
	return host
}
