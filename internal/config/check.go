package config

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/secret"
	"hermes/internal/voice"
)

// checkServe asks for what serve cannot do without; file is the configuration file, "" for none.
func (c Config) checkServe(file string, wrong *Mistakes) {
	if c.TelegramToken == "" && !wrong.Has("HERMES_TELEGRAM_TOKEN") {
		wrong.Add("HERMES_TELEGRAM_TOKEN", "is not set; run hermes setup, or put the token that @BotFather in Telegram gives you into %s", orUsual(file))
	}
	if len(c.TelegramUsers) == 0 && c.Rules == "" && !wrong.Has("HERMES_TELEGRAM_USERS") && !wrong.Has("HERMES_RULES") {
		wrong.Add("HERMES_TELEGRAM_USERS", "is not set, so nobody may answer; run hermes setup, which finds out your numeric Telegram user id, or put it into %s", orUsual(file))
	}
	if c.TLSCert != "" && c.TLSKey != "" {
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			wrong.Add("HERMES_TLS_CERT, HERMES_TLS_KEY", "cannot be used: %v", WithoutPath(err))
		}
	}
}

// orUsual is the configuration file to name to a person: the one that was read, else the one that hermes would read.
func orUsual(file string) string {
	return cmp.Or(file, UsualFile(), "the file that --config names")
}

// IsConfigured reports whether hermes has a bot and somebody who may answer: all that serve cannot do without.
func (c Config) IsConfigured() bool {
	return c.TelegramToken != "" && (len(c.TelegramUsers) > 0 || c.Rules != "")
}

// checkListen holds the rule that the API is not open to a network in the clear:
// its bearer token and the agent's text would be.
func (c Config) checkListen(wrong *Mistakes) {
	if (c.TLSCert == "") != (c.TLSKey == "") {
		wrong.Add("HERMES_TLS_CERT, HERMES_TLS_KEY", "only one of the two is set; set both or neither")
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if n, portErr := strconv.Atoi(port); err != nil || portErr != nil || n < 0 || n > 65535 {
		wrong.Add("HERMES_LISTEN", "is not host:port, such as 127.0.0.1:4097")
		return
	}
	if !Loopback(host) && c.TLSCert == "" && !c.BehindProxy && !wrong.Has("HERMES_BEHIND_PROXY") {
		wrong.Add("HERMES_LISTEN", "other machines can reach this address; set HERMES_TLS_CERT and HERMES_TLS_KEY, or HERMES_BEHIND_PROXY=true if a proxy before hermes speaks TLS, or listen on 127.0.0.1")
	}
}

// Loopback reports whether only this machine can reach the host. Names other
// than localhost count as reachable: what they resolve to may change.
func Loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}

// checkWebhook holds Telegram's rules for webhooks. A local Bot API server also
// accepts plain http.
func (c Config) checkWebhook(wrong *Mistakes) {
	const name = "HERMES_TELEGRAM_WEBHOOK_URL"
	switch {
	case c.TelegramWebhookURL == "" && c.TelegramWebhookSecret != "" && !wrong.Has(name):
		wrong.Add("HERMES_TELEGRAM_WEBHOOK_SECRET", "is set, but %s is not; set that too, or neither for long polling", name)
	case c.TelegramWebhookURL == "":
	case c.TelegramWebhookSecret == "" && !wrong.Has("HERMES_TELEGRAM_WEBHOOK_SECRET"):
		wrong.Add(name, "needs HERMES_TELEGRAM_WEBHOOK_SECRET, by which hermes knows Telegram's requests; set it to 1 to 256 random letters, digits, _ and -")
	case c.TelegramAPIURL == Variables()["HERMES_TELEGRAM_API_URL"] && !strings.HasPrefix(c.TelegramWebhookURL, "https://"):
		wrong.Add(name, "must begin with https://; Telegram delivers to nothing else")
	}
}

// IsHere reports whether hermes is set up, or has already run, on this machine.
func (c Config) IsHere() bool {
	_, err := os.Stat(c.DB)
	return err == nil || c.TelegramToken != ""
}

