package apiclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"syscall"
	"time"

	"hermes/deploy"
	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/retry"
	"hermes/internal/secret"
	"hermes/internal/standby"
	"hermes/opencode/link"
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
	acting   *standby.Addresses
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
	r.acting = standby.NewAddresses(c.Addresses(), r.ping)
	return r
}

// Own is the hermes of this machine alone, whether or not it acts.
func (r Client) Own() Client {
	r.acting = standby.NewAddresses([]string{r.Config.OwnURL()}, r.ping)
	return r
}

// ping asks for what a proxy lets through as well.
func (r Client) ping(ctx context.Context, address string) error {
	res, err := r.at(ctx, address, http.MethodGet, "/v1/link", nil)
	if err != nil {
		return err
	}
	return standby.Judge(address, res)
}

// WhyNotActing says why the hermes of this machine does not act: in its own words, or because it does not answer. It is empty if that one acts, or may.
func (r Client) WhyNotActing(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	own := r.Config.OwnURL()
	err := r.ping(ctx, own)
	idle, stands := errors.AsType[*standby.NotActing](err)
	_, refuses := errors.AsType[*standby.Refused](err)
	switch {
	case stands:
		return idle.Reason
	case errors.Is(err, syscall.ECONNREFUSED):
		return "none runs at " + own
	case err == nil || refuses:
		return ""
	}
	return fmt.Sprintf("what listens at %s does not answer: %v", own, Cause(err))
}

// LockedElsewhere says that a process has the database, and no hermes answers where the configuration says. command is what the person
// runs.
func (r Client) LockedElsewhere(command string) error {
	return fmt.Errorf("another process uses %s, and no hermes answers at %s; give %s the same HERMES_LISTEN as hermes serve has", r.Config.DB, r.Config.OwnURL(), command)
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
func (r Client) noneActs(s *standby.NotActing) error {
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
	idle := new(standby.NotActing)
	switch {
	case errors.As(err, &idle):
		return nil, r.noneActs(idle)
	case errors.Is(err, syscall.ECONNREFUSED) && r.Config.Listen == "": // of another machine
		return nil, fmt.Errorf("%w at %s", ErrNotRunning, r.acting)
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

// Exchange gets a link of hermes for a code that its owner was given.
type Exchange struct {
	URLs []string          // where hermes may be, each as config.IsSafeURL wants it
	Code secret.Text       // worthless when it was used
	Host string            // what this machine calls itself
	Way  http.RoundTripper // nil: the network
}

// exchangeTries is how often it is tried where no answer comes. Each try is the same one for hermes, so at most one link is made.
const exchangeTries = 3

// Do makes the link, tries its token, and returns that with the link's name. The token is made here: hermes gets its hash. No error
// shows it, or the code.
func (x Exchange) Do(ctx context.Context) (token secret.Text, name string, err error) {
	if len(x.URLs) == 0 || slices.ContainsFunc(x.URLs, func(u string) bool { return !config.IsSafeURL(u) }) {
		return "", "", config.Mistakes{"--url: must begin with https:// for a code, or lead to this machine, as through a tunnel"}
	}
	hermes := Client{peers: x.Way}
	if x.Way == nil {
		hermes.peers = &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: answerWithin} // without a proxy, as links are
	}
	hermes.acting = standby.NewAddresses(x.URLs, hermes.pingWithoutToken)
	token = link.NewToken()
	hash := link.HashOf(token)
	in := api.Exchange{Code: x.Code.Reveal(), TokenHash: hex.EncodeToString(hash[:]), Host: x.Host}
	if name, err = hermes.linkName(ctx, http.MethodPost, api.ExchangePath, in); err != nil {
		return "", "", secret.NewRedactor(x.Code, token).Error(err)
	}
	hermes.Token = token
	if tried, err := hermes.linkName(ctx, http.MethodGet, "/v1/link", nil); err != nil || tried != name {
		return "", "", fmt.Errorf("link %s was made, but it could not be used; revoke it where hermes runs (hermes link revoke %s), and write /link to the bot again", name, name)
	}
	return token, name, nil
}

// pingWithoutToken knows the hermes that acts by its asking for a token.
func (r Client) pingWithoutToken(ctx context.Context, address string) error {
	err := r.ping(ctx, address)
	if refused, is := errors.AsType[*standby.Refused](err); is && refused.Status == http.StatusUnauthorized {
		return nil
	}
	return err
}

// linkName makes a call whose answer is the name of a link, until there is an answer, a few times.
func (r Client) linkName(ctx context.Context, method, path string, body any) (string, error) {
	for try := 1; ; try++ {
		said, err := r.tryLinkName(ctx, method, path, body)
		untrusted, isUntrusted := errors.AsType[*tls.CertificateVerificationError](err)
		switch {
		case isUntrusted:
			return "", r.untrusted(untrusted)
		case err == nil && api.LinkNameForm.MatchString(said.Name):
			return said.Name, nil
		case err == nil:
			return "", fmt.Errorf("what answers at %s is no hermes of this version", r.acting)
		case isPermanent(err) || try == exchangeTries || retry.Wait(ctx, time.Duration(try)*time.Second) != nil:
			return "", err
		}
	}
}

// tryLinkName makes the call once. Whoever is there may have no more time than for all of a short answer.
func (r Client) tryLinkName(ctx context.Context, method, path string, body any) (said api.LinkName, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	err = r.fetch(ctx, 64<<10, method, path, body, &said)
	return said, err
}

// untrusted says what to do about a certificate that this machine does not trust. To take it once for the code, by a fingerprint in the command,
// would not help: the plugin's requests are OpenCode's, which trusts public authorities and what NODE_EXTRA_CA_CERTS names (OpenCode's
// documentation, "Network", custom certificates), and no fingerprint.
func (r Client) untrusted(err *tls.CertificateVerificationError) error {
	return fmt.Errorf("this machine does not trust the certificate of %s (%s), so nothing was sent, and the code can still be used. "+
		"If the certificate is your own, add what signed it to the system's certificates (or name its PEM file in SSL_CERT_FILE) for hermes, "+
		"and in NODE_EXTRA_CA_CERTS for OpenCode; then run the command again. Or put a proxy with a public certificate in front of hermes", r.acting, letters.Escaped(err.Err.Error()))
}

// answerWithin is how long hermes may take to answer.
const answerWithin = 30 * time.Second

// Cause is an error of the network without the URL.
func Cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}

// HowToStart is the remedy where nothing runs: by what is installed on this machine.
func HowToStart(c config.Config) string {
	if !c.IsHere() {
		return "run hermes setup, or name the configuration of hermes with --config"
	}
	service, _ := deploy.Installed()
	return "start it: " + service.Start
}

// Explain adds the remedy to the error of a call where no hermes runs.
func (r Client) Explain(err error) error {
	if errors.Is(err, ErrNotRunning) {
		return fmt.Errorf("%w; %s", err, HowToStart(r.Config))
	}
	return err
}

// HowToStop says how a hermes of this machine is stopped.
func HowToStop() string {
	service, ok := deploy.Installed()
	if ok {
		return "to stop hermes, run " + service.Stop
	}
	return "to stop hermes, " + service.Stop
}

// WhereLog says where the log of the hermes of this machine is.
func WhereLog() string {
	service, _ := deploy.Installed()
	return "see its log (" + service.Log + ")"
}

// Redactor takes the secrets of the configuration, and the API's token, out of texts.
func (r Client) Redactor() secret.Redactor {
	return secret.NewRedactor(append(r.Config.Secrets(), r.Token)...)
}
