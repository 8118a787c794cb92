package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

func TestMistakes(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"HERMES_TELEGRAM_API_URL=api.telegram.org", "HERMES_TELEGRAM_API_URL: is not a URL"},
		{"HERMES_TELEGRAM_API_URL=https://u:p@api.telegram.org", "HERMES_TELEGRAM_API_URL: is not a URL"},
		{"HERMES_TELEGRAM_API_URL=https://api.telegram.org?a=b", "HERMES_TELEGRAM_API_URL: is not a URL"},
		{"HERMES_TELEGRAM_CHATS=1,@me", "HERMES_TELEGRAM_CHATS: entry 2 is not a chat id"},
		{"HERMES_TELEGRAM_CHATS=1,,2", "HERMES_TELEGRAM_CHATS: entry 2 is not a chat id"},
		{"HERMES_TELEGRAM_CHATS=0", "HERMES_TELEGRAM_CHATS: entry 1 is not a chat id"},
		{"HERMES_TELEGRAM_CHATS=-100/0", "HERMES_TELEGRAM_CHATS: entry 1 is not a chat id"},
		{"HERMES_TELEGRAM_CHATS=7/5", "HERMES_TELEGRAM_CHATS: entry 1 is not a chat id"},
		{"HERMES_TELEGRAM_PROXY=ftp://127.0.0.1", "HERMES_TELEGRAM_PROXY: is not a proxy's URL"},
		{"HERMES_TELEGRAM_PROXY=127.0.0.1:1080", "HERMES_TELEGRAM_PROXY: is not a proxy's URL"},
		{"HERMES_TELEGRAM_WEBHOOK_SECRET=a", "HERMES_TELEGRAM_WEBHOOK_SECRET: is set, but HERMES_TELEGRAM_WEBHOOK_URL is not"},
		{"HERMES_TELEGRAM_WEBHOOK_SECRET=a b", "HERMES_TELEGRAM_WEBHOOK_SECRET: must be 1 to 256"},
		{"HERMES_TELEGRAM_WEBHOOK_URL=https://h.example", "HERMES_TELEGRAM_WEBHOOK_URL: needs HERMES_TELEGRAM_WEBHOOK_SECRET"},
		{"HERMES_TELEGRAM_WEBHOOK_URL=http://h.example\nHERMES_TELEGRAM_WEBHOOK_SECRET=a", "HERMES_TELEGRAM_WEBHOOK_URL: must begin with https://"},
		{"HERMES_LISTEN=4097", "HERMES_LISTEN: is not host:port"},
		{"HERMES_LISTEN=127.0.0.1:65536", "HERMES_LISTEN: is not host:port"},
		{"HERMES_LISTEN=:4097", "HERMES_LISTEN: other machines can reach"},
		{"HERMES_LISTEN=hermes.example.org:4097", "HERMES_LISTEN: other machines can reach"},
		{"HERMES_LISTEN=[::]:4097", "HERMES_LISTEN: other machines can reach"},
		{"HERMES_TLS_CERT=/tmp/c", "HERMES_TLS_CERT, HERMES_TLS_KEY: only one"},
		{"HERMES_TLS_CERT=/nowhere/c\nHERMES_TLS_KEY=/nowhere/k", "HERMES_TLS_CERT, HERMES_TLS_KEY: cannot be used: there is no such file"},
		{"HERMES_TOPICS=yes", "HERMES_TOPICS: is not true or false"},
		{"HERMES_BEHIND_PROXY=yes", "HERMES_BEHIND_PROXY: is not true or false"},
		{"HERMES_PUBLIC_URL=hermes.example", "HERMES_PUBLIC_URL: entry 1 is not a URL such as https://hermes.example"},
		{"HERMES_PUBLIC_URL=http://hermes.example:4097", "HERMES_PUBLIC_URL: entry 1 is not a URL such as https://hermes.example"},
		{"HERMES_PUBLIC_URL=https://hermes.example,http://b.example", "HERMES_PUBLIC_URL: entry 2 is not a URL such as https://hermes.example"},
		{"HERMES_PUBLIC_URL=https://hermes.example/$(id)", "HERMES_PUBLIC_URL: entry 1 is not a URL such as https://hermes.example"},
		{"HERMES_HOOK_TOKEN=short", "HERMES_HOOK_TOKEN: must be at least 16"},
		{"HERMES_DB=~/hermes.db", "HERMES_DB: is not a path"},
		{"HERMES_STORE=mysql://db.example/hermes", "HERMES_STORE: is not a database's URL"},
		{"HERMES_STORE=postgres://db.example", "HERMES_STORE: is not a database's URL"},
		{"HERMES_STORE=postgres://hermes:a/b@db.example/hermes", "HERMES_STORE: is not a database's URL"},
		{"HERMES_STORE=host=db.example dbname=hermes", "HERMES_STORE: is not a database's URL"},
		{"HERMES_STORE=postgres://db.example/hermes", "HERMES_HOOK_TOKEN: is not set; with HERMES_STORE, set it"},
		{"HERMES_LEASE=1s", "HERMES_LEASE: is not a duration from 2s to 1m0s"},
		{"HERMES_LEASE=2m", "HERMES_LEASE: is not a duration from 2s to 1m0s"},
		{"HERMES_OPENCODE_URLS=http://127.0.0.1:4096, localhost:4096", "HERMES_OPENCODE_URLS: entry 2 is not a URL"},
		{"HERMES_OPENCODE_URLS=http://u:p@127.0.0.1:4096", "HERMES_OPENCODE_URLS: entry 1 is not a URL"},
		{"HERMES_OPENCODE_SERVICE=~/service.json", "HERMES_OPENCODE_SERVICE: is not auto, off or the whole path"},
		{"HERMES_OPENCODE_SERVICE=service.json", "HERMES_OPENCODE_SERVICE: is not auto, off or the whole path"},
		{"HERMES_OPENCODE_USERNAME=a:b", "HERMES_OPENCODE_USERNAME: must not hold a colon"},
		{"HERMES_BACKUP_DIR=~/backups", "HERMES_BACKUP_DIR: is not a whole path"},
		{"HERMES_BACKUP_DIR=backups", "HERMES_BACKUP_DIR: is not a whole path"},
		{"HERMES_BACKUP_KEEP=0", "HERMES_BACKUP_KEEP: is not a whole number"},
		{"HERMES_DIRECTORIES=/srv/shop,src/shop", "HERMES_DIRECTORIES: entry 2 is not a whole path such as /home/me/src/shop"},
		{"HERMES_DIRECTORIES=~/shop", "HERMES_DIRECTORIES: entry 1 is not a whole path such as /home/me/src/shop; ~ is not expanded"},
		{"HERMES_DIRECTORIES=/srv/../etc", "HERMES_DIRECTORIES: entry 1 goes up by .."},
		{"HERMES_DIRECTORIES=/srv/shop,,/opt", "HERMES_DIRECTORIES: entry 2 is not a whole path"},
		{"HERMES_QUESTION_TTL=30", "HERMES_QUESTION_TTL: is not a duration"},
		{"HERMES_QUESTION_TTL=-1s", "HERMES_QUESTION_TTL: is not a duration"},
		{"HERMES_ON_EXPIRY=accept", "HERMES_ON_EXPIRY: is not " + question.Alternatives(question.Expiries(), "")},
		{"HERMES_RESOLVE_ATTEMPTS=0", "HERMES_RESOLVE_ATTEMPTS: is not a whole number"},
		{"HERMES_RESOLVE_INTERVAL=0", "HERMES_RESOLVE_INTERVAL: is not a duration"},
		{"HERMES_NOTIFY_DELAY=soon", "HERMES_NOTIFY_DELAY: is not a duration"},
		{"HERMES_UNDO=10", "HERMES_UNDO: is neither 0 nor a duration from a second to 10m0s"},
		{"HERMES_UNDO=-1s", "HERMES_UNDO: is neither 0 nor"},
		{"HERMES_UNDO=300ms", "HERMES_UNDO: is neither 0 nor"},
		{"HERMES_UNDO=11m", "HERMES_UNDO: is neither 0 nor"},
		{"HERMES_STT_URL=stt.example", "HERMES_STT_URL: is not a URL"},
		{"HERMES_STT_KEY=k", "HERMES_STT_KEY: is set, but HERMES_STT_URL is not"},
		{"HERMES_STT_URL=https://stt.example\nHERMES_STT_KEY=a b", "HERMES_STT_KEY: must be"},
		{"HERMES_STT_URL=http://stt.example/v1\nHERMES_STT_KEY=k", "HERMES_STT_URL: must begin with https://"},
		{"HERMES_LANG=fr", "HERMES_LANG: is not auto, en or zh"},
		{"HERMES_LOG_LEVEL=loud", "HERMES_LOG_LEVEL: is not debug, info, warn or error"},
		{"HERMES_LOG_FORMAT=xml", "HERMES_LOG_FORMAT: is not text or json"},
		{"HERMES_OPENCODE_URL=http://127.0.0.1:4096", "HERMES_OPENCODE_URL: is not a variable of hermes; did you mean HERMES_OPENCODE_URLS?"},
		{"TELEGRAM_CHATS=7", "TELEGRAM_CHATS: is not a variable of hermes; did you mean HERMES_TELEGRAM_CHATS?"},
		{"HERMES_COLOURS=red", "HERMES_COLOURS: is not a variable of hermes"},
		{"HERMES_RULES=~/rules.toml", "HERMES_RULES: is not a path that hermes can use"},
		{"HERMES_LANG=en\nHERMES_LANG=zh", "HERMES_LANG: is set twice, in line 3 and line 4"},
		{"export HERMES_LANG=en", "line 3: is not KEY=value"},
		{"nothing", "line 3: is not KEY=value"},
	} {
		t.Run(test.line, func(t *testing.T) {
			testenv.Isolate(t)
			_, err := rig.LoadFile(t, rig.WellFormed+test.line+"\n")
			var got config.Mistakes
			if !errors.As(err, &got) || len(got) != 1 || !strings.Contains(got[0], test.want) {
				t.Errorf("got %v\nwant one line with %q", err, test.want)
			}
		})
	}
}

