package testenv

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"
)

// SelfSigned is a new certificate for 127.0.0.1, localhost and more addresses that is its own authority and ends then, and its key, both in PEM.
// It is valid from an hour before now or its end, whichever is first.
func SelfSigned(t *testing.T, ends time.Time, more ...net.IP) (cert, key string) {
	t.Helper()
	begins := time.Now()
	if ends.Before(begins) {
		begins = ends
	}
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(ends.UnixNano()), NotBefore: begins.Add(-time.Hour), NotAfter: ends,
		IPAddresses: append(more, net.IPv4(127, 0, 0, 1)), DNSNames: []string{"localhost"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IsCA: true, BasicConstraintsValid: true,
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	return inPEM("CERTIFICATE", public), inPEM("PRIVATE KEY", private)
}

func inPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
