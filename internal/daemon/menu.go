package daemon

import (
	"context"
	"errors"
	"time"

	"hermes/internal/sessions"
	"hermes/telegram"
)

// OfferAfter is how long after the start the menu of commands is seen to: what is asked
// and answered then goes first.
const OfferAfter = 2 * time.Second

// commandMenu is the state of what Telegram's clients offer for a slash. Make it with newCommandMenu.
type commandMenu struct {
	other chan struct{} // something that it depends on has changed
}

func newCommandMenu() commandMenu { return commandMenu{make(chan struct{}, 1)} }

// again has the menu looked after once more. It never waits.
func (m commandMenu) again() {
	select {
	case m.other <- struct{}{}:
	default:
	}
}

// offer makes Telegram offer the commands that there are, and takes away what an
// earlier hermes left: soon after the start, and whenever the rules have changed. What
// fails is only logged and tried again later, as Telegram says; commands work without.
func (d *Daemon) offer(ctx context.Context) {
	wait := time.NewTimer(OfferAfter)
	defer wait.Stop()
	failed, logged := 0, telegram.Reason("")
	for {
		select {
		case <-wait.C:
		case <-d.offered.other:
		case <-ctx.Done():
			return
		}
		private, groups := d.commands()
		err := d.Bot.SetCommands(ctx, private, groups)
		var e *telegram.Error
		if err == nil || !errors.As(err, &e) || ctx.Err() != nil {
			failed, logged = 0, ""
			continue
		}
		if e.Reason != logged {
			logged = e.Reason
			d.log.Warn(unoffered(e), "op", e.Op, "reason", e.Reason, "err", e)
		}
		if e.Temporary() {
			wait.Reset(max(e.RetryAfter, time.Minute<<min(failed, 6)))
			failed++
		}
	}
}

// unoffered says what a failure means and what there is to do.
func unoffered(e *telegram.Error) string {
	if e.Temporary() {
		return "the menu of commands was not set; they work without, and hermes tries again"
	}
	return "the menu of commands was not set; they work without, and the next start tries again"
}

// commands are what is offered in private chats and in groups. Where nobody may drive
// sessions there is nothing to offer but /start.
func (d *Daemon) commands() (private, groups []telegram.Command) {
	if d.remote != nil && d.RulesInForce().Driven() {
		for _, name := range sessions.Commands() {
			english, chinese := Described(name)
			groups = append(groups, telegram.Command{Name: name, English: english, Chinese: chinese})
		}
	}
	english, chinese := Described("start")
	return append(groups[:len(groups):len(groups)], telegram.Command{Name: "start", English: english, Chinese: chinese}), groups
}

// Described says what a command does, as the menu shows it; empty: it is none of ours.
func Described(name string) (english, chinese string) {
	text := map[string][2]string{
		"start":    {"Whether questions come here", "提问是否会送到这里"},
		"sessions": {"All sessions, to choose one", "所有会话,供选择"},
		"use":      {"Write to a session: /use name, /use off", "写给某个会话:/use 名称,/use off 取消"},
		"new":      {"A new session: /new project", "新会话:/new 项目"},
		"last":     {"What it said last", "它最后说的话"},
		"diff":     {"What it changed", "它的改动"},
		"todo":     {"Its list of todos", "它的待办"},
		"status":   {"How everything stands", "当前状态"},
		"pending":  {"What waits for you", "等你回答的内容"},
		"abort":    {"Stop it", "停止它"},
		"noreply":  {"Tell it something, and let it wait", "告诉它,但不让它运行"},
		"run":      {"A command of OpenCode: /run name", "OpenCode 的命令:/run 名称"},
		"agent":    {"The agent that works on it", "由哪个智能体来做"},
		"model":    {"The model that it uses", "它使用的模型"},
		"follow":   {"See what it does while it works; /follow off", "运行时显示它在做什么;/follow off 取消"},
		"level":    {"How much comes here", "这里接收什么"},
		"mute":     {"Do not tell when it is done: /mute 2h", "暂不通知结束:/mute 2h"},
		"help":     {"All commands", "全部命令"},
	}[name]
	return text[0], text[1]
}
