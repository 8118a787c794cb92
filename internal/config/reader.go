package config

import (
	"log/slog"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
	"hermes/opencode/link"
	"hermes/telegram/botapi"
)

// Reader understands single values. A value that it does not understand is
// noted, never shown, and read as the zero value.
type Reader struct{ Wrong *Mistakes }

// valid is the text, if it is empty or fits; else the mistake is noted.
func valid[T ~string](r Reader, name string, text T, fits bool, mistake string, args ...any) T {
	if text == "" || fits {
		return text
	}
	r.Wrong.Add(name, mistake, args...)
	return ""
}

func (r Reader) duration(name, text string, least time.Duration) time.Duration {
	d, err := time.ParseDuration(text)
	valid(r, name, text, err == nil && d >= least, "is not a duration of at least %v, such as 30m, 90s or 300ms", least)
	return d
}

// undo reads how long decisions are held: not at all, or from a second to [question.MaxHold].
func (r Reader) undo(name, text string) time.Duration {
	d, err := time.ParseDuration(text)
	fits := err == nil && (d == 0 || d >= time.Second && d <= question.MaxHold)
	valid(r, name, text, fits, "is neither 0 nor a duration from a second to %v, such as 10s", question.MaxHold)
	return d
}

// The bounds of HERMES_LEASE: a shorter lease is lost by a slow answer of the database, a longer one leaves everybody without a hermes for longer.
const (
	shortestLease = 2 * time.Second
	longestLease  = time.Minute
)

func (r Reader) lease(name, text string) time.Duration {
	d, err := time.ParseDuration(text)
	valid(r, name, text, err == nil && d >= shortestLease && d <= longestLease, "is not a duration from %v to %v, such as 6s", shortestLease, longestLease)
	return d
}

// count reads a number from 1 to 1000.
func (r Reader) count(name, text string) int {
	n, err := strconv.Atoi(text)
	valid(r, name, text, err == nil && n >= 1 && n <= 1000, "is not a whole number from 1 to 1000")
	return n
}

func (r Reader) boolean(name, text string) bool {
	return choice(r, name, text, "true", "false") == "true"
}

// choice reads one of a closed set of words.
func choice[T ~string](r Reader, name, text string, choices ...T) T {
	return valid(r, name, T(text), slices.Contains(choices, T(text)), "is not %s", question.Alternatives(choices, ""))
}

func (r Reader) level(name, text string) (level slog.Level) {
	_ = level.UnmarshalText([]byte(choice(r, name, text, "debug", "info", "warn", "error"))) // the four names are slog's own
	return level
}

// Token checks the form of a bot token. A token of another form would end up,
// unmasked, in net/url's errors.
func (r Reader) Token(name string, text secret.Text) secret.Text {
	return valid(r, name, text, botapi.IsToken(text), "is not a bot token, which is digits, a colon and 30 to 64 letters, digits, _ or -; copy it again from @BotFather")
}

// webhookSecret checks what setWebhook allows as secret_token (Bot API).
func (r Reader) webhookSecret(name string, text secret.Text) secret.Text {
	return valid(r, name, text, botapi.IsWebhookSecret(text), "must be 1 to 256 letters, digits, _ and -; Telegram allows no others")
}

// hookToken checks that the token can be sent as a bearer token and not guessed.
func (r Reader) hookToken(name string, text secret.Text) secret.Text {
	form := regexp.MustCompile(`^[!-~]{16,}$`)
	text = valid(r, name, text, form.MatchString(text.Reveal()), "must be at least 16 characters without spaces; unset it and hermes makes one")
	return valid(r, name, text, !link.IsToken(text), "holds the token of a link, which must not open everything; unset it and hermes makes one")
}

// sttKey checks what a header can carry.
func (r Reader) sttKey(name string, text secret.Text) secret.Text {
	odd := strings.ContainsFunc(text.Reveal(), func(c rune) bool { return c < '!' || c > '~' })
	return valid(r, name, text, !odd, "must be letters, digits and signs without spaces")
}

// username checks what HTTP Basic authentication can carry (RFC 7617).
func (r Reader) username(name, text string) string {
	return valid(r, name, text, !strings.Contains(text, ":"), "must not hold a colon; OpenCode could not tell it from the password")
}

