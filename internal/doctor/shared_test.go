package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	"hermes/internal/standby"
)

// What can be found at a database that several hermes share. No word is said of the file or its disk.
func TestShared_Check(t *testing.T) {
	acting := standby.Acting{
		Holder: standby.Holder{Name: "one", Address: "https://one.test"}, Epoch: 7, Held: true,
		Age: 1500 * time.Millisecond, Delay: 4 * time.Millisecond, Synchronous: true,
	}
	nobody, slow, alone := acting, acting, acting
	nobody.Held, slow.Delay, alone.Synchronous = false, time.Second, false
	for _, c := range []struct {
		title  string
		found  standby.Acting
		err    error
		status grade
		detail string
	}{
		{"one acts", acting, nil, gradeOK, "one at https://one.test acts, in epoch 7; it renewed its lease 1.5s ago, and the database answers in 4ms"},
		{"nobody acts", nobody, nil, gradeFail, "no hermes acts"},
		{"the database is slow", slow, nil, gradeWarn, "which is long for a lease of 6s"},
		{"it has no standby", alone, nil, gradeOK, "synchronous_standby_names"},
		{"it does not answer", standby.Acting{}, errors.New("connection refused"), gradeFail, "does not answer: connection refused"},
		{"it refuses the password", standby.Acting{}, fmt.Errorf("%w: password authentication failed", standby.ErrRefused), gradeFail, "password authentication failed"},
	} {
		t.Run(c.title, func(t *testing.T) {
			d := &Doctor{config: config.Config{Lease: 6 * time.Second}, status: noStatus}
			d.look = func(context.Context) (standby.Acting, error) { return c.found, c.err }
			got := d.checkStore(t.Context())
			if got.Status != c.status || !strings.Contains(got.Detail, c.detail) || (got.Remedy == "") != (c.status == gradeOK) {
				t.Errorf("%+v", got)
			}
			if disk := d.checkDisk(t.Context()); disk.Status != gradeSkip {
				t.Errorf("the disk: %+v", disk)
			}
		})
	}
}

// A standby is a hermes that runs as it should.
func TestShared_Standby(t *testing.T) {
	c := config.Config{Listen: "127.0.0.1:4097", HookToken: rig.HookKey}
	d := &Doctor{config: c, client: apiclient.New(c, rig.RoundTripper(func(req *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusServiceUnavailable, Request: req,
			Body: io.NopCloser(strings.NewReader(`{"error":"standby: two at https://two.test acts","standby":true,"acting":"https://two.test"}`)),
		}, nil
	}))}
	d.status = func() statusReply { return d.fetchStatus(t.Context()) }
	if got := d.checkRunning(t.Context()); got.Status != gradeOK || !strings.HasSuffix(got.Detail, "and does not act: standby: two at https://two.test acts") {
		t.Errorf("%+v", got)
	}
}