// OwnURL is how a program on this machine reaches hermes.
func (c Config) OwnURL() string {
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(c.Listen) // checked when it was loaded
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// PublicURLs are where other machines reach hermes: this one first, then those that share its store. There are none if that is not known.
func (c Config) PublicURLs() []string {
	if c.PublicURL == "" {
		return nil
	}
	return append([]string{c.PublicURL}, c.PeerURLs...)
}

// Addresses are where a program on this machine may find the hermes that acts: this one first, then those that share its store, if
// there are any.
func (c Config) Addresses() []string {
	if len(c.PeerURLs) == 0 {
		return []string{c.OwnURL()}
	}
	own := c.OwnURL()
	others := slices.DeleteFunc(c.PublicURLs(), func(url string) bool { return url == own })
	return append([]string{own}, others...)
}

// store reads the URL of a PostgreSQL database, "" for none. It may name several hosts, as libpq's URLs do.
func (r Reader) store(name string, text secret.Text) secret.Text {
	u, ok := parseStore(text)
	fits := ok && (u.Scheme == "postgres" || u.Scheme == "postgresql") && strings.Trim(u.Path, "/") != ""
	return valid(r, name, text, fits, "is not a database's URL, such as postgres://hermes:PASSWORD@db.example/hermes?sslmode=verify-full; in a password, write what is no letter or digit as %%XX")
}

// parseStore parses the URL as of its first host: url.Parse knows no list of them.
func parseStore(text secret.Text) (u *url.URL, ok bool) {
	scheme, rest, found := strings.Cut(text.Reveal(), "://")
	end := strings.IndexAny(rest, "/?#")
	if !found || end < 0 {
		return nil, false
	}
	at := strings.LastIndex(rest[:end], "@") + 1
	for host := range strings.SplitSeq(rest[at:end], ",") {
		one, err := url.Parse(scheme + "://" + rest[:at] + host + rest[end:])
		if err != nil || one.Fragment != "" {
			return nil, false
		}
		u = cmp.Or(u, one)
	}
	return u, true
}

// storeSecrets returns the parts of the database's URL that a log must not show.
func storeSecrets(store secret.Text) []secret.Text {
	u, ok := parseStore(store)
	if !ok {
		return nil
	}
	secrets := []secret.Text{store, secret.Text(u.Query().Get("password"))}
	if password, set := u.User.Password(); set {
		_, spelled, _ := strings.Cut(u.User.String(), ":")
		secrets = append(secrets, secret.Text(password), secret.Text(spelled))
	}
	return secrets
}

// checkStore holds what several hermes need that share a database.
func (c Config) checkStore(wrong *Mistakes) {
	if c.Store != "" && c.HookToken == "" && !wrong.Has("HERMES_HOOK_TOKEN") {
		wrong.Add("HERMES_HOOK_TOKEN", "is not set; with HERMES_STORE, set it to the same 16 characters or more for every hermes that shares the database")
	}
}

// Address is where clients reach this hermes, as far as the configuration says.
func (c Config) Address() string { return cmp.Or(c.PublicURL, c.OwnURL()) }

// checkSTT holds the settings of the transcription server against each other. A key
// goes nowhere in the clear.
func (c Config) checkSTT(wrong *Mistakes) {
	u, err := url.Parse(c.STTURL)
	switch {
	case wrong.Has("HERMES_STT_URL"):
	case c.STTKey != "" && c.STTURL == "":
		wrong.Add("HERMES_STT_KEY", "is set, but HERMES_STT_URL is not; set both or neither")
	case err == nil && c.STTKey != "" && u.Scheme == "http" && !Loopback(u.Hostname()):
		wrong.Add("HERMES_STT_URL", "must begin with https:// (or be of this machine), for others could read HERMES_STT_KEY on the way")
	}
}

// warnSTT says that voices go over the network in the clear, which may be as is wanted.
func (c Config) warnSTT(warnings *Mistakes) {
	u, err := url.Parse(c.STTURL)
	if err == nil && u.Scheme == "http" && !Loopback(u.Hostname()) {
		warnings.Add("HERMES_STT_URL", "is not https://, so whoever is on the way can hear the voice messages; that is fine in a network of your own")
	}
}

// VoiceServer is the transcription server. There is none without HERMES_STT_URL.
func (c Config) VoiceServer(transport http.RoundTripper) (voice.Server, bool) {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.IdleConnTimeout = time.Minute
		transport = t
	}
	return voice.Server{URL: c.STTURL, Key: c.STTKey, Model: c.STTModel, Transport: transport}, c.STTURL != ""
}

// HookTokenFile is where the bearer token of the API is kept if it is not
// configured: beside the database, for its owner alone.
func (c Config) HookTokenFile() string { return filepath.Join(filepath.Dir(c.DB), "hook-token") }

// HookToken returns the bearer token of the API: the configured one, else the
// kept one, else a new one, which it keeps. It may be called by several
// processes at once; all get the same token.
func HookToken(c Config) (secret.Text, error) {
	token, err := KeptHookToken(c)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	if err := keepHookToken(c.HookTokenFile()); err != nil {
		return "", fmt.Errorf("HERMES_HOOK_TOKEN is not set and a new token cannot be kept beside the database; make the directory of HERMES_DB writable: %w", err)
	}
	return KeptHookToken(c)
}

// KeptHookToken is hookToken for the commands that speak to a running hermes:
// where there is no token yet it makes none, and the error is fs.ErrNotExist.
func KeptHookToken(c Config) (secret.Text, error) {
	if c.HookToken != "" {
		return c.HookToken, nil
	}
	path := c.HookTokenFile()
	text, mode, err := ReadSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no token in %s yet, hermes serve makes it at its first start: %w", path, fs.ErrNotExist)
	}
	var wrong Mistakes
	token := Reader{Wrong: &wrong}.hookToken(path, secret.Text(strings.TrimSpace(text)))
	switch {
	case err != nil:
		return "", fmt.Errorf("the API's token in %s cannot be read: %w", path, WithoutPath(err))
	case secret.IsExposed(mode):
		return "", fmt.Errorf("the API's token in %s may be read by others (mode %04o); chmod 600 it, or delete it and start hermes serve again for a new one", path, mode)
	case token == "":
		return "", fmt.Errorf("%s holds no token; delete it and start hermes serve again for a new one", path)
	}
	return token, nil
}

// keepHookToken writes a new token: 32 random bytes in base64url. The file comes
// into being whole, and one that is there already stays.
func keepHookToken(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".hook-token-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	var b [32]byte
	rand.Read(b[:]) // never fails: crypto/rand
	_, err = f.WriteString(base64.RawURLEncoding.EncodeToString(b[:]) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	// A crash before this line leaves a stray file; after it, the token is kept.
	if err := os.Link(f.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
