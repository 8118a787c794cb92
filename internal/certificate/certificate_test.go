package certificate_test

import (
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hermes/internal/certificate"
	"hermes/internal/simulate/testenv"
)

// renew puts a certificate that ends then where another one was.
func renew(t *testing.T, certFile, keyFile string, ends time.Time) {
	t.Helper()
	cert, key := testenv.SelfSigned(t, ends)
	write(t, certFile, cert)
	write(t, keyFile, key)
}

// write replaces a file as programs that renew certificates do: by another one of its name.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// Files that are renewed are taken up by the next handshake; with those that cannot be used, the old ones stay.
func TestPair_RenewedFiles(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	first, second := time.Now().Add(time.Hour).Truncate(time.Second), time.Now().Add(90*24*time.Hour).Truncate(time.Second)
	if _, err := certificate.Load(certFile, keyFile); err == nil {
		t.Fatal("files that are not there are loaded")
	}
	renew(t, certFile, keyFile, first)
	pair, err := certificate.Load(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name   string
		change func()
		want   time.Time
		wrong  bool
	}{
		{"as they were", func() {}, first, false},
		{"the certificate is renewed, the key is not yet", func() {
			cert, _ := testenv.SelfSigned(t, second)
			write(t, certFile, cert)
		}, first, true},
		{"half a file", func() { write(t, certFile, "-----BEGIN CERT") }, first, true},
		{"both are gone", func() { os.Remove(certFile); os.Remove(keyFile) }, first, true},
		{"both are renewed", func() { renew(t, certFile, keyFile, second) }, second, false},
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			s.change()
			if got := servedUntil(t, pair); !got.Equal(s.want) {
				t.Errorf("a handshake shows a certificate until %v, not %v", got, s.want)
			}
			if got, err := pair.Expires(); !got.Equal(s.want) || (err != nil) != s.wrong {
				t.Errorf("it expires %v, %v, not %v", got, err, s.want)
			}
		})
	}
}

// servedUntil is the end of the certificate that a client sees.
func servedUntil(t *testing.T, pair *certificate.Pair) time.Time {
	t.Helper()
	near, far := net.Pipe()
	defer near.Close()
	go func() {
		_ = tls.Server(far, &tls.Config{GetCertificate: pair.ForHandshake}).HandshakeContext(t.Context())
	}()
	client := tls.Client(near, &tls.Config{InsecureSkipVerify: true})
	if err := client.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return client.ConnectionState().PeerCertificates[0].NotAfter
}
