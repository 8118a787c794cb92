package telegram

import "fmt"

// permissionWords are the texts about permission asks, in one language.
type permissionWords struct {
	// Buttons. The English ones are part of hermes' contract.
	once, always, reject, rejectNote string

	// What is wanted, by OpenCode's kinds.
	bash, edit, read, search, webfetch, websearch, outside, task, skill, loop string
	other                                                                     string // the kind

	times     string // how many equal asks
	parts     string // the command is not known whole
	omitted   string // how many characters only the file has
	missing   string // how many characters are left out, as the chat takes no file
	file      string // what the file holds
	in        string // directory
	would     string // patterns; until OpenCode restarts
	wouldKeep string // patterns; for good
	sure      string // directory, patterns
	sureKeep  string // directory, patterns
	note      string // the note
	reply     string
	holder    string // as in words
	tapButton string

	// Decided and ended.
	allowed, rejected string
	kept              string
	onceBy            string // name, time
	onceThere         string // time
	allowedThere      string // time
	alwaysBy          string // name, patterns, time
	alwaysThere       string // patterns, time
	alwaysAlong       string // name, time
	rejectedBy        string // name, time
	rejectedThere     string // time
	rejectedAlong     string // name, time
	notedBy           string // name, note, time
	notedThere        string // note, time
	nobody            string // duration
	nobodyAsk         string // duration; a program asked, and does with that what it likes
	stopped           string
	stoppedLate       string
	notUsedNo         string // name
	unsureNo          string // name
	choseNo           string // name, time
	unknown           string
}

func englishPermission() permissionWords {
	return permissionWords{
		once: "Allow once", always: "Always allow", reject: "Reject", rejectNote: "Reject with a note",

		bash: "Run a command", edit: "Change a file", read: "Read a file", search: "Search files",
		webfetch: "Fetch a web page", websearch: "Search the web", outside: "Reach outside the project",
		task: "Start a subagent", skill: "Use a skill", loop: "Go on with a call that repeats", other: "Use %s",

		times:     "%d equal asks",
		parts:     "OpenCode does not tell the whole command. It asks for these parts:",
		missing:   "%d characters are left out here, as this chat takes no files from bots.",
		omitted:   "%d more characters, in the file above",
		file:      "All of it.",
		in:        "in %s",
		would:     "Always allow would add, until OpenCode restarts: %s",
		wouldKeep: "Always allow would add, for good: %s",
		sure:      "Allow from now on, in %s, until OpenCode restarts, without asking: %s",
		sureKeep:  "Allow from now on, in %s, also after a restart, without asking: %s",
		note:      "Reject it, and tell the agent %s?",
		reply:     "Reply to this message with what the agent shall be told.",
		holder:    "What the agent shall be told",
		tapButton: "Words do not reach the agent here. Tap a button.",

		allowed: "Allowed", rejected: "Rejected",
		kept:          "Your decision is kept",
		onceBy:        "Allowed once by %s · %s",
		onceThere:     "Allowed once in OpenCode · %s",
		allowedThere:  "Allowed in OpenCode · %s",
		alwaysBy:      "Allowed from now on by %s (%s) · %s",
		alwaysThere:   "Allowed from now on in OpenCode (%s) · %s",
		alwaysAlong:   "Allowed by what %s always allowed for another ask · %s",
		rejectedBy:    "Rejected by %s · %s",
		rejectedThere: "Rejected in OpenCode · %s",
		rejectedAlong: "Rejected by %s, together with another ask of this session · %s",
		notedBy:       "Rejected by %s: %s · %s",
		notedThere:    "Rejected in OpenCode: %s · %s",
		nobody:        "Nobody answered in %s: rejected. The agent was told.",
		nobodyAsk:     "Nobody answered in %s: not allowed.",
		stopped:       "Stopped, not run.",
		stoppedLate:   "Stopped. It is not known whether it had begun.",
		notUsedNo:     "%s's rejection was not used.",
		unsureNo:      "It is not known whether %s's rejection arrived.",
		choseNo:       "Being rejected already (%s, %s)",
		unknown:       "It is not known what became of this ask.",
	}
}

func chinesePermission() permissionWords {
	return permissionWords{
		once: "允许一次", always: "始终允许", reject: "拒绝", rejectNote: "拒绝并说明",

		bash: "运行命令", edit: "修改文件", read: "读取文件", search: "搜索文件",
		webfetch: "获取网页", websearch: "搜索网络", outside: "访问项目之外",
		task: "启动子智能体", skill: "使用技能", loop: "继续重复的调用", other: "使用 %s",

		times:     "%d 个相同请求",
		parts:     "OpenCode 未给出完整命令,只请求以下部分:",
		missing:   "此聊天不接收机器人的文件,此处省略了 %d 个字符。",
		omitted:   "另有 %d 个字符,见上方文件",
		file:      "全部内容。",
		in:        "位于 %s",
		would:     "“始终允许”将添加以下规则,直到 OpenCode 重启:%s",
		wouldKeep: "“始终允许”将永久添加以下规则:%s",
		sure:      "从现在起,在 %s 中,直到 OpenCode 重启,不再询问即允许:%s",
		sureKeep:  "从现在起,在 %s 中,重启后仍然有效,不再询问即允许:%s",
		note:      "拒绝,并告知智能体 %s?",
		reply:     "请回复本消息,写下要告知智能体的内容。",
		holder:    "要告知智能体的内容",
		tapButton: "文字无法传达给此处的智能体,请点击按钮。",

		allowed: "已允许", rejected: "已拒绝",
		kept:          "你的决定已保存",
		onceBy:        "%s 允许一次 · %s",
		onceThere:     "已在 OpenCode 中允许一次 · %s",
		allowedThere:  "已在 OpenCode 中允许 · %s",
		alwaysBy:      "%s 从现在起始终允许(%s)· %s",
		alwaysThere:   "已在 OpenCode 中始终允许(%s)· %s",
		alwaysAlong:   "因 %s 对另一请求的始终允许而放行 · %s",
		rejectedBy:    "已由 %s 拒绝 · %s",
		rejectedThere: "已在 OpenCode 中拒绝 · %s",
		rejectedAlong: "%s 拒绝了本会话的另一请求,此请求一并被拒绝 · %s",
		notedBy:       "已由 %s 拒绝:%s · %s",
		notedThere:    "已在 OpenCode 中拒绝:%s · %s",
		nobody:        "%s内无人回答,已拒绝并告知智能体。",
		nobodyAsk:     "%s内无人回答,未予允许。",
		stopped:       "已停止,未运行。",
		stoppedLate:   "已停止。无法确认是否已开始运行。",
		notUsedNo:     "%s 的拒绝未被采用。",
		unsureNo:      "无法确认 %s 的拒绝是否送达。",
		choseNo:       "正在拒绝(%s,%s)",
		unknown:       "无法确认这个请求的结果。",
	}
}

// title says what is wanted, by OpenCode's word for it.
func (w permissionWords) title(kind string) string {
	if known := map[string]string{
		"bash": w.bash, "edit": w.edit, "read": w.read, "glob": w.search, "grep": w.search, "list": w.search,
		"webfetch": w.webfetch, "websearch": w.websearch, "codesearch": w.websearch,
		"external_directory": w.outside, "task": w.task, "skill": w.skill, "doom_loop": w.loop,
	}[kind]; known != "" {
		return known
	}
	return fmt.Sprintf(w.other, oneLine(kind))
}
