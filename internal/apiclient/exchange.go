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
	"net/http"
	"slices"
	"time"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/failover"
	"hermes/internal/letters"
	"hermes/internal/secret"
	"hermes/opencode/link"
)

// Exchange gets a link of hermes for a code that its owner was given.
type Exchange struct {
	URLs []string          // where hermes may be, each as config.IsSafeURL wants it
	Code secret.Text       // worthless when it was used
	Host string            // what this machine calls itself
	Way  http.RoundTripper // nil: the network

	acting *failover.Addresses
}

// exchangeTries is how often it is tried where no answer comes. Each try is the same one for hermes, so at most one link is made.
const exchangeTries = 3

// Do makes the link, tries its token, and returns that with the link's name. The token is made here: hermes gets its hash. No error
// shows it, or the code.
func (x Exchange) Do(ctx context.Context) (token secret.Text, name string, err error) {
	if len(x.URLs) == 0 || slices.ContainsFunc(x.URLs, func(u string) bool { return !config.IsSafeURL(u) }) {
		return "", "", config.Mistakes{"--url: must begin with https:// for a code, or lead to this machine, as through a tunnel"}
	}
	x.acting = failover.New(x.URLs, x.ping)
	token = link.NewToken()
	hash := link.HashOf(token)
	in := api.Exchange{Code: x.Code.Reveal(), TokenHash: hex.EncodeToString(hash[:]), Host: x.Host}
	name, err = again(ctx, func() (string, error) { return x.call(ctx, in) })
	if err != nil {
		return "", "", secret.NewRedactor(x.Code, token).Error(err)
	}
	if tried, err := again(ctx, func() (string, error) { return x.tryToken(ctx, token) }); err != nil || tried != name {
		return "", "", fmt.Errorf("link %s was made, but it could not be used; revoke it where hermes runs (hermes link revoke %s), and write /link to the bot again", name, name)
	}
	return token, name, nil
}

// again calls until there is an answer, a few times.
func again(ctx context.Context, call func() (string, error)) (name string, err error) {
	for try := range exchangeTries {
		var no *Refusal
		if name, err = call(); err == nil || errors.As(err, &no) || try == exchangeTries-1 {
			break
		}
		select {
		case <-time.After(time.Duration(try+1) * time.Second):
		case <-ctx.Done():
			return "", err
		}
	}
	return name, err
}

func (x Exchange) call(ctx context.Context, in api.Exchange) (string, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	return x.nameIn(ctx, http.MethodPost, api.ExchangePath, body, "")
}

// ping needs no token: that the hermes that acts asks for one is the sign.
func (x Exchange) ping(ctx context.Context, address string) error {
	res, err := x.at(ctx, address, http.MethodGet, "/v1/link", nil, "")
	if err != nil {
		return err
	}
	var refused *failover.Refused
	if err := failover.Judge(address, res); !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
		return err
	}
	return nil
}

// at makes a request at an address.
func (x Exchange) at(ctx context.Context, address, method, path string, body []byte, token secret.Text) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token.Reveal())
	}
	way := x.Way
	if way == nil {
		way = &http.Transport{DisableKeepAlives: true} // without a proxy, as links are
	}
	return way.RoundTrip(req)
}

// untrusted says what to do about a certificate that this machine does not trust. To take it once for the code, by a fingerprint in the command,
// would not help: the plugin's requests are OpenCode's, which trusts public authorities and what NODE_EXTRA_CA_CERTS names (OpenCode's
// documentation, "Network", custom certificates), and no fingerprint.
func (x Exchange) untrusted(err *tls.CertificateVerificationError) error {
	return &Refusal{0, fmt.Sprintf("this machine does not trust the certificate of %s (%s), so nothing was sent, and the code can still be used. "+
		"If the certificate is your own, add what signed it to the system's certificates (or name its PEM file in SSL_CERT_FILE) for hermes, "+
		"and in NODE_EXTRA_CA_CERTS for OpenCode; then run the command again. Or put a proxy with a public certificate in front of hermes", x.acting, letters.Escaped(err.Err.Error()))}
}

// tryToken asks hermes for the name of the link that a token opens.
func (x Exchange) tryToken(ctx context.Context, token secret.Text) (string, error) {
	return x.nameIn(ctx, http.MethodGet, "/v1/link", nil, token)
}

// answerWithin is how long hermes may take to answer.
const answerWithin = 30 * time.Second

// nameIn makes a request at the hermes that acts, and reads the link's name in its answer. It follows no redirect: another address is none that
// the code is for.
func (x Exchange) nameIn(ctx context.Context, method, path string, body []byte, token secret.Text) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	res, err := x.acting.Do(ctx, func(ctx context.Context, address string) (*http.Response, error) {
		return x.at(ctx, address, method, path, body, token)
	})
	if untrusted := new(tls.CertificateVerificationError); errors.As(err, &untrusted) {
		return "", x.untrusted(untrusted)
	}
	if err != nil {
		return "", fmt.Errorf("hermes at %s does not answer: %w", x.acting, Cause(err))
	}
	defer res.Body.Close()
	var said struct {
		Name  string `json:"name"`
		Error string `json:"error"`
	}
	unread := json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&said)
	switch {
	case res.StatusCode == http.StatusOK && unread == nil && api.LinkNameForm.Match(said.Name):
		return said.Name, nil
	case res.StatusCode >= http.StatusInternalServerError:
		return "", fmt.Errorf("hermes at %s does not answer (HTTP %d)", x.acting, res.StatusCode)
	case said.Error != "" && res.StatusCode != http.StatusOK:
		return "", &Refusal{res.StatusCode, letters.Escaped(said.Error)}
	}
	return "", &Refusal{res.StatusCode, fmt.Sprintf("what answers at %s is no hermes of this version (HTTP %d)", x.acting, res.StatusCode)}
}
