package apiclient_test

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/apiclient"
	"hermes/internal/config"
)

// The configured certificate is the one of the hermes of this machine. It makes no other address trusted: what has a certificate that nobody
// vouches for gets no token.
func TestClient_APeerNeedsACertificateThatIsTrusted(t *testing.T) {
	peer := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a peer that is not trusted got a request with %d bytes of credentials", len(r.Header.Get("Authorization")))
	}))
	peer.Config.ErrorLog = log.New(io.Discard, "", 0)
	peer.StartTLS()
	t.Cleanup(peer.Close)
	key, err := x509.MarshalPKCS8PrivateKey(peer.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	both := filepath.Join(t.TempDir(), "cert.pem") // also the one of this machine
	blocks := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: peer.Certificate().Raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	if err := os.WriteFile(both, blocks, 0o600); err != nil {
		t.Fatal(err)
	}
	c := config.Config{
		Listen: closedPort(t), TLSCert: both, TLSKey: both, HookToken: "0123456789abcdef",
		PublicURL: "https://127.0.0.1:1", PeerURLs: []string{peer.URL},
	}
	_, err = apiclient.New(c, nil).Questions(t.Context())
	if err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("got %v", err)
	}
}

// closedPort is an address at which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
