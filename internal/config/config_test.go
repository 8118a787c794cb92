package config_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

func TestConfig_LoadDefaults(t *testing.T) {
	home := testenv.Isolate(t)
	got, err := config.Load(config.Options{})
	want := config.Config{
		TelegramAPIURL:   "https://api.telegram.org",
		TelegramChats:    []config.Chat{},
		Listen:           "127.0.0.1:4097",
		DB:               filepath.Join(home, ".local/state/hermes/hermes.db"),
		OpenCodeUsername: "opencode",
		OpenCodeService:  filepath.Join(home, ".local/state/opencode/service.json"),
		QuestionTTL:      30 * time.Minute,
		BackupKeep:       7, Lease: 6 * time.Second, JournalKeep: 90 * 24 * time.Hour,
		OnExpiry:        question.ExpireReject,
		ResolveAttempts: 20,
		ResolveInterval: 300 * time.Millisecond,
		NotifyDelay:     800 * time.Millisecond,
		Show:            config.ShowAll,
		Context:         true,
		Remote:          true,
		IdleDelay:       5 * time.Second,
		TurnAfter:       2 * time.Minute,
		STTModel:        "whisper-1",
		Lang:            "auto",
		LogLevel:        slog.LevelInfo,
		LogFormat:       "text",
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestConfig_LoadValues(t *testing.T) {
	testenv.Isolate(t)
	path := testenv.WriteFile(t, "hermes.env", `
# a comment
HERMES_TELEGRAM_TOKEN=`+testenv.GoodToken+`
HERMES_TELEGRAM_API_URL=http://127.0.0.1:8081/
HERMES_TELEGRAM_CHATS= 1, -1001234567890/5 ,1
HERMES_TELEGRAM_USERS=1, 2
HERMES_TELEGRAM_PROXY=socks5://user:pass@127.0.0.1:1080
HERMES_TELEGRAM_WEBHOOK_URL=https://hermes.example.org/telegram
HERMES_TELEGRAM_WEBHOOK_SECRET=webhook-secret
HERMES_LISTEN=0.0.0.0:4097
HERMES_BEHIND_PROXY=true
HERMES_TOPICS=true
HERMES_PUBLIC_URL=https://hermes.example/
HERMES_HOOK_TOKEN="0123456789abcdef"
HERMES_DB=/var/lib/hermes/hermes.db
HERMES_OPENCODE_URLS=http://127.0.0.1:4096/, http://[::1]:4096
HERMES_OPENCODE_USERNAME=me
HERMES_OPENCODE_PASSWORD=pa$HOME #ss
HERMES_OPENCODE_SERVICE=/run/user/1000/service.json
HERMES_QUESTION_TTL=0
HERMES_JOURNAL_KEEP=720h
HERMES_BACKUP_DIR=/mnt/nas/hermes
HERMES_BACKUP_KEEP=30
HERMES_ON_EXPIRY=wait
HERMES_RESOLVE_ATTEMPTS=3
HERMES_RESOLVE_INTERVAL=1s
HERMES_NOTIFY_DELAY=0s
HERMES_UNDO=10s
HERMES_SHOW=kinds
HERMES_CONTEXT=false
HERMES_REMOTE=false
HERMES_IDLE_DELAY=9s
HERMES_TURN_AFTER=3m
HERMES_STT_URL=http://127.0.0.1:8000/v1/
HERMES_STT_KEY=sk-1
HERMES_STT_MODEL=base.en
HERMES_DIRECTORIES=/srv/shop/, /srv/web , /srv/shop
HERMES_LANG=zh
HERMES_LOG_LEVEL=debug
HERMES_LOG_FORMAT=json
`)
	got, err := config.Load(config.Options{File: path, Serve: true})
	want := config.Config{
		TelegramToken:         testenv.GoodToken,
		TelegramAPIURL:        "http://127.0.0.1:8081",
		TelegramChats:         []config.Chat{{ID: 1}, {ID: -1001234567890, Topic: 5}},
		TelegramUsers:         []chat.UserID{1, 2},
		TelegramProxy:         "socks5://user:pass@127.0.0.1:1080",
		TelegramWebhookURL:    "https://hermes.example.org/telegram",
		TelegramWebhookSecret: "webhook-secret",
		Listen:                "0.0.0.0:4097",
		BehindProxy:           true,
		PublicURL:             "https://hermes.example",
		Topics:                true,
		HookToken:             "0123456789abcdef",
		DB:                    "/var/lib/hermes/hermes.db",
		BackupDir:             "/mnt/nas/hermes",
		BackupKeep:            30, Lease: 6 * time.Second,
		OpenCodeURLs:     []string{"http://127.0.0.1:4096", "http://[::1]:4096"},
		OpenCodeUsername: "me",
		OpenCodePassword: "pa$HOME #ss",
		OpenCodeService:  "/run/user/1000/service.json",
		JournalKeep:      720 * time.Hour, OnExpiry: question.ExpireWait,
		ResolveAttempts: 3,
		ResolveInterval: time.Second,
		Undo:            10 * time.Second,
		Directories:     []string{"/srv/shop", "/srv/web"},
		Show:            config.ShowKinds,
		IdleDelay:       9 * time.Second,
		TurnAfter:       3 * time.Minute,
		STTURL:          "http://127.0.0.1:8000/v1",
		STTKey:          "sk-1",
		STTModel:        "base.en",
		Lang:            "zh",
		LogLevel:        slog.LevelDebug,
		LogFormat:       "json",
		File:            path,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestConfig_ChatsDefaultToTheUsersPrivateChats(t *testing.T) {
	testenv.Isolate(t)
	c, err := rig.LoadFile(t, "HERMES_TELEGRAM_TOKEN="+testenv.GoodToken+"\nHERMES_TELEGRAM_USERS=7, 8\n")
	if want := []config.Chat{{ID: 7}, {ID: 8}}; err != nil || !reflect.DeepEqual(c.TelegramChats, want) {
		t.Errorf("got %v, %v, want %v", c.TelegramChats, err, want)
	}
}

func TestConfig_EnvironmentWinsOverFileWinsOverDefault(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LANG", "en")
	t.Setenv("HERMES_QUESTION_TTL", "") // hides the file's and means the default
	t.Setenv("LANG", "zh")              // not ours
	path := testenv.WriteFile(t, "hermes.env", "HERMES_LANG=zh\nHERMES_QUESTION_TTL=1h\nHERMES_NOTIFY_DELAY=2s\n")
	c, err := config.Load(config.Options{File: path})
	if err != nil || c.Lang != "en" || c.QuestionTTL != 30*time.Minute || c.NotifyDelay != 2*time.Second {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, set := os.LookupEnv("HERMES_NOTIFY_DELAY"); set {
		t.Error("loading put a variable of the file into the environment")
	}
}

func TestConfig_DefaultFile(t *testing.T) {
	home := testenv.Isolate(t)
	place := map[string]string{
		filepath.Join(home, ".config"): "en",
		filepath.Join(home, "xdg"):     "zh",
	}
	for dir, lang := range place {
		if err := os.MkdirAll(filepath.Join(dir, "hermes"), 0o700); err != nil {
			t.Fatal(err)
		}
		text := []byte("HERMES_LANG=" + lang + "\n")
		if err := os.WriteFile(filepath.Join(dir, "hermes", "hermes.env"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := config.Load(config.Options{}); err != nil || c.Lang != "en" {
		t.Errorf("without XDG_CONFIG_HOME: got %q, %v", c.Lang, err)
	}
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	c, err := config.Load(config.Options{})
	if err != nil || c.Lang != "zh" || c.DB != filepath.Join(home, "state/hermes/hermes.db") {
		t.Errorf("with XDG directories: got %q, %q, %v", c.Lang, c.DB, err)
	}
	if _, err := config.Load(config.Options{File: filepath.Join(home, "none.env")}); !errors.As(err, new(config.Mistakes)) ||
		!strings.Contains(err.Error(), "there is no such file") {
		t.Errorf("a named file that is not there: got %v", err)
	}
}

func TestConfig_ServiceOfOpenCode2(t *testing.T) {
	home := testenv.Isolate(t)
	for line, want := range map[string]string{
		"":                             filepath.Join(home, ".local/state/opencode/service.json"),
		"HERMES_OPENCODE_SERVICE=":     filepath.Join(home, ".local/state/opencode/service.json"),
		"HERMES_OPENCODE_SERVICE=auto": filepath.Join(home, ".local/state/opencode/service.json"),
		"HERMES_OPENCODE_SERVICE=off":  "",
		"HERMES_OPENCODE_SERVICE=/srv/opencode/../service-next.json": "/srv/service-next.json",
	} {
		if c, err := rig.LoadFile(t, rig.WellFormed+line+"\n"); err != nil || c.OpenCodeService != want {
			t.Errorf("%q: got %q, %v, want %q", line, c.OpenCodeService, err, want)
		}
	}
	t.Setenv("XDG_STATE_HOME", "/srv/state")
	if c, err := rig.LoadFile(t, rig.WellFormed); err != nil || c.OpenCodeService != "/srv/state/opencode/service.json" {
		t.Errorf("got %q, %v", c.OpenCodeService, err)
	}
}