func TestMistakes_UserMistakes(t *testing.T) {
	for _, users := range []string{"", "@me", "-100", "7,x", "1087968824", "777000"} {
		testenv.Isolate(t)
		_, err := rig.LoadFile(t, "HERMES_TELEGRAM_TOKEN="+testenv.GoodToken+"\nHERMES_TELEGRAM_USERS="+users+"\n")
		if err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.HasPrefix(err.Error(), "HERMES_TELEGRAM_USERS: ") {
			t.Errorf("users %q: got %v, want one line on HERMES_TELEGRAM_USERS", users, err)
		}
	}
}

func TestMistakes_TokenMistakes(t *testing.T) {
	for _, token := range []string{"", "123456789", "123456789:short", testenv.GoodToken + "%zz", "bot" + testenv.GoodToken, testenv.GoodToken + " " + testenv.GoodToken} {
		testenv.Isolate(t)
		_, err := rig.LoadFile(t, "HERMES_TELEGRAM_TOKEN="+token+"\nHERMES_TELEGRAM_USERS=7\n")
		if err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.HasPrefix(err.Error(), "HERMES_TELEGRAM_TOKEN: ") {
			t.Errorf("token %q: got %v, want one line on HERMES_TELEGRAM_TOKEN", token, err)
		}
	}
}

