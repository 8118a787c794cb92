package config

import (
	"fmt"
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

func (r Reader) duration(name, text string, least time.Duration) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < least {
		r.Wrong.Add(name, "is not a duration of at least %v, such as 30m, 90s or 300ms", least)
		return 0
	}
	return d
}

// undo reads how long decisions are held: not at all, or from a second to [question.MaxHold].
func (r Reader) undo(name, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d != 0 && d < time.Second || d > question.MaxHold {
		r.Wrong.Add(name, "is neither 0 nor a duration from a second to %v, such as 10s", question.MaxHold)
		return 0
	}
	return d
}

// count reads a number from 1 to 1000.
func (r Reader) count(name, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1000 {
		r.Wrong.Add(name, "is not a whole number from 1 to 1000")
		return 0
	}
	return n
}

func (r Reader) boolean(name, text string) bool {
	return r.choice(name, text, "true", "false") == "true"
}

func (r Reader) choice(name, text string, choices ...string) string {
	return choiceOf(r, name, text, choices)
}

// choiceOf reads one of a closed set of words.
func choiceOf[T ~string](r Reader, name, text string, choices []T) T {
	if !slices.Contains(choices, T(text)) {
		r.Wrong.Add(name, "is not %s", question.Alternatives(choices, ""))
		return ""
	}
	return T(text)
}

func (r Reader) level(name, text string) slog.Level {
	var level slog.Level
	if r.choice(name, text, "debug", "info", "warn", "error") != "" {
		_ = level.UnmarshalText([]byte(text)) // the four names are slog's own
	}
	return level
}

// Token checks the form of a bot token. A token of another form would end up,
// unmasked, in net/url's errors.
func (r Reader) Token(name string, text secret.Text) secret.Text {
	if text != "" && !botapi.IsToken(text) {
		r.Wrong.Add(name, "is not a bot token, which is digits, a colon and 30 to 64 letters, digits, _ or -; copy it again from @BotFather")
		return ""
	}
	return text
}

// webhookSecret checks what setWebhook allows as secret_token (Bot API).
func (r Reader) webhookSecret(name string, text secret.Text) secret.Text {
	if text != "" && !botapi.IsWebhookSecret(text) {
		r.Wrong.Add(name, "must be 1 to 256 letters, digits, _ and -; Telegram allows no others")
		return ""
	}
	return text
}

// hookToken checks that the token can be sent as a bearer token and not guessed.
func (r Reader) hookToken(name string, text secret.Text) secret.Text {
	form := regexp.MustCompile(`^[!-~]{16,}$`)
	if text != "" && !form.MatchString(text.Reveal()) {
		r.Wrong.Add(name, "must be at least 16 characters without spaces; unset it and hermes makes one")
		return ""
	}
	if link.IsToken(text) {
		r.Wrong.Add(name, "holds the token of a link, which must not open everything; unset it and hermes makes one")
		return ""
	}
	return text
}

// username checks what HTTP Basic authentication can carry (RFC 7617).
func (r Reader) username(name, text string) string {
	if strings.Contains(text, ":") {
		r.Wrong.Add(name, "must not hold a colon; OpenCode could not tell it from the password")
		return ""
	}
	return text
}

// database returns the absolute path of the database: by default
// $XDG_STATE_HOME/hermes/hermes.db, with ~/.local/state for the variable.
func (r Reader) database(name, text string) string {
	if text == "" {
		if dir := XdgDir("XDG_STATE_HOME", filepath.Join(".local", "state")); dir != "" {
			return filepath.Join(dir, "hermes", "hermes.db")
		}
		r.Wrong.Add(name, "is not set, and neither is HOME, so there is no place for the database; set one of them")
		return ""
	}
	path, err := filepath.Abs(text)
	if err != nil || strings.HasPrefix(text, "~") {
		r.Wrong.Add(name, "is not a path that hermes can use; write it whole, ~ is not expanded")
		return ""
	}
	return path
}

// backupDir returns the folder for copies of the database, "" for none.
func (r Reader) backupDir(name, text string) string {
	if text != "" && !filepath.IsAbs(text) {
		r.Wrong.Add(name, "is not a whole path such as /var/backups/hermes; ~ is not expanded")
		return ""
	}
	return text
}

// service returns the absolute path of the file that the service of OpenCode 2 writes, "" for
// none. auto is where OpenCode puts it: $XDG_STATE_HOME/opencode/service.json, with
// ~/.local/state for the variable. Without a home there is none to be found.
func (r Reader) service(name, text string) string {
	switch {
	case text == "off":
		return ""
	case text == "auto":
		if dir := XdgDir("XDG_STATE_HOME", filepath.Join(".local", "state")); dir != "" {
			return filepath.Join(dir, "opencode", "service.json")
		}
		return ""
	case !filepath.IsAbs(text):
		r.Wrong.Add(name, "is not auto, off or the whole path of a service.json; ~ is not expanded")
		return ""
	}
	return filepath.Clean(text)
}

// rules returns the absolute path of the rules file; a relative one begins in the folder
// of the configuration file, "" if there is none.
func (r Reader) rules(name, text, file string) string {
	switch {
	case text == "":
		return ""
	case filepath.IsAbs(text):
		return text
	case file == "" || strings.HasPrefix(text, "~"):
		r.Wrong.Add(name, "is not a path that hermes can use; write it whole (~ is not expanded), or from the folder of the configuration file, if there is one")
		return ""
	}
	path, err := filepath.Abs(filepath.Join(filepath.Dir(file), text))
	if err != nil {
		r.Wrong.Add(name, "is not a path that hermes can use; write it whole")
	}
	return path
}

