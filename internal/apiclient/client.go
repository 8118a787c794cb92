package apiclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"syscall"
	"time"

	"hermes/internal/config"
	"hermes/internal/failover"
	"hermes/internal/letters"
	"hermes/internal/secret"
)

// LocalTransport reaches the hermes of this configuration on this machine, without a
// proxy. Its certificate is for the name that others know it by, so it is held
// against the configured file.
func LocalTransport(c config.Config) http.RoundTripper {
	t := &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: 30 * time.Second}
	if c.TLSCert != "" {
		t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error { return checkCertificate(c, s) }}
	}
	return t
}

// ErrCertificate means that hermes has another certificate than the one that is configured.
var ErrCertificate = errors.New("the certificate is not the one in HERMES_TLS_CERT")

func checkCertificate(c config.Config, state tls.ConnectionState) error {
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil || len(state.PeerCertificates) == 0 || !bytes.Equal(pair.Certificate[0], state.PeerCertificates[0].Raw) {
		return ErrCertificate
	}
	return nil
}

// Client is the running hermes with this configuration, for commands that need
// it.
type Client struct {
	Config   config.Config
	way      http.RoundTripper // to this one
	peers    http.RoundTripper // to those that share its store
	acting   *failover.Addresses
	Token    secret.Text
	TokenErr error // why Token is empty
}

// New makes a Client; a way of nil is the network.
func New(c config.Config, way http.RoundTripper) Client {
	r := Client{Config: c, way: way, peers: way}
	if way == nil {
		r.way, r.peers = LocalTransport(c), &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: answerWithin}
	}
	if c.DB != "" || c.HookToken != "" {
		r.Token, r.TokenErr = config.KeptHookToken(c)
	}
	r.acting = failover.New(c.Addresses(), r.ping)
	return r
}

// Own is the hermes of this machine alone, whether or not it acts.
func (r Client) Own() Client {
	r.acting = failover.New([]string{r.Config.OwnURL()}, r.ping)
	return r
}

// ping asks for what a proxy lets through as well.
func (r Client) ping(ctx context.Context, address string) error {
	res, err := r.at(ctx, address, http.MethodGet, "/v1/link", nil)
	if err != nil {
		return err
	}
	return failover.Judge(address, res)
}

// WhyNotActing says why the hermes of this machine does not act: in its own words, or because it does not answer. It is empty if that one acts, or may.
func (r Client) WhyNotActing(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	own := r.Config.OwnURL()
	err := r.ping(ctx, own)
	standby, stands := errors.AsType[*failover.Standby](err)
	_, refuses := errors.AsType[*failover.Refused](err)
	switch {
	case stands:
		return standby.Reason
	case errors.Is(err, syscall.ECONNREFUSED):
		return "none runs at " + own
	case err == nil || refuses:
		return ""
	}
	return fmt.Sprintf("what listens at %s does not answer: %v", own, Cause(err))
}

// ErrNotRunning means that nothing listens where hermes would.
var ErrNotRunning = errors.New("no hermes runs")

// ErrStandby means that another hermes acts, whose address is not known here.
var ErrStandby = errors.New("only a standby runs")

// MayRead reports whether a call failed because no hermes that acts is reached, so that the database can be read in its place.
func (r Client) MayRead(err error) bool {
	return errors.Is(err, ErrNotRunning) || r.Config.Store != "" && errors.Is(err, ErrStandby)
}

// noneActs explains that there are standbys alone. What they say of another address is for people: nothing is sent there.
func (r Client) noneActs(s *failover.Standby) error {
	switch {
	case r.acting.Several():
		return fmt.Errorf("none of the hermes at %s acts now; the one at %s says: %s", r.acting, s.Address, letters.Escaped(s.Reason))
	case s.Acting == "" || s.Acting == r.Config.OwnURL() || s.Acting == r.Config.PublicURL:
		return fmt.Errorf("the hermes at %s does not act yet", s.Address)
	}
	return fmt.Errorf("%w at %s; the hermes at %s acts: name both in HERMES_PUBLIC_URL, separated by a comma", ErrStandby, s.Address, letters.Escaped(s.Acting))
}

// Call makes one call of hermes' HTTP interface, at the one that acts; a body of nil sends none. It
// returns an answer of 200 or 202 alone, whose body the caller closes. What hermes
// refuses is a *Refusal.
func (r Client) Call(ctx context.Context, method, path string, body any) (*http.Response, error) {
	res, err := r.acting.Do(ctx, func(ctx context.Context, address string) (*http.Response, error) {
		return r.at(ctx, address, method, path, body)
	})
	standby := new(failover.Standby)
	switch {
	case errors.As(err, &standby):
		return nil, r.noneActs(standby)
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("%w at %s (HERMES_LISTEN)", ErrNotRunning, r.acting)
	case err != nil:
		return nil, fmt.Errorf("what listens at %s does not answer: %w", r.acting, Cause(err))
	case res.StatusCode == http.StatusOK || res.StatusCode == http.StatusAccepted:
		return res, nil
	}
	defer res.Body.Close()
	return nil, r.refusalOf(res)
}

// Do makes one call of the hermes of this machine, and returns whatever is answered; a body of nil sends none. Errors are
// the network's.
func (r Client) Do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	return r.at(ctx, r.Config.OwnURL(), method, path, body)
}

// at makes one call at an address.
func (r Client) at(ctx context.Context, address, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, address+path, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+r.Token.Reveal())
	if address == r.Config.OwnURL() {
		return r.way.RoundTrip(req)
	}
	return r.peers.RoundTrip(req)
}

// Refusal is hermes' no to a call.
type Refusal struct {
	code int // HTTP status
	text string
}

func (r *Refusal) Error() string { return r.text }

// IsRefusal reports whether the error is hermes' no with this HTTP status.
func IsRefusal(err error, code int) bool {
	var r *Refusal
	return errors.As(err, &r) && r.code == code
}

// refusalOf makes an error of an answer that is neither 200 nor 202.
func (r Client) refusalOf(res *http.Response) error {
	at := r.acting.String()
	var said struct {
		Error    string          `json:"error"`
		Mistakes config.Mistakes `json:"mistakes"`
	}
	_ = json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said)
	no := &Refusal{code: res.StatusCode}
	switch {
	case res.StatusCode == http.StatusUnauthorized && r.TokenErr != nil && !errors.Is(r.TokenErr, fs.ErrNotExist):
		no.text = r.TokenErr.Error()
	case res.StatusCode == http.StatusUnauthorized:
		no.text = fmt.Sprintf("the hermes at %s has another token than the one here; give this command the same HERMES_DB or HERMES_HOOK_TOKEN as hermes serve has", at)
	case len(said.Mistakes) > 0:
		return said.Mistakes.EscapeLines()
	case said.Error != "":
		no.text = letters.Escaped(said.Error)
	default:
		no.text = fmt.Sprintf("what listens at %s is no hermes of this version (HTTP %d); restart hermes if it was updated; if another program uses the port, set HERMES_LISTEN",
			at, res.StatusCode)
	}
	return no
}