func TestMistakes_AllMistakesAtOnce(t *testing.T) {
	testenv.Isolate(t)
	t.Setenv("HERMES_LANGUAGE", "en")
	t.Setenv("HERMES_TELEGRAM_USER", "7")
	c, err := rig.LoadFile(t, "HERMES_LANG=fr\nHERMES_QUESTION_TTL=x\n")
	var got config.Mistakes
	errors.As(err, &got)
	for _, want := range []string{"HERMES_LANG:", "HERMES_QUESTION_TTL:", "HERMES_TELEGRAM_TOKEN:", "HERMES_TELEGRAM_USERS:", "HERMES_TELEGRAM_USER: is not a variable of hermes; did you mean HERMES_TELEGRAM_USERS?"} {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("no line begins with %q in:\n%v", want, err)
		}
	}
	if len(got) != 5 {
		t.Errorf("got %d lines, want 5:\n%v", len(got), err)
	}
	if len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], "HERMES_LANGUAGE: ") {
		t.Errorf("got warnings %v, want one on HERMES_LANGUAGE", c.Warnings)
	}
}

func TestMistakes_VariablesOfOthersAreLeftAlone(t *testing.T) {
	testenv.Isolate(t)
	for _, name := range []string{"HERMES_URL", "HERMES_TOKEN", "HERMES_SERVICE_HOST", "HERMES_CI"} {
		t.Setenv(name, "x")
	}
	c, err := config.Load(config.Options{})
	if err != nil || len(c.Warnings) != 2 {
		t.Errorf("got mistakes %v, warnings %v; want two warnings", err, c.Warnings)
	}
}

