package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

func TestDoctor_FindsNothing(t *testing.T) {
	playDoctor(t, false, func(c *doctorRig) {
		list, err := c.examineFor(context.Background())
		if err != nil {
			t.Errorf("it says %v", err)
		}
		for _, d := range list {
			if d.Status != gradeOK || d.Remedy != "" || d.Detail == "" {
				t.Errorf("nothing is wrong, but: %+v", d)
			}
		}
		if n := c.Telegram.Count("sendMessage"); n != 1 { // the greeting of /start
			t.Errorf("%d messages were sent", n)
		}
	})
}

// What the doctor finds where one thing is spoilt, while hermes runs.
func TestDoctor_BesideARunningHermes(t *testing.T) {
	t.Parallel()
	const group = -1001
	team := func(c *doctorRig, topic int, t telegram.Chat) {
		t.ID, t.Title, t.Members = group, "Team", []int64{rig.Ada}
		c.Telegram.AddChat(t)
		c.patient.TelegramChats = []config.Chat{{ID: group, Topic: topic}}
	}
	for _, test := range []struct {
		title          string
		spoil          func(*doctorRig)
		name           string
		status         grade
		detail, remedy string
	}{
		{
			"a mistake", func(c *doctorRig) { c.wrong = config.Mistakes{"HERMES_LANG: is not auto, en or zh"} },
			"configuration", gradeFail, "HERMES_LANG: is not auto, en or zh", "hermes config example",
		},
		{
			"a warning", func(c *doctorRig) {
				c.patient.Warnings = config.Mistakes{"/x/hermes.env: others may read it; chmod 600 it"}
			},
			"configuration", gradeWarn, "others may read it", "chmod 600",
		},
		{"a token for all to read", func(c *doctorRig) {
			c.patient.HookToken = ""
			c.write(c.patient.HookTokenFile(), rig.HookKey)
			if err := os.Chmod(c.patient.HookTokenFile(), 0o644); err != nil {
				c.T.Fatal(err)
			}
		}, "configuration", gradeFail, "may be read by others (mode 0644)", "chmod 600 it"},

		{"a token that worked", func(c *doctorRig) {
			c.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Refuse, Code: 401})
		}, "token", gradeFail, "Telegram refuses it (401 Unauthorized), and took it before", "try again in some minutes"},
		{"a bad token", func(c *doctorRig) {
			c.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Refuse, Code: 401})
			c.answers["/v1/status"] = `{"version":"hermes"}`
		}, "token", gradeFail, "Telegram refuses it (401 Unauthorized)", "copy it again from @BotFather"},
		{
			"no Bot API", func(c *doctorRig) { c.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.BadGateway}) },
			"token", gradeFail, "the answer (HTTP 502) is not the Bot API's", "HERMES_TELEGRAM_API_URL",
		},
		{
			"no network", func(c *doctorRig) { c.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Unreachable}) },
			"token", gradeFail, "Telegram cannot be reached: dial tcp: connection refused", "HERMES_TELEGRAM_PROXY",
		},
		{
			"a silent network", func(c *doctorRig) { c.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Hang}) },
			"token", gradeFail, "no answer in time", "HERMES_TELEGRAM_PROXY",
		},
		{
			"flood", func(c *doctorRig) { c.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Refuse, RetryAfter: 5}) },
			"token", gradeFail, "429", "in a minute",
		},
		{"a bot that was moved", func(c *doctorRig) { c.Telegram.LogOut() }, "token", gradeFail, "logged out of this Bot API server", "HERMES_TELEGRAM_API_URL"},
		{"a frozen bot", func(c *doctorRig) { c.Telegram.Freeze(true) }, "chat", gradeFail, "Telegram has frozen the bot", "appeal"},
		{"no token", func(c *doctorRig) { c.patient.TelegramToken = "" }, "token", gradeSkip, "there is no token", ""},

		{"a fast clock", func(c *doctorRig) { c.skew = time.Hour }, "clock", gradeFail, "1h0m0s ahead of", "timedatectl"},

		{
			"a chat without a start", func(c *doctorRig) { c.patient.TelegramChats = []config.Chat{{ID: rig.Bob}} },
			"chat", gradeFail, "43: nothing can be sent there (400 Bad Request: chat not found)", "t.me/hermes_bot and press Start",
		},
		{"a bot that is blocked", func(c *doctorRig) {
			if err := c.Telegram.Block(rig.Ada); err != nil {
				c.T.Fatal(err)
			}
		}, "chat", gradeFail, "bot was blocked by the user", "unblock @hermes_bot"},
		{
			"an unknown group", func(c *doctorRig) { c.patient.TelegramChats = []config.Chat{{ID: -55}} },
			"chat", gradeFail, "chat not found", "add @hermes_bot to the group",
		},
		{"a group without the bot", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			if err := c.Telegram.Kick(rig.Ada, group); err != nil {
				c.T.Fatal(err)
			}
		}, "chat", gradeFail, "bot was kicked", "add @hermes_bot to the group"},
		{"a bot that has left", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.answers["getChatMember"] = `{"ok":true,"result":{"status":"left"}}`
		}, "chat", gradeFail, "the bot is not a member", "add @hermes_bot"},
		{"a muted bot", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.answers["getChatMember"] = `{"ok":true,"result":{"status":"restricted","is_member":true,"can_send_messages":false}}`
		}, "chat", gradeFail, "the bot may not write there", "administrator"},
		{"a muted group", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.answers["getChat"] = teamWhere(`"can_send_messages":false,"can_send_documents":true`)
		}, "chat", gradeFail, "the bot may not write there", "administrator"},
		{"a bot without files", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.answers["getChat"] = teamWhere(`"can_send_messages":true,"can_send_documents":true`)
			c.answers["getChatMember"] = `{"ok":true,"result":{"status":"restricted","is_member":true,"can_send_messages":true,"can_send_documents":false}}`
		}, "chat", gradeWarn, "the bot may not send files there", "allow it to send files"},
		{"a group that forbids files", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.Telegram.Forbid(group, telegram.SendDocuments)
		}, "chat", gradeWarn, "the bot may not send files there", "allow it to send files"},
		{"a group in slow mode", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.Telegram.SlowMode(group, time.Hour)
		}, "chat", gradeWarn, "slow mode lets the bot send one message in 1h0m0s", "administrator"},
		{
			"a group with privacy", func(c *doctorRig) { team(c, 0, telegram.Chat{Type: telegram.Supergroup}) },
			"chat", gradeOK, "privacy mode is on, so an answer in words must be a reply", "",
		},
		{
			"no topics", func(c *doctorRig) { team(c, 5, telegram.Chat{Type: telegram.Supergroup}) },
			"chat", gradeFail, "it has no topics, but topic 5 is configured", "without /5",
		},
		{
			"no such topic", func(c *doctorRig) { team(c, 5, telegram.Chat{Type: telegram.Supergroup, Forum: true}) },
			"chat", gradeFail, "it has no open topic 5", "t.me/c/",
		},
		{
			"the topic General", func(c *doctorRig) { team(c, 1, telegram.Chat{Type: telegram.Supergroup, Forum: true}) },
			"chat", gradeOK, "-1001/1", "",
		},
		{
			"topics in private, which the bot has not", func(c *doctorRig) { c.patient.Topics = true },
			"chat", gradeWarn, "the bot has no topics in private chats", "@BotFather",
		},
		{"topics in private, which users may not make", func(c *doctorRig) {
			c.patient.Topics = true
			c.answers["getMe"] = `{"ok":true,"result":{"id":12345678,"is_bot":true,"first_name":"Hermes","username":"hermes_bot","has_topics_enabled":true}}`
		}, "chat", gradeOK, "if the log has BOT_FORUM_CREATE_FORBIDDEN", ""},
		{"topics in a group that is no forum", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup, BotAdmin: true})
			c.patient.Topics = true
		}, "chat", gradeWarn, "the group has no topics", "switch topics on"},
		{"topics without the right", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup, Forum: true, BotAdmin: true})
			c.patient.Topics = true
		}, "chat", gradeWarn, "the bot may not manage topics", "the right to manage topics"},
		{"topics", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup, Forum: true, BotAdmin: true, ManageTopics: true})
			c.patient.Topics = true
		}, "chat", gradeOK, "sessions get topics", ""},
		{"a title that steers terminals", func(c *doctorRig) {
			c.answers["getChat"] = `{"ok":true,"result":{"id":42,"type":"private","first_name":"\u001b[2J\u202eAda"}}`
		}, "chat", gradeOK, `\x1b[2J\u202eAda`, ""},
		{"a moved group", func(c *doctorRig) {
			team(c, 0, telegram.Chat{Type: telegram.Supergroup})
			c.answers["getChat"] = `{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded","parameters":{"migrate_to_chat_id":-1007}}`
		}, "chat", gradeWarn, "became a supergroup", "write -1007"},

		{"a webhook", func(c *doctorRig) {
			c.answers["getWebhookInfo"] = `{"ok":true,"result":{"url":"https://other.example/canary"}}`
		}, "updates", gradeFail, "a webhook at other.example takes them away", "a bot of its own"},
		{"a second poller", func(c *doctorRig) {
			conflict := telegram.Fault{Kind: telegram.Refuse, Code: 409, Description: "Conflict: terminated by other getUpdates request"}
			c.Telegram.FailNext("getUpdates", conflict, conflict, conflict, conflict, conflict)
			c.Wait(55 * time.Second)
		}, "updates", gradeFail, "another program polls this bot", "a bot of its own"},
		{
			"a lost webhook", func(c *doctorRig) { c.patient.TelegramWebhookURL = "https://hermes.example/hook" },
			"updates", gradeFail, "the webhook that is set is not hermes'", "a bot of its own",
		},
		{"an unreachable webhook", func(c *doctorRig) {
			c.patient.TelegramWebhookURL = "https://hermes.example/hook"
			c.answers["getWebhookInfo"] = webhookInfo(3, time.Minute)
		}, "updates", gradeFail, "3 wait: Connection refused", "HERMES_TELEGRAM_WEBHOOK_URL"},
		{"a webhook that was unreachable once", func(c *doctorRig) {
			c.patient.TelegramWebhookURL = "https://hermes.example/hook"
			c.answers["getWebhookInfo"] = webhookInfo(3, time.Hour)
		}, "updates", gradeOK, "they come to the webhook at hermes.example", ""},
		{"a webhook that was unreachable, by a clock that is an hour fast", func(c *doctorRig) {
			c.patient.TelegramWebhookURL = "https://hermes.example/hook"
			c.skew = time.Hour
			c.answers["getWebhookInfo"] = webhookInfo(3, time.Hour+time.Minute)
		}, "updates", gradeFail, "3 wait", "HERMES_TELEGRAM_WEBHOOK_URL"},
		{"a good webhook", func(c *doctorRig) {
			c.patient.TelegramWebhookURL = "https://hermes.example/hook"
			c.answers["getWebhookInfo"] = `{"ok":true,"result":{"url":"https://hermes.example/hook","pending_update_count":0}}`
		}, "updates", gradeOK, "they come to the webhook at hermes.example", ""},
		{"no word of webhooks", func(c *doctorRig) {
			c.Telegram.FailNext("getWebhookInfo", telegram.Fault{Kind: telegram.ResetBefore})
		}, "updates", gradeFail, "does not say where updates go", "in a minute"},

		{
			"another token", func(c *doctorRig) { c.patient.HookToken = "another-canary-0123456789" },
			"hermes", gradeFail, "has another token", "HERMES_HOOK_TOKEN",
		},
		{
			"no token here", func(c *doctorRig) { c.patient.HookToken = "" },
			"hermes", gradeFail, "has a token that is not kept here", "HERMES_DB",
		},
		{
			"another program", func(c *doctorRig) { c.answers["/v1/status"] = "<html>" },
			"hermes", gradeFail, "is no hermes of this version (HTTP 200)", "HERMES_LISTEN",
		},
		{
			"an older hermes", func(c *doctorRig) { c.answers["/v1/status"] = `{"version":"hermes v0.1"}` },
			"hermes", gradeWarn, "hermes v0.1 runs, but this is hermes", "restart hermes",
		},
		{"a hermes that is not ready", func(c *doctorRig) {
			c.answers["/v1/status"] = `{"version":"hermes","not_ready":["the reconcile loop does not answer"]}`
		}, "hermes", gradeFail, "the reconcile loop does not answer", "its log"},

		{"a question that no chat takes", func(c *doctorRig) {
			c.Telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: TOPIC_CLOSED"})
			c.Ask(rig.DatabaseQuestion())
		}, "hermes", gradeFail, "a question is shown in no chat, and is tried again: topic-gone", "the other lines"},

		{"a store that fails", func(c *doctorRig) {
			if err := c.Daemon.Store.Close(); err != nil {
				c.T.Fatal(err)
			}
		}, "store", gradeFail, "the running hermes cannot use it", "see its log"},
		{"a store with a record that cannot be read", func(c *doctorRig) {
			c.answers["/v1/status"] = `{"version":"hermes","schema":1,"unreadable":1}`
		}, "store", gradeWarn, "1 record of the database cannot be read", "the log of hermes"},
		{"a store in use", func(*doctorRig) {}, "store", gradeOK, "the running hermes has it, with schema 2", ""},
		{"a store of an older hermes", func(c *doctorRig) {
			c.answers["/v1/status"] = `{"version":"hermes"}`
		}, "store", gradeOK, "too old to tell its schema", ""},
		{"a full disk", func(c *doctorRig) { c.free = 1 << 20 }, "disk", gradeFail, "1 MiB are free at", "delete something"},
		{"a disk that fills", func(c *doctorRig) { c.free = 100 << 20 }, "disk", gradeWarn, "100 MiB are free at", "delete something"},

		{
			"no OpenCode", func(c *doctorRig) { c.Opencode.Stop(); c.Wait(time.Minute) },
			"links", gradeFail, "no OpenCode is connected", "must be restarted",
		},
		{
			"a server that is down", func(c *doctorRig) { c.Opencode.Stop() },
			"server", gradeFail, rig.Server + " does not answer", "HERMES_OPENCODE_URLS",
		},
		{
			"a wrong password", func(c *doctorRig) { c.patient.OpenCodePassword = "other-canary" },
			"server", gradeFail, "refuses the password", "OPENCODE_SERVER_PASSWORD",
		},
		{
			"no OpenCode there", func(c *doctorRig) { c.answers["/global/health"] = "[]" },
			"server", gradeFail, "is no OpenCode", "HERMES_OPENCODE_URLS",
		},
		{
			"a preview of 2.0 without forms", func(c *doctorRig) { c.answers["/global/health"], c.answers["/api/health"] = "{}", `{"healthy":true}` },
			"server", gradeFail, "an early preview of 2.0", "update that OpenCode",
		},
		{
			"an old OpenCode", func(c *doctorRig) { c.answers["/global/health"] = `{"version":"1.1.52"}` },
			"server", gradeWarn, "OpenCode 1.1.52, which is older than all that hermes is tested with, 1.1.53 to 1.18 and 2.0", "a version in that range",
		},
		{"mute agents", func(c *doctorRig) {
			c.answers["/agent"] = `[{"name":"plan","native":true,"permission":[]},{"name":"reviewer","permission":[{"permission":"question","action":"deny"}]}]`
		}, "question tool", gradeWarn, rig.Server + ": plan, reviewer may not ask", `"question": "allow"`},
		{"no list of agents", func(c *doctorRig) { c.answers["/agent"] = "401" }, "question tool", gradeSkip, "does not list its agents: opencode: agents: unauthorized (HTTP 401)", ""},
	} {
		t.Run(test.title, func(t *testing.T) {
			playDoctor(t, false, func(c *doctorRig) {
				test.spoil(c)
				c.finds(test.name, test.status, test.detail, test.remedy)
			})
		})
	}
}

