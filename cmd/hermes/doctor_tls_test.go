package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	telegram "hermes/internal/simulate/telegramsim"
)

// A hermes that speaks TLS is known by the configured certificate, whatever name
// that is for, and by no other.
func TestDoctorKnowsTheCertificate(t *testing.T) {
	isolate(t)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"version":"hermes"}`))
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	pair := s.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	c := testConfig(t.TempDir() + "/hermes.db")
	c.Listen = strings.TrimPrefix(s.URL, "https://")
	c.TLSCert = writeFile(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	c.TLSKey = writeFile(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	world := doctorWorld{telegram: telegram.New(telegram.Options{Token: testToken}).Transport()}
	if r := newDoctor(c, nil, doctorOptions{}, world).askDaemon(t.Context()); !r.known {
		t.Errorf("with its certificate: %+v", r)
	}
	c.TLSCert = writeFile(t, "other.pem", "")
	d := newDoctor(c, nil, doctorOptions{}, world)
	r := d.askDaemon(t.Context())
	if !errors.Is(r.err, errCertificate) || !r.there() {
		t.Errorf("with another certificate: %+v", r)
	}
	d.daemon = func() daemonReply { return r }
	if got := d.examDaemon(t.Context()); got.Status != gradeFail || !strings.Contains(got.Detail, "HERMES_TLS_CERT") {
		t.Errorf("it says %+v", got)
	}
}
