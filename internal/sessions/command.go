package sessions

import (
	"strconv"
	"strings"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/remote"
	"hermes/internal/session"
)

// Commands are the commands that a Controller knows, in the order of /help.
func Commands() []string {
	return []string{
		"sessions", "use", "new", "last", "diff", "todo", "status", "pending", "abort", "noreply",
		"run", "agent", "model", "follow", "level", "mute", "help",
	}
}

// arguments is what stands behind the command, without the spaces around it.
func arguments(text string) string {
	at := strings.IndexAny(text, " \t\n")
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(text[at:])
}

// muteFor reads the time of /mute: 30m, 2h, 3d, 1h30m; 0 for off. It reports false for
// anything else, and for more than 30 days.
func muteFor(text string) (time.Duration, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "off" || text == "0" {
		return 0, true
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil && n > 0 && n <= 30
	}
	t, err := time.ParseDuration(text)
	return t, err == nil && t >= time.Minute && t <= 30*24*time.Hour
}

// levelOf reads the level of /level.
func levelOf(text string) (remote.Level, bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "questions":
		return remote.LevelQuestions, true
	case "turns":
		return remote.LevelTurns, true
	case "all":
		return remote.LevelAll, true
	}
	return "", false
}

// sessionsNamed finds the sessions that a person may mean: by id, by the whole title, by a part of it, or by the end of
// an id, as lists show it.
func sessionsNamed(list []session.Session, text string) []session.Session {
	text = strings.ToLower(strings.TrimSpace(text))
	var whole, part, end []session.Session
	for _, s := range list {
		title := strings.ToLower(s.Title)
		switch {
		case string(s.ID) == text || strings.ToLower(string(s.ID)) == text:
			return []session.Session{s}
		case title == text:
			whole = append(whole, s)
		case text != "" && strings.Contains(title, text):
			part = append(part, s)
		case len(text) >= shortEnd && strings.HasSuffix(strings.ToLower(string(s.ID)), strings.TrimPrefix(text, "…")):
			end = append(end, s)
		}
	}
	switch {
	case len(whole) > 0:
		return whole
	case len(part) > 0:
		return part
	}
	return end
}

// asksOnly reports whether a command changes nothing.
func asksOnly(in inbound.Input) bool {
	some := arguments(in.Text) != ""
	switch in.Command {
	case "new", "abort", "follow":
		return false
	case "use":
		return !some && in.ReplyTo == 0
	case "agent", "model", "run", "noreply", "level", "mute":
		return !some
	}
	return true
}

// isAboutOne reports whether a command is about one session.
func isAboutOne(in inbound.Input) bool {
	switch in.Command {
	case "last", "diff", "todo", "abort", "noreply", "agent", "model", "run":
		return in.Kind == inbound.Typed
	}
	return false
}