// teamWhere is an answer to getChat of a group where members have these permissions.
func teamWhere(permissions string) string {
	return `{"ok":true,"result":{"id":-1001,"type":"supergroup","title":"Team","permissions":{` + permissions + `}}}`
}

// What the doctor finds where no hermes runs.
func TestDoctor_WithoutAHermes(t *testing.T) {
	same := func(b []byte) []byte { return b }
	swap := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(new)) }
	}
	for _, test := range []struct {
		title          string
		spoil          func(*doctorRig)
		name           string
		status         grade
		detail, remedy string
	}{
		{"no hermes", func(*doctorRig) {}, "hermes", gradeFail, "no hermes runs at http://127.0.0.1:4097", "hermes serve"},
		{"nobody to know links", func(*doctorRig) {}, "links", gradeSkip, "only a running hermes knows them", ""},
		{"no poll", func(*doctorRig) {}, "updates", gradeOK, "would show only while hermes runs", ""},
		{"no database yet", func(c *doctorRig) { os.Remove(c.patient.DB) }, "store", gradeOK, "hermes serve makes", ""},
		{
			"no place for one", func(c *doctorRig) {
				c.patient.DB = filepath.Join(c.opts.Plugin.ConfigDir, "plugin", "hermes.js", "x", "hermes.db")
			},
			"store", gradeFail, "hermes cannot make one in", "HERMES_DB",
		},
		{"a sound database", func(c *doctorRig) { c.database(same) }, "store", gradeOK, "is sound, with schema 2", ""},
		{
			"a damaged database", func(c *doctorRig) { c.database(func(b []byte) []byte { return b[:5000] }) },
			"store", gradeFail, "is damaged", "moves it aside",
		},
		{
			"a database of a newer hermes", func(c *doctorRig) { c.database(swap("schema2", "schema9")) },
			"store", gradeFail, "a newer hermes wrote", "run that one",
		},
		{
			"a database of another program", func(c *doctorRig) { c.database(swap("schema2", "schemax")) },
			"store", gradeFail, "is not hermes' database", "HERMES_DB",
		},
		{
			"a file that is no database", func(c *doctorRig) {
				if err := os.WriteFile(c.patient.DB, []byte("notes of mine"), 0o600); err != nil {
					c.T.Fatal(err)
				}
			}, "store", gradeFail, "is not hermes' database", "HERMES_DB",
		},
		{
			"a link to the database", func(c *doctorRig) {
				c.database(same)
				if err := errors.Join(os.Rename(c.patient.DB, c.patient.DB+".real"), os.Symlink(c.patient.DB+".real", c.patient.DB)); err != nil {
					c.T.Fatal(err)
				}
			}, "store", gradeFail, "is a symbolic link", "the file itself",
		},
		{"a database for all to read", func(c *doctorRig) {
			c.database(same)
			if err := os.Chmod(c.patient.DB, 0o644); err != nil {
				c.T.Fatal(err)
			}
		}, "store", gradeWarn, "mode 0644", "chmod 600 it"},
		{"a database in use", func(c *doctorRig) {
			store, err := pending.Open(c.patient.DB, pending.Options{NoSync: true})
			if err != nil {
				c.T.Fatal(err)
			}
			c.T.Cleanup(func() { store.Close() })
		}, "store", gradeFail, "another process holds", "HERMES_LISTEN"},

		{
			"no plugin", func(c *doctorRig) { os.Remove(c.file("plugin", "hermes.js")); c.patient.OpenCodeURLs = nil },
			"plugin", gradeFail, "it is not installed", "hermes plugin install",
		},
		{
			"no plugin beside servers", func(c *doctorRig) { os.Remove(c.file("plugin", "hermes.js")) },
			"plugin", gradeWarn, "only the servers of HERMES_OPENCODE_URLS", "hermes plugin install",
		},
		{
			"a plugin of another protocol", func(c *doctorRig) { c.edit("const HERMES_PROTOCOL = 1", "const HERMES_PROTOCOL = 99") },
			"plugin", gradeFail, "does not speak link protocol 1", "restart OpenCode",
		},
		{
			"an edited plugin", func(c *doctorRig) { c.edit("// Hermes inside OpenCode", "// Mine") },
			"plugin", gradeWarn, "was changed by hand", "keeps that aside",
		},
		{"an old plugin", func(c *doctorRig) { c.age() }, "plugin", gradeWarn, "version 0.9.0 is installed", "hermes plugin install"},
		{
			"no link file", func(c *doctorRig) { os.Remove(c.file("plugin", "hermes.json")) },
			"plugin", gradeFail, "missing or no good", "hermes plugin install",
		},
		{"a link elsewhere", func(c *doctorRig) {
			c.write(c.file("plugin", "hermes.json"), `{"url":"http://127.0.0.1:9","token":"`+rig.HookKey+`"}`)
		}, "plugin", gradeWarn, "it links to http://127.0.0.1:9", "if that is not meant so"},
		{"a link to one of two hermes", func(c *doctorRig) {
			c.patient.PublicURL, c.patient.PeerURLs = "https://a.example", []string{"https://b.example"}
		}, "plugin", gradeWarn, "not to the other hermes of HERMES_PUBLIC_URL", "hermes plugin install"},
		{"a link with another token", func(c *doctorRig) {
			c.write(c.file("plugin", "hermes.json"), `{"url":"http://127.0.0.1:4097","token":"hermes_link_other-canary-0123456789abcdefghijklmnopqrst"}`)
		}, "plugin", gradeFail, "hermes does not know its token, or it was revoked", "hermes plugin install"},
		{"a link with the API's token", func(c *doctorRig) {
			c.write(c.file("plugin", "hermes.json"), `{"url":"http://127.0.0.1:4097","token":"`+rig.HookKey+`"}`)
		}, "plugin", gradeWarn, "holds the token of hermes' API", "hermes plugin install"},
		{
			"a plugin twice", func(c *doctorRig) { c.write(c.file("plugins", "hermes.js"), "") },
			"plugin", gradeWarn, "OpenCode also loads", "remove it",
		},
		{"a plugin that is a link", func(c *doctorRig) {
			js := c.file("plugin", "hermes.js")
			if err := errors.Join(os.Remove(js), os.Symlink("/dev/null", js)); err != nil {
				c.T.Fatal(err)
			}
		}, "plugin", gradeFail, "is a symbolic link", "hermes plugin install"},
	} {
		t.Run(test.title, func(t *testing.T) {
			playDoctor(t, true, func(c *doctorRig) {
				test.spoil(c)
				c.finds(test.name, test.status, test.detail, test.remedy)
				if n := c.Telegram.Count("getUpdates"); n != 0 {
					t.Errorf("the doctor polled %d times", n)
				}
			})
		})
	}
}

