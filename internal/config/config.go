package config

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/question"
	"hermes/internal/secret"
)

// Config is the configuration, understood and checked. Its secrets print as ***.
type Config struct {
	TelegramToken         secret.Text
	TelegramAPIURL        string // without a slash at the end
	TelegramChats         []Chat // never empty if TelegramUsers is not, unless there are Rules
	TelegramUsers         []chat.UserID
	TelegramProxy         secret.Text // a checked URL that may hold a password, or ""
	TelegramWebhookURL    string      // "": long polling
	TelegramWebhookSecret secret.Text
	Topics                bool // a topic for each root session, where a chat has topics

	Listen      string // host:port
	TLSCert     string // both files or neither
	TLSKey      string
	BehindProxy bool
	PublicURL   string      // where other machines reach hermes, without a slash at the end; "": not known
	PeerURLs    []string    // where they reach the other hermes of the same store
	HookToken   secret.Text // "": kept beside the database, see hookToken
	DB          string      // absolute path

	Store secret.Text   // the checked URL of a database that several hermes share; "": the file of DB
	Lease time.Duration // for how long one of them acts, unless it renews that

	BackupDir  string // absolute; "": no daily copies of the database
	BackupKeep int    // of those, the newest

	OpenCodeURLs     []string // each without a slash at the end
	OpenCodeUsername string
	OpenCodePassword secret.Text
	OpenCodeService  string // path of the file that the service of OpenCode 2 writes; "": it is not looked for

	Rules string // path of the rules file, "" for none

	QuestionTTL     time.Duration // 0: wait for ever
	JournalKeep     time.Duration // 0: for ever
	OnExpiry        question.Expiry
	ResolveAttempts int
	ResolveInterval time.Duration
	NotifyDelay     time.Duration
	Undo            time.Duration // how long a decision can be taken back; 0: it is sent at once
	Show            Show
	Context         bool // cards show what the agent wrote before it asked

	Remote      bool          // sessions can be driven from the chat
	Directories []string      // beside those that are seen, sessions may be made there; whole and clean
	IdleDelay   time.Duration // how long a session must rest before its turn counts as ended
	TurnAfter   time.Duration // how long a turn must run for chats to hear of its end that did not begin it

	STTURL   string // without a slash at the end; "": voice messages are not heard
	STTKey   secret.Text
	STTModel string

	Lang      string // "auto", "en" or "zh"
	LogLevel  slog.Level
	LogFormat string // "text" or "json"

	File     string   // the file that was read, "" for none
	Warnings Mistakes // what works but should be mended; for the log
}

// Chat is a place that gets questions: a chat, and in a forum group a topic of it.
type Chat struct {
	ID    chat.ID
	Topic int // 0: no topic
}

// Options is how a command wants the configuration.
type Options struct {
	File  string // of --config; "": the default place, if there is a file
	Serve bool   // also ask for what only serve cannot do without
}

// Load reads the environment and the file and checks every value. The
// error is of type mistakes and holds all that is wrong at once.
func Load(opts Options) (Config, error) {
	path := configFile(opts.File)
	file, wrong, warnings := readFile(path)
	for _, entry := range slices.Sorted(slices.Values(os.Environ())) {
		name, value, _ := strings.Cut(entry, "=")
		checkName(name, value, false, &wrong, &warnings)
	}
	s, err := readSettings(file)
	if err != nil {
		return Config{}, err
	}
	secretsWrong, secretsOpen := s.readSecrets()
	wrong = append(wrong, secretsWrong...)

	c := s.config(path, &wrong)
	if opts.Serve && len(secretsWrong) == 0 {
		c.checkServe(path, &wrong)
	}
	if c.Rules != "" && len(c.TelegramUsers) > 0 {
		warnings.Add("HERMES_TELEGRAM_USERS", "is not used, for the file of HERMES_RULES says who may answer; take it out")
	}
	if len(c.Directories) > 0 && len(c.OpenCodeURLs) == 0 && c.OpenCodeService == "" && !wrong.Has("HERMES_OPENCODE_URLS") && !wrong.Has("HERMES_OPENCODE_SERVICE") {
		warnings.Add("HERMES_DIRECTORIES", "has no effect without HERMES_OPENCODE_URLS and HERMES_OPENCODE_SERVICE: a TUI of 1.x makes sessions in its own directory alone")
	}
	c.warnSTT(&warnings)
	if c.Store != "" && s.DB != "" {
		warnings.Add("HERMES_DB", "is not used, for HERMES_STORE says where the database is; take it out")
	}
	if c.Rules != "" {
		warnings = append(warnings, WarnWritable(c.Rules)...)
	}
	if !secret.ModesKept {
		warnings.Add("Windows", "keeps who may read a file in lists that hermes does not look at: whether others can read its configuration, token and database is not checked")
	}
	c.File, c.Warnings = path, append(warnings, secretsOpen...)
	return c, wrong.Err()
}

