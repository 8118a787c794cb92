package doctor

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

	"hermes/internal/apiclient"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// A hermes that speaks TLS is known by the configured certificate, whatever name
// that is for, and by no other.
func TestDoctor_KnowsTheCertificate(t *testing.T) {
	testenv.Isolate(t)
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
	c := rig.TestConfig(t.TempDir() + "/hermes.db")
	c.Listen = strings.TrimPrefix(s.URL, "https://")
	c.TLSCert = testenv.WriteFile(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
	c.TLSKey = testenv.WriteFile(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	world := World{telegram: telegram.New(telegram.Options{Token: rig.TestToken}).Transport()}
	if r := New(c, nil, Options{}, world).fetchStatus(t.Context()); !r.known {
		t.Errorf("with its certificate: %+v", r)
	}
	c.TLSCert = testenv.WriteFile(t, "other.pem", "")
	d := New(c, nil, Options{}, world)
	r := d.fetchStatus(t.Context())
	if !errors.Is(r.err, apiclient.ErrCertificate) || !r.mayAnswer() {
		t.Errorf("with another certificate: %+v", r)
	}
	d.status = func() statusReply { return r }
	if got := d.checkRunning(t.Context()); got.Status != gradeFail || !strings.Contains(got.Detail, "HERMES_TLS_CERT") {
		t.Errorf("it says %+v", got)
	}
}