// A token is known by the mark in the database, also while no hermes runs.
func TestDoctor_OfARefusedTokenWithoutHermes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		worked secret.Text // with this database
		remedy string
	}{
		"none did":        {"", "copy it again from @BotFather"},
		"another one did": {"1234567:AAanotherTokenAnotherTokenAnotherToken", "copy it again from @BotFather"},
		"this one did":    {rig.TestToken, "try again in some minutes"},
	} {
		t.Run(name, func(t *testing.T) {
			playDoctor(t, true, func(clinic *doctorRig) {
				if c.worked != "" {
					keepTokenIn(t, clinic.patient.DB, c.worked)
				}
				clinic.Telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Refuse, Code: 401})
				clinic.finds("token", gradeFail, "Telegram refuses it (401 Unauthorized)", c.remedy)
			})
		})
	}
}

// keepTokenIn notes in a database that no hermes has open that a token worked.
func keepTokenIn(t *testing.T, db string, token secret.Text) {
	t.Helper()
	store, err := pending.Open(db, pending.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.KeepToken(clients.TokenMark(token)), store.Close()); err != nil {
		t.Fatal(err)
	}
}

// The names of the fields, and the words of the status, are stable.
func TestDoctor_JSONIsStable(t *testing.T) {
	var out bytes.Buffer
	r := &report{out: &out, style: console.Style{JSON: true}, redact: secret.NewRedactor("a-secret")}
	r.add(result{"configuration", gradeOK, "from the environment alone", ""})
	r.add(result{"chat", gradeWarn, "a-secret <Team> \x1b[2J", "write -1007 & go on"})
	r.add(result{"token", gradeFail, "Telegram refuses it", "copy it again"})
	r.add(result{"links", gradeSkip, "only a running hermes knows them", ""})
	if err := r.finish(); err == nil || err.Error() != "1 of 4 checks failed" {
		t.Errorf("it ends with %v", err)
	}
	golden := filepath.Join("testdata", "doctor.json")
	if *rig.Update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || out.String() != string(want) {
		t.Errorf("got %s, want %s, %v", out.String(), want, err)
	}
}

// webhookInfo is what Telegram tells of hermes' webhook: how many updates wait, and when, in the clock here, it could not be reached last.
func webhookInfo(pending int, ago time.Duration) string {
	return fmt.Sprintf(`{"ok":true,"result":{"url":"https://hermes.example/hook","pending_update_count":%d,"last_error_date":%d,"last_error_message":"Connection refused"}}`,
		pending, time.Now().Add(-ago).Unix())
}