// HERMES_API_APPROVALS is gone: who relied on it is told at the start, and false stops nothing.
func TestMistakes_ApprovalsAreGone(t *testing.T) {
	const ignored, gone = "HERMES_API_APPROVALS: is not used any more: programs never", "HERMES_API_APPROVALS: is gone: only a person allows a permission"
	for value, stops := range map[string]bool{"": false, "false": false, "0": false, "true": true, "1": true, "yes": true} {
		testenv.Isolate(t)
		fromFile, wrong := rig.LoadFile(t, "HERMES_API_APPROVALS="+value+"\n")
		t.Setenv("HERMES_API_APPROVALS", value)
		fromEnvironment, wrongThere := config.Load(config.Options{})
		for way, text := range map[string]string{"file": fmt.Sprint(wrong, fromFile.Warnings), "environment": fmt.Sprint(wrongThere, fromEnvironment.Warnings)} {
			if strings.Contains(text, gone) != stops || strings.Contains(text, ignored) == stops {
				t.Errorf("%q in the %s: %s", value, way, text)
			}
		}
		if (wrongThere != nil) != stops {
			t.Errorf("%q: %v", value, wrongThere)
		}
	}
}

// No value of a variable may stand in a mistake, whichever variable a secret was
// pasted into, by the environment or by the file.
func TestMistakes_ShowNoValue(t *testing.T) {
	for name := range config.Variables() {
		for _, form := range []string{"%s", "1,%s", "http://x:%s@[", "/nowhere/%s", "%s:%s:70000"} {
			value := strings.ReplaceAll(form, "%s", testenv.Canary)
			testenv.Isolate(t)
			_, fromFile := rig.LoadFile(t, name+"="+value+"\n")
			t.Setenv(name, value)
			c, fromEnvironment := config.Load(config.Options{Serve: true})
			text := fmt.Sprint(fromFile, fromEnvironment, c.Warnings)
			if strings.Contains(text, testenv.Canary) {
				t.Errorf("%s=%s shows its value:\n%s", name, value, text)
			}
		}
	}
}

func TestMistakes_FileMistakesShowNoValue(t *testing.T) {
	testenv.Isolate(t)
	for _, text := range []string{testenv.Canary, testenv.Canary + " " + testenv.Canary + "=1", "HERMES_X=" + testenv.Canary, "a=" + testenv.Canary + "\na=" + testenv.Canary} {
		if _, err := rig.LoadFile(t, text); err == nil || strings.Contains(err.Error(), testenv.Canary) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestMistakes_ReadableFileIsWarnedOf(t *testing.T) {
	testenv.Isolate(t)
	path := filepath.Join(t.TempDir(), "hermes.env")
	if err := os.WriteFile(path, []byte("HERMES_LANG=en\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(config.Options{File: path})
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "chmod 600") {
		t.Errorf("got %v, %v; want one warning", c.Warnings, err)
	}
}

func TestWarnings(t *testing.T) {
	for _, test := range []struct{ lines, want string }{
		{"HERMES_STT_URL=http://stt.lan:8000/v1", "HERMES_STT_URL: is not https://"},
		{"HERMES_STT_URL=http://127.0.0.1:8000/v1", ""},
		{"HERMES_STT_URL=https://stt.example/v1", ""},
		{"HERMES_OPENCODE_SERVICE=off\nHERMES_DIRECTORIES=/srv/shop", "HERMES_OPENCODE_URLS"},
	} {
		testenv.Isolate(t)
		c, err := rig.LoadFile(t, rig.WellFormed+test.lines+"\n")
		if all := strings.Join(c.Warnings, "\n"); err != nil || (all == "") != (test.want == "") || !strings.Contains(all, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.lines, c.Warnings, err, test.want)
		}
	}
}