// readFile reads the values of the configuration file, if there is one.
func readFile(path string) (values map[string]string, wrong, warnings Mistakes) {
	if path == "" {
		return nil, nil, nil
	}
	text, mode, err := ReadSmall(path)
	if err != nil {
		wrong.Add(path, "cannot be read: %v", WithoutPath(err))
		return nil, wrong, nil
	}
	if secret.IsExposed(mode) {
		warnings.Add(path, "other users of this machine may read it (mode %04o); chmod 600 it, it may hold secrets", mode)
	}
	values, lines := ParseEnv(text)
	for _, line := range lines {
		wrong.Add(path, "%s", line)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		checkName(name, values[name], true, &wrong, &warnings)
	}
	return values, wrong, warnings
}

// config understands the text of every variable; file is the configuration file, ""
// for none. Each mistake is added to wrong.
func (s settings) config(file string, wrong *Mistakes) Config {
	r := Reader{Wrong: wrong}
	c := Config{
		TelegramToken:         r.Token("HERMES_TELEGRAM_TOKEN", s.TelegramToken),
		TelegramAPIURL:        r.URL("HERMES_TELEGRAM_API_URL", s.TelegramAPIURL),
		TelegramChats:         r.Chats("HERMES_TELEGRAM_CHATS", s.TelegramChats),
		TelegramUsers:         r.Users("HERMES_TELEGRAM_USERS", s.TelegramUsers),
		TelegramProxy:         r.proxy("HERMES_TELEGRAM_PROXY", s.TelegramProxy),
		TelegramWebhookURL:    r.URL("HERMES_TELEGRAM_WEBHOOK_URL", s.TelegramWebhookURL),
		TelegramWebhookSecret: r.webhookSecret("HERMES_TELEGRAM_WEBHOOK_SECRET", s.TelegramWebhookSecret),
		Topics:                r.boolean("HERMES_TOPICS", s.Topics),
		Listen:                s.Listen, // checked with the next three
		TLSCert:               s.TLSCert,
		TLSKey:                s.TLSKey,
		BehindProxy:           r.boolean("HERMES_BEHIND_PROXY", s.BehindProxy),
		HookToken:             r.hookToken("HERMES_HOOK_TOKEN", s.HookToken),
		DB:                    r.database("HERMES_DB", s.DB),
		Store:                 r.store("HERMES_STORE", s.Store),
		Lease:                 r.lease("HERMES_LEASE", s.Lease),
		BackupDir:             r.backupDir("HERMES_BACKUP_DIR", s.BackupDir),
		BackupKeep:            r.count("HERMES_BACKUP_KEEP", s.BackupKeep),
		OpenCodeURLs:          r.URLs("HERMES_OPENCODE_URLS", s.OpenCodeURLs),
		OpenCodeUsername:      r.username("HERMES_OPENCODE_USERNAME", s.OpenCodeUsername),
		OpenCodePassword:      s.OpenCodePassword,
		OpenCodeService:       r.service("HERMES_OPENCODE_SERVICE", s.OpenCodeService),
		Rules:                 r.rules("HERMES_RULES", s.Rules, file),
		QuestionTTL:           r.duration("HERMES_QUESTION_TTL", s.QuestionTTL, 0),
		JournalKeep:           r.duration("HERMES_JOURNAL_KEEP", s.JournalKeep, 0),
		OnExpiry:              choice(r, "HERMES_ON_EXPIRY", s.OnExpiry, question.Expiries()...),
		ResolveAttempts:       r.count("HERMES_RESOLVE_ATTEMPTS", s.ResolveAttempts),
		ResolveInterval:       r.duration("HERMES_RESOLVE_INTERVAL", s.ResolveInterval, time.Millisecond),
		NotifyDelay:           r.duration("HERMES_NOTIFY_DELAY", s.NotifyDelay, 0),
		Undo:                  r.undo("HERMES_UNDO", s.Undo),
		Show:                  choice(r, "HERMES_SHOW", s.Show, ShowAll, ShowKinds),
		Context:               r.boolean("HERMES_CONTEXT", s.Context),
		Remote:                r.boolean("HERMES_REMOTE", s.Remote),
		Directories:           r.directories("HERMES_DIRECTORIES", s.Directories),
		IdleDelay:             r.duration("HERMES_IDLE_DELAY", s.IdleDelay, 0),
		TurnAfter:             r.duration("HERMES_TURN_AFTER", s.TurnAfter, 0),
		STTURL:                r.URL("HERMES_STT_URL", s.STTURL),
		STTKey:                r.sttKey("HERMES_STT_KEY", s.STTKey),
		STTModel:              s.STTModel,
		Lang:                  choice(r, "HERMES_LANG", s.Lang, "auto", "en", "zh"),
		LogLevel:              r.level("HERMES_LOG_LEVEL", s.LogLevel),
		LogFormat:             choice(r, "HERMES_LOG_FORMAT", s.LogFormat, "text", "json"),
	}
	c.PublicURL, c.PeerURLs = r.publicURLs("HERMES_PUBLIC_URL", s.PublicURL)
	c.checkListen(wrong)
	c.checkStore(wrong)
	c.checkWebhook(wrong)
	c.checkSTT(wrong)
	if len(c.TelegramChats) == 0 && s.TelegramChats == "" && c.Rules == "" {
		c.TelegramChats = PrivateChats(c.TelegramUsers)
	}
	return c
}