// database returns the absolute path of the database: by default
// $XDG_STATE_HOME/hermes/hermes.db, with ~/.local/state for the variable.
func (r Reader) database(name, text string) string {
	if text == "" {
		dir := stateDir()
		if dir == "" {
			r.Wrong.Add(name, "is not set, and neither is HOME, so there is no place for the database; set one of them")
			return ""
		}
		return filepath.Join(dir, "hermes", "hermes.db")
	}
	path, err := filepath.Abs(text)
	return valid(r, name, path, err == nil && !strings.HasPrefix(text, "~"), "is not a path that hermes can use; write it whole, ~ is not expanded")
}

func stateDir() string { return XdgDir("XDG_STATE_HOME", filepath.Join(".local", "state")) }

// backupDir returns the folder for copies of the database, "" for none.
func (r Reader) backupDir(name, text string) string {
	return valid(r, name, text, filepath.IsAbs(text), "is not a whole path such as /var/backups/hermes; ~ is not expanded")
}

// service returns the absolute path of the file that the service of OpenCode 2 writes, "" for
// none. auto is where OpenCode puts it: $XDG_STATE_HOME/opencode/service.json, with
// ~/.local/state for the variable. Without a home there is none to be found.
func (r Reader) service(name, text string) string {
	switch dir := stateDir(); {
	case text == "off", text == "auto" && dir == "":
		return ""
	case text == "auto":
		return filepath.Join(dir, "opencode", "service.json")
	}
	return valid(r, name, filepath.Clean(text), filepath.IsAbs(text), "is not auto, off or the whole path of a service.json; ~ is not expanded")
}

// rules returns the absolute path of the rules file; a relative one begins in the folder
// of the configuration file, "" if there is none.
func (r Reader) rules(name, text, file string) string {
	if text == "" || filepath.IsAbs(text) {
		return text
	}
	path, err := filepath.Abs(filepath.Join(filepath.Dir(file), text))
	return valid(r, name, path, err == nil && file != "" && !strings.HasPrefix(text, "~"),
		"is not a path that hermes can use; write it whole (~ is not expanded), or from the folder of the configuration file, if there is one")
}

// windowsPath is how a whole path begins on Windows.
var windowsPath = regexp.MustCompile(`^[A-Za-z]:[\\/]`)

// directories reads a list of directories, each once. They are those of the machine that
// OpenCode runs on, which may be another one, so whether they are there is not looked up.
func (r Reader) directories(name, text string) []string {
	return listOf(r, name, text, func(entry string) (string, string) {
		switch {
		case windowsPath.MatchString(entry) && !strings.Contains(entry, ".."):
			return entry, ""
		case !path.IsAbs(entry):
			return "", "is not a whole path such as /home/me/src/shop; ~ is not expanded"
		case slices.Contains(strings.Split(entry, "/"), ".."):
			return "", "goes up by ..; write the directory itself"
		}
		return path.Clean(entry), ""
	})
}

// listOf reads a list with commas between, each entry once. A mistake names the place of an entry, since the list is not shown.
func listOf[T comparable](r Reader, name, text string, read func(entry string) (one T, mistake string)) []T {
	var all []T
	if text == "" {
		return nil
	}
	for i, entry := range strings.Split(text, ",") {
		one, mistake := read(strings.TrimSpace(entry))
		switch {
		case mistake != "":
			r.Wrong.Add(name, "entry %d %s", i+1, mistake)
		case !slices.Contains(all, one):
			all = append(all, one)
		}
	}
	return all
}

// Chats reads ids of chats, each with a forum topic after a slash or without.
// One that stands twice is taken once: it would be asked twice.
func (r Reader) Chats(name, text string) []Chat {
	return listOf(r, name, text, func(entry string) (Chat, string) {
		c, ok := parseChat(entry)
		if !ok {
			return c, "is not a chat id, such as 123456789 or -1001234567890, or -1001234567890/5 for topic 5 of a forum group"
		}
		return c, ""
	})
}