// directories reads a list of directories, each once. They are those of the machine that
// OpenCode runs on, which may be another one, so whether they are there is not looked up.
func (r Reader) directories(name, text string) []string {
	var all []string
	for i, entry := range splitList(text) {
		clean := path.Clean(entry)
		switch {
		case windowsPath.MatchString(entry) && !strings.Contains(entry, ".."):
			clean = entry
		case !path.IsAbs(entry):
			r.Wrong.Add(name, "%s is not a whole path such as /home/me/src/shop; ~ is not expanded", entryName(i))
			continue
		case slices.Contains(strings.Split(entry, "/"), ".."):
			r.Wrong.Add(name, "%s goes up by ..; write the directory itself", entryName(i))
			continue
		}
		if !slices.Contains(all, clean) {
			all = append(all, clean)
		}
	}
	return all
}

// windowsPath is how a whole path begins on Windows.
var windowsPath = regexp.MustCompile(`^[A-Za-z]:[\\/]`)

// entryName names an element of a list in a mistake, since the list is not shown.
func entryName(i int) string { return fmt.Sprintf("entry %d", i+1) }

// splitList splits at commas and trims; an empty text is an empty list.
func splitList(text string) []string {
	if text == "" {
		return nil
	}
	entries := strings.Split(text, ",")
	for i, entry := range entries {
		entries[i] = strings.TrimSpace(entry)
	}
	return entries
}

// Chats reads ids of chats, each with a forum topic after a slash or without.
// One that stands twice is taken once: it would be asked twice.
func (r Reader) Chats(name, text string) []Chat {
	var chats []Chat
	for i, entry := range splitList(text) {
		c, ok := parseChat(entry)
		if !ok {
			r.Wrong.Add(name, "%s is not a chat id, such as 123456789 or -1001234567890, or -1001234567890/5 for topic 5 of a forum group", entryName(i))
		} else if !slices.Contains(chats, c) {
			chats = append(chats, c)
		}
	}
	return chats
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
	var users []chat.UserID
	for i, entry := range splitList(text) {
		id, err := strconv.ParseInt(entry, 10, 64)
		switch {
		case err != nil || id <= 0:
			r.Wrong.Add(name, "%s is not a numeric user id, such as 123456789; a @name or a group cannot answer (a running hermes tells their id to whoever presses Start at the bot)", entryName(i))
		case isServiceAccount(id):
			r.Wrong.Add(name, "%s is an id that Telegram uses for many people; name each person by their own id", entryName(i))
		case !slices.Contains(users, chat.UserID(id)):
			users = append(users, chat.UserID(id))
		}
	}
	return users
}

// isServiceAccount reports Telegram's own senders: service messages, anonymous group
// administrators and channels (TDLib's UserManager).
func isServiceAccount(id int64) bool {
	return id == 777000 || id == 1087968824 || id == 136817688
}

// URL reads the root of an HTTP server; "" stays "".
func (r Reader) URL(name, text string) string {
	if text == "" {
		return ""
	}
	if !isHostURL(text) {
		r.Wrong.Add(name, "is not a URL that begins with http:// or https://, without user, password, ? and #")
		return ""
	}
	return strings.TrimRight(text, "/")
}

// URLs reads a list of roots, each once.
func (r Reader) URLs(name, text string) []string {
	var urls []string
	for i, entry := range splitList(text) {
		switch trimmed := strings.TrimRight(entry, "/"); {
		case !isHostURL(entry):
			r.Wrong.Add(name, "%s is not a URL such as http://127.0.0.1:4096; user and password belong into HERMES_OPENCODE_USERNAME and HERMES_OPENCODE_PASSWORD", entryName(i))
		case !slices.Contains(urls, trimmed):
			urls = append(urls, trimmed)
		}
	}
	return urls
}

// publicURLs reads where other machines reach this hermes, and behind it the others that share its store: what they send there must
// not cross a network in the clear.
func (r Reader) publicURLs(name, text string) (own string, peers []string) {
	urls := r.safeURLs(name, text)
	if len(urls) == 0 {
		return "", nil
	}
	return urls[0], append([]string(nil), urls[1:]...)
}

// safeURLs reads a list of roots to which secrets are sent, each once.
func (r Reader) safeURLs(name, text string) []string {
	var urls []string
	entries := splitList(text)
	for i, entry := range entries {
		trimmed, which := strings.TrimRight(entry, "/"), ""
		if len(entries) > 1 {
			which = entryName(i) + " "
		}
		switch {
		case !IsSafeURL(entry):
			r.Wrong.Add(name, "%sis not a URL such as https://hermes.example; http:// is only for this machine, as through a tunnel (http://127.0.0.1:4097)", which)
		case !slices.Contains(urls, trimmed):
			urls = append(urls, trimmed)
		}
	}
	return urls
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
	if text != "" && (err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)) {
		r.Wrong.Add(name, "is not a proxy's URL, such as http://127.0.0.1:3128 or socks5://127.0.0.1:1080")
		return ""
	}
	return text
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
