package config

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kelseyhightower/envconfig"

	"hermes/internal/secret"
)

// settings is the text of every variable that hermes knows, before any of it is
// understood. All fields are strings, because envconfig stops at the first value
// that it cannot convert and prints it, secrets too. The tags carry the whole
// names: with a prefix, envconfig also reads the name without it, and LANG is
// set on every machine.
type settings struct {
	TelegramToken         secret.Text `envconfig:"HERMES_TELEGRAM_TOKEN"`
	TelegramTokenFile     string      `envconfig:"HERMES_TELEGRAM_TOKEN_FILE"`
	TelegramAPIURL        string      `envconfig:"HERMES_TELEGRAM_API_URL" default:"https://api.telegram.org"`
	TelegramChats         string      `envconfig:"HERMES_TELEGRAM_CHATS"`
	TelegramUsers         string      `envconfig:"HERMES_TELEGRAM_USERS"`
	TelegramProxy         secret.Text `envconfig:"HERMES_TELEGRAM_PROXY"`
	TelegramWebhookURL    string      `envconfig:"HERMES_TELEGRAM_WEBHOOK_URL"`
	TelegramWebhookSecret secret.Text `envconfig:"HERMES_TELEGRAM_WEBHOOK_SECRET"`
	TelegramWebhookFile   string      `envconfig:"HERMES_TELEGRAM_WEBHOOK_SECRET_FILE"`
	Topics                string      `envconfig:"HERMES_TOPICS" default:"false"`
	Listen                string      `envconfig:"HERMES_LISTEN" default:"127.0.0.1:4097"`
	TLSCert               string      `envconfig:"HERMES_TLS_CERT"`
	TLSKey                string      `envconfig:"HERMES_TLS_KEY"`
	BehindProxy           string      `envconfig:"HERMES_BEHIND_PROXY" default:"false"`
	PublicURL             string      `envconfig:"HERMES_PUBLIC_URL"`
	HookToken             secret.Text `envconfig:"HERMES_HOOK_TOKEN"`
	HookTokenFile         string      `envconfig:"HERMES_HOOK_TOKEN_FILE"`
	DB                    string      `envconfig:"HERMES_DB"`
	Store                 secret.Text `envconfig:"HERMES_STORE"`
	StoreFile             string      `envconfig:"HERMES_STORE_FILE"`
	Lease                 string      `envconfig:"HERMES_LEASE" default:"6s"`
	OpenCodeURLs          string      `envconfig:"HERMES_OPENCODE_URLS"`
	OpenCodeUsername      string      `envconfig:"HERMES_OPENCODE_USERNAME" default:"opencode"`
	OpenCodePassword      secret.Text `envconfig:"HERMES_OPENCODE_PASSWORD"`
	OpenCodePasswordFile  string      `envconfig:"HERMES_OPENCODE_PASSWORD_FILE"`
	OpenCodeService       string      `envconfig:"HERMES_OPENCODE_SERVICE" default:"auto"`
	QuestionTTL           string      `envconfig:"HERMES_QUESTION_TTL" default:"30m"`
	OnExpiry              string      `envconfig:"HERMES_ON_EXPIRY" default:"reject"`
	ResolveAttempts       string      `envconfig:"HERMES_RESOLVE_ATTEMPTS" default:"20"`
	ResolveInterval       string      `envconfig:"HERMES_RESOLVE_INTERVAL" default:"300ms"`
	NotifyDelay           string      `envconfig:"HERMES_NOTIFY_DELAY" default:"800ms"`
	Undo                  string      `envconfig:"HERMES_UNDO" default:"0"`
	Show                  string      `envconfig:"HERMES_SHOW" default:"all"`
	Context               string      `envconfig:"HERMES_CONTEXT" default:"true"`
	Remote                string      `envconfig:"HERMES_REMOTE" default:"true"`
	Directories           string      `envconfig:"HERMES_DIRECTORIES"`
	IdleDelay             string      `envconfig:"HERMES_IDLE_DELAY" default:"5s"`
	TurnAfter             string      `envconfig:"HERMES_TURN_AFTER" default:"2m"`
	STTURL                string      `envconfig:"HERMES_STT_URL"`
	STTKey                secret.Text `envconfig:"HERMES_STT_KEY"`
	STTKeyFile            string      `envconfig:"HERMES_STT_KEY_FILE"`
	STTModel              string      `envconfig:"HERMES_STT_MODEL" default:"whisper-1"`
	BackupDir             string      `envconfig:"HERMES_BACKUP_DIR"`
	BackupKeep            string      `envconfig:"HERMES_BACKUP_KEEP" default:"7"`
	JournalKeep           string      `envconfig:"HERMES_JOURNAL_KEEP" default:"2160h"`
	Rules                 string      `envconfig:"HERMES_RULES"`
	Lang                  string      `envconfig:"HERMES_LANG" default:"auto"`
	LogLevel              string      `envconfig:"HERMES_LOG_LEVEL" default:"info"`
	LogFormat             string      `envconfig:"HERMES_LOG_FORMAT" default:"text"`
}