func parseChat(text string) (Chat, bool) {
	id, topic, hasTopic := strings.Cut(text, "/")
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n == 0 {
		return Chat{}, false
	}
	if !hasTopic {
		return Chat{ID: chat.ID(n)}, true
	}
	t, err := strconv.ParseInt(topic, 10, 32)
	return Chat{ID: chat.ID(n), Topic: int(t)}, err == nil && t > 0 && n < 0
}

// Users reads the ids of the people who may answer. Ids that Telegram uses for
// many senders at once are refused: to allow one is to allow everybody.
func (r Reader) Users(name, text string) []chat.UserID {
	return listOf(r, name, text, func(entry string) (chat.UserID, string) {
		id, err := strconv.ParseInt(entry, 10, 64)
		switch {
		case err != nil || id <= 0:
			return 0, "is not a numeric user id, such as 123456789; a @name or a group cannot answer (a running hermes tells their id to whoever presses Start at the bot)"
		case isServiceAccount(id):
			return 0, "is an id that Telegram uses for many people; name each person by their own id"
		}
		return chat.UserID(id), ""
	})
}

// isServiceAccount reports Telegram's own senders: service messages, anonymous group
// administrators and channels (TDLib's UserManager).
func isServiceAccount(id int64) bool {
	return id == 777000 || id == 1087968824 || id == 136817688
}

// URL reads the root of an HTTP server; "" stays "".
func (r Reader) URL(name, text string) string {
	return valid(r, name, strings.TrimRight(text, "/"), isHostURL(text), "is not a URL that begins with http:// or https://, without user, password, ? and #")
}

// URLs reads a list of roots, each once.
func (r Reader) URLs(name, text string) []string {
	return listOf(r, name, text, func(entry string) (string, string) {
		if !isHostURL(entry) {
			return "", "is not a URL such as http://127.0.0.1:4096; user and password belong into HERMES_OPENCODE_USERNAME and HERMES_OPENCODE_PASSWORD"
		}
		return strings.TrimRight(entry, "/"), ""
	})
}

// publicURLs reads where other machines reach this hermes, and behind it the others that share its store: what they send there must
// not cross a network in the clear.
func (r Reader) publicURLs(name, text string) (own string, peers []string) {
	urls := listOf(r, name, text, func(entry string) (string, string) {
		if !IsSafeURL(entry) {
			return "", "is not a URL such as https://hermes.example; http:// is only for this machine, as through a tunnel (http://127.0.0.1:4097)"
		}
		return strings.TrimRight(entry, "/"), ""
	})
	if len(urls) == 0 {
		return "", nil
	}
	return urls[0], append([]string(nil), urls[1:]...)
}

// safeURL is what a URL may be made of that stands in a command line as it is.
var safeURL = regexp.MustCompile(`^https?://[A-Za-z0-9.:/_~\[\]-]+$`)

// IsSafeURL reports whether what is sent to the root of an HTTP server cannot be read on the way: by TLS, or as it stays on this machine.
func IsSafeURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && isHostURL(text) && safeURL.MatchString(text) && (u.Scheme == "https" || Loopback(u.Hostname()))
}

// isHostURL reports whether the text is an http(s) URL of nothing but host and path.
func isHostURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		u.User == nil && !strings.ContainsAny(text, "?#")
}

// proxy reads the URL of a proxy, which may hold a user and a password.
func (r Reader) proxy(name string, text secret.Text) secret.Text {
	u, err := url.Parse(text.Reveal())
	fits := err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
	return valid(r, name, text, fits, "is not a proxy's URL, such as http://127.0.0.1:3128 or socks5://127.0.0.1:1080")
}

// proxySecrets returns the parts of a proxy's URL that a log must not show.
func proxySecrets(proxy secret.Text) []secret.Text {
	u, err := url.Parse(proxy.Reveal())
	if err != nil || u.User == nil {
		return nil
	}
	password, _ := u.User.Password()
	return []secret.Text{secret.Text(u.User.String()), secret.Text(password)}
}

// TokenSecrets returns a bot token and its part after the colon, which is secret
// alone too. The digits before are the bot's public id.
func TokenSecrets(token secret.Text) []secret.Text {
	_, key, _ := strings.Cut(token.Reveal(), ":")
	return []secret.Text{token, secret.Text(key)}
}
