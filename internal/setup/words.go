package setup

import (
	"fmt"
	"strings"
)

// chatWords is what setup says in a chat, in one language.
type chatWords struct {
	hello    string // to a person by name
	noLink   string // to a person by name who pressed Start and did not open the link
	test     string
	question string
	answers  []string // on the buttons
	stranger string
	over     string
}

// wordsFor returns the words for HERMES_LANG, or for a person's Telegram
// language where that is auto. What is not Chinese is English.
func wordsFor(lang, telegram string) chatWords {
	if lang == "zh" || lang == "auto" && strings.HasPrefix(strings.ToLower(telegram), "zh") {
		return chatWords{
			hello:  "👋 你好，%s。智能体的问题会发到这里，耗时较长的一轮结束时也会通知。",
			noLink: "👋 你好，%s。正在为这个机器人设置 hermes。请扫描终端里的二维码，或打开二维码下方的链接，然后在那里按“开始”。",
			test:   "测试", question: "这是 hermes setup 的测试问题。要让哪个答案出现在你的终端里？",
			answers: []string{"红色", "绿色"}, stranger: "只有名单上的人可以在这里回答", over: "不再等待。",
		}
	}
	return chatWords{
		hello:  "👋 Hello, %s. Questions from your agents come here, and a message when a long turn has ended.",
		noLink: "👋 Hello, %s. hermes is being set up with this bot. To be let in, scan the code in the terminal, or open the link below it, and press Start there.",
		test:   "Test", question: "A test question from hermes setup. Which answer should arrive in your terminal?",
		answers: []string{"Red", "Green"}, stranger: "Only people on the list can answer here", over: "No longer waiting.",
	}
}

// waitingText is the test question while it waits, and ended what becomes of it.
func (w chatWords) waitingText() string { return w.text("❓") }

func (w chatWords) answeredText(answer, who string) string {
	return w.text("✅") + fmt.Sprintf("\n→ %s\n%s", answer, who)
}

func (w chatWords) givenUpText() string { return w.text("⚠️") + "\n" + w.over }

func (w chatWords) text(sign string) string {
	return fmt.Sprintf("%s %s · hermes\n%s", sign, w.test, w.question)
}