// readSettings takes the environment first, then the file's values, then the
// defaults. A variable that is set and empty in the environment hides the
// file's, and means the default.
func readSettings(file map[string]string) (settings, error) {
	var s settings
	if err := envconfig.Process("", &s); err != nil {
		return settings{}, err
	}
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		tag, field := v.Type().Field(i).Tag, v.Field(i)
		name := tag.Get("envconfig")
		if text, ok := file[name]; ok && !InEnvironment(name) {
			field.SetString(text)
		}
		field.SetString(strings.TrimSpace(field.String()))
		if field.String() == "" {
			field.SetString(tag.Get("default"))
		}
	}
	return s, nil
}

// InEnvironment reports whether the process got the variable, empty or not.
func InEnvironment(name string) bool {
	_, ok := os.LookupEnv(name)
	return ok
}

// Variables returns the names of all variables that hermes knows, with their
// defaults, "" where there is none or it depends on the machine.
func Variables() map[string]string {
	known := map[string]string{}
	t := reflect.TypeFor[settings]()
	for i := range t.NumField() {
		known[t.Field(i).Tag.Get("envconfig")] = t.Field(i).Tag.Get("default")
	}
	return known
}

// Prefix starts the name of every variable of hermes.
const Prefix = "HERMES_"

// apiApprovals let earlier versions take decisions about permissions from programs.
const apiApprovals = "HERMES_API_APPROVALS"

// checkName says what is wrong with a variable that hermes does not know. In the configuration file each one is a mistake. In the
// environment one is that is a slip away from a known name; others are only worth a warning, as other programs use the prefix too
// (Kubernetes sets HERMES_SERVICE_HOST in every pod beside a service of that name). HERMES_URL and HERMES_TOKEN are the plugin's own.
func checkName(name, value string, inFile bool, wrong, warnings *Mistakes) {
	if _, known := Variables()[name]; known {
		return
	}
	switch on, err := strconv.ParseBool(value); {
	case name == apiApprovals && (value == "" || err == nil && !on):
		warnings.Add(name, "is not used any more: programs never decide permission asks; take it out")
	case name == apiApprovals:
		wrong.Add(name, "is gone: only a person allows a permission, in the chat; take it out, and write what may run unasked into opencode.json")
	case !inFile && (!strings.HasPrefix(name, Prefix) || name == "HERMES_URL" || name == "HERMES_TOKEN"):
	case inFile || didYouMean(name) != "":
		wrong.Add(name, "is not a variable of hermes%s", didYouMean(name))
	default:
		warnings.Add(name, "is not a variable of hermes and is ignored")
	}
}

// didYouMean returns "; did you mean …?" for the closest known name, or "" if
// none is close: two letters away, or one for the shortest names; the prefix may
// be missing.
func didYouMean(name string) string {
	best, least := "", 3
	for _, known := range slices.Sorted(maps.Keys(Variables())) {
		d := min(editDistance(name, known), editDistance(Prefix+name, known))
		if d < min(least, len(known)-len(Prefix)) {
			best, least = known, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance counts the letters to insert, delete or replace between a and b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