// PrivateChats returns the chats of the users with the bot: a private chat has
// its user's id (Bot API).
func PrivateChats(users []chat.UserID) []Chat {
	chats := make([]Chat, len(users))
	for i, id := range users {
		chats[i] = Chat{ID: chat.ID(id)}
	}
	return chats
}

// BotID is the bot's id, the public part of its token, which stays when the token is replaced; empty without a token.
func (c Config) BotID() string {
	id, _, _ := strings.Cut(c.TelegramToken.Reveal(), ":")
	return id
}

// Secrets returns all that must be kept out of the logs. The hook token is
// among them only if it is configured.
func (c Config) Secrets() []secret.Text {
	return slices.Concat(proxySecrets(c.TelegramProxy), storeSecrets(c.Store), TokenSecrets(c.TelegramToken),
		[]secret.Text{c.TelegramWebhookSecret, c.HookToken, c.OpenCodePassword, c.STTKey})
}

// Show is the closed set of how much of a permission ask comes to a chat.
type Show string

const (
	ShowAll   Show = "all"   // all of it
	ShowKinds Show = "kinds" // what kind of thing it is, and where to read the rest
)

// Text is the chat as HERMES_TELEGRAM_CHATS has it.
func (c Chat) Text() string {
	if c.Topic != 0 {
		return fmt.Sprintf("%d/%d", c.ID, c.Topic)
	}
	return strconv.FormatInt(int64(c.ID), 10)
}

// Changed returns the names of the variables whose values differ between two configurations, in
// the order of the example. It tells no value.
func Changed(a, b Config) (names []string) {
	t := reflect.TypeFor[settings]()
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range t.NumField() {
		field := t.Field(i)
		was := x.FieldByName(field.Name)
		if was.IsValid() && !reflect.DeepEqual(was.Interface(), y.FieldByName(field.Name).Interface()) {
			names = append(names, field.Tag.Get("envconfig"))
		}
	}
	return names
}
