package demo

import (
	"fmt"
	"slices"

	"hermes/internal/page"
)

// localeLanguage is the language of a terminal, by the variables in the order in which POSIX has them.
func localeLanguage(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := getenv(name); value != "" {
			lang, _ := page.Language(value)
			return lang
		}
	}
	return page.Languages()[0]
}

// Greet implements [page.World]. The first browser decides the language of the page, of the scripted agent and
// of Ada's and Bob's Telegram, which hermes goes by. Then both press Start; where the person's own OpenCode can ask before
// the page is opened, they have done so before.
func (t *instance) Greet(lang string) {
	t.greeting.Do(func() {
		was := t.language()
		t.setLanguage(lang)
		if !t.joined {
			t.join(lang)
		} else if lang != was && t.hermes.currentConfig().Lang == "auto" {
			t.speakOrLog(lang)
		}
	})
}

func (t *instance) speakOrLog(lang string) {
	if err := t.hermes.speak(lang); err != nil {
		t.hermes.log.Error("hermes does not start with another language", "err", err)
	}
}

// join makes Ada and Bob press Start, in a Telegram of that language.
func (t *instance) join(lang string) {
	t.joined = true
	for _, u := range t.people {
		u.LanguageCode = lang
		t.telegram.AddUser(u)
		if _, err := t.telegram.Say(u.ID, u.ID, "/start"); err != nil {
			t.hermes.log.Error("a person cannot press Start", "err", err)
		}
	}
}

// speak makes the page, the chats and the scripted agent speak another language: hermes starts again with HERMES_LANG.
func (t *instance) speak(lang string) error {
	if !slices.Contains(page.Languages(), lang) {
		return fmt.Errorf("there is no language %q", lang)
	}
	t.setLanguage(lang)
	return t.hermes.speak(lang)
}

func (t *instance) setLanguage(lang string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lang = lang
}

func (t *instance) language() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lang
}

// terminalWords are what is printed where hermes try was started.
type terminalWords struct{ starts, open, opencode string }

func terminal(lang string) terminalWords {
	if lang == "zh" {
		return terminalWords{
			starts:   "正在启动 Hermes，对面是模拟的 Telegram 和智能体…",
			open:     "请在浏览器中打开下面的地址。按 Ctrl-C 结束，不会留下任何数据。",
			opencode: "正在启动 %s，首次启动需要一些时间。",
		}
	}
	return terminalWords{
		starts:   "Starting Hermes between a simulated Telegram and an agent …",
		open:     "Open this address in a browser. Press Ctrl-C to stop; nothing is kept.",
		opencode: "Starting %s; the first start takes a while.",
	}
}
