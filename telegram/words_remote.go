package telegram

import "hermes/internal/question"

// remoteWords are the texts about driving sessions, in one language.
type remoteWords struct {
	// Buttons.
	stop, keep, anAnswer, aCommand string

	// Of a prompt.
	taken, noted, queued, kept, deleted, refused, unsent, givenUp string
	behind                                                        string // what waits
	reasons                                                       map[question.Reason]string

	// Of a session.
	done, doneIn              string // doneIn: duration
	wasStopped, withError     string
	endUnknown                string
	works, isIdle             string
	waitsForYou, inUse        string
	untitled                  string
	files, oneFile            string // number
	todosDone                 string // number, of
	tokens                    string // number
	noWords, noTodos, noDiff  string
	goOn, inFile, noFile      string
	using, usingNone, created string
	nothing, retried          string
	stopAsk, stopped, idle    string
	stillWorks, goesOn        string
	tooLate, gone             string

	// Of the chat.
	sessions, noSessions string
	waitForYou           string
	noneWaits, noneInUse string
	notReached           string // title
	owed                 string // number
	reached              string // number of directories
	offline, failed      string
	levels               map[question.Level]string
	howLevel             string
	muted                string // time
	notMuted, howMute    string
	help                 string
	unknown              string // the command
	which, where         string
	lastUsed, chosen     string // chosen: name
	noSuch               string // name
	noRight              string
	noRightOf            string // roles
	doubt                string // the text, the question's header
	live                 liveWords
}

func englishRemote() remoteWords {
	return remoteWords{
		live: englishLive(),
		stop: "Stop", keep: "Let it work", anAnswer: "An answer", aCommand: "A command",

		taken:   "The agent has it",
		noted:   "Noted: the agent reads it with the next prompt",
		queued:  "Queued: the agent is busy",
		behind:  "Queued: the agent first waits for an answer to “%s”",
		kept:    "Waiting for OpenCode. Your prompt is kept",
		deleted: "Not sent: the session was deleted",
		refused: "Not sent: OpenCode does not take it.",
		unsent:  "Not sent.",
		givenUp: "Given up after 12 hours without OpenCode: it is not known to have arrived",
		reasons: map[question.Reason]string{
			question.ReasonAgent:     "There is no such agent.",
			question.ReasonModel:     "There is no such model.",
			question.ReasonCommand:   "There is no such command.",
			question.ReasonSigns:     "In the text of a command OpenCode runs !`…` and reads @files, and asks nobody. So it can have no ` ! @ or $.",
			question.ReasonNoText:    "OpenCode could run the text of this command, or read the file it names, and ask nobody. Send the command without a text.",
			question.ReasonFile:      "A file of that kind would break the session.",
			question.ReasonTooLarge:  "The files are too large.",
			question.ReasonNotDriven: "Its plugin is old, or does not let sessions be driven: run hermes plugin install and restart OpenCode.",
		},

		done: "Done", doneIn: "Done in %s", wasStopped: "Stopped", withError: "Ended with an error",
		endUnknown: "It is not known how this ended",
		works:      "Works", isIdle: "Idle", waitsForYou: "Waits for you", inUse: "in use", untitled: "(no title)",
		files: "%d files", oneFile: "1 file", todosDone: "%d of %d todos", tokens: "%d tokens",
		noWords: "(no words)", noTodos: "There are no todos.", noDiff: "Nothing was changed.",
		goOn: "Reply to this message to go on.", inFile: "The text is too long for messages. It is in the file above, whole.",
		noFile:    "The text is too long for messages, and this chat takes no files from bots: it is not all here. All of it is in OpenCode.",
		using:     "What you write here goes to this session.",
		usingNone: "What you write here goes to no session now.",
		created:   "A new session. What you write here goes to it.",
		nothing:   "It has your prompt, and did not begin with it.",
		retried:   "The model gives errors. OpenCode tries again.",
		stopAsk:   "Stop it? What it is doing ends at once.",
		stopped:   "Stopped", idle: "It does not work now", stillWorks: "It still works: OpenCode did not stop it",
		goesOn: "It goes on", tooLate: "That was asked too long ago. Send /abort again", gone: "There is no such session",

		sessions: "Sessions", noSessions: "There are no sessions yet. /new makes one.",
		waitForYou: "Waiting for you:", noneWaits: "Nothing waits for you here.",
		noneInUse:  "No session is in use. /sessions shows them.",
		notReached: "%s cannot be reached now.",
		owed:       "Prompts that wait for OpenCode: %d",
		reached:    "OpenCode is reached in directories: %d",
		offline:    "No OpenCode can be reached now.",
		failed:     "OpenCode did not answer. Please try again.",
		levels: map[question.Level]string{
			question.LevelQuestions: "Only questions come here.",
			question.LevelTurns:     "Questions come here, and the end of every turn.",
			question.LevelAll:       "Questions come here, and the beginning and end of every turn.",
		},
		howLevel: "/level questions, /level turns or /level all changes it.",
		muted:    "No ends of turns until %s. Questions still come.", notMuted: "Nothing is muted.",
		howMute: "/mute 30m, /mute 2h, /mute 1d or /mute off changes it.",
		help: "Reply to a message about a session to tell the agent something.\n\n" +
			"/sessions – all sessions, to choose one\n/use name – what you write here goes to it; /use off\n/new – a new session; /new project\n" +
			"/last – what it said last\n/diff – what it changed\n/todo – its list\n/status – how everything stands\n/pending – what waits for you\n" +
			"/abort – stop it\n/noreply text – tell it, and let it wait\n/run name – a command of OpenCode\n/agent, /model – who works on it\n/follow – see what it does while it works\n/level – what comes here\n/mute 2h – ends of turns are not told\n/help – this",
		unknown:  "There is no command /%s. /help shows all.",
		which:    "Which session? Reply to a message of it, or choose one by /sessions",
		where:    "In which directory?",
		lastUsed: "As it was used last.", chosen: "From now on: %s",
		noSuch:  "There is no “%s”. There is:",
		noRight: "You may not steer sessions here.", noRightOf: "Only people with this role can steer sessions: %s",
		doubt: "Is “%s” your answer to “%s”, or a command?",
	}
}

func chineseRemote() remoteWords {
	return remoteWords{
		live: chineseLive(),
		stop: "停止", keep: "继续运行", anAnswer: "是答案", aCommand: "是命令",

		taken:   "智能体已收到",
		noted:   "已记下:智能体将在下次提示时读到",
		queued:  "已排队:智能体正忙",
		behind:  "已排队:智能体先要等你回答“%s”",
		kept:    "正在等待 OpenCode,你的提示已保存",
		deleted: "未发送:会话已被删除",
		refused: "未发送:OpenCode 不接受。",
		unsent:  "未发送。",
		givenUp: "12 小时内无法连接 OpenCode,已放弃:无法确认是否送达",
		reasons: map[question.Reason]string{
			question.ReasonAgent:     "没有这个智能体。",
			question.ReasonModel:     "没有这个模型。",
			question.ReasonCommand:   "没有这个命令。",
			question.ReasonSigns:     "OpenCode 会不经询问就执行命令文字中的 !`…`,并读取其中的 @文件。所以其中不能有 ` ! @ 或 $。",
			question.ReasonNoText:    "OpenCode 可能不经询问就执行这个命令后面的文字,或读取它所指的文件。请只发送命令本身。",
			question.ReasonFile:      "这种文件会损坏会话。",
			question.ReasonTooLarge:  "文件太大。",
			question.ReasonNotDriven: "插件过旧,或不允许操控会话:请运行 hermes plugin install 并重启 OpenCode。",
		},

		done: "已完成", doneIn: "完成,用时 %s", wasStopped: "已停止", withError: "因错误结束",
		endUnknown: "不知道结果如何",
		works:      "运行中", isIdle: "空闲", waitsForYou: "等你回答", inUse: "使用中", untitled: "(无标题)",
		files: "%d 个文件", oneFile: "1 个文件", todosDone: "待办 %d / %d", tokens: "%d 个 token",
		noWords: "(没有文字)", noTodos: "没有待办事项。", noDiff: "没有任何改动。",
		goOn: "回复本消息即可继续。", inFile: "文字太长,完整内容在上面的文件中。",
		noFile:    "文字太长,而此聊天不接收机器人的文件:此处并不完整。完整内容在 OpenCode 中。",
		using:     "你在这里写的内容会发给这个会话。",
		usingNone: "你在这里写的内容现在不会发给任何会话。",
		created:   "新会话。你在这里写的内容会发给它。",
		nothing:   "它已收到你的提示,但没有开始运行。",
		retried:   "模型出错,OpenCode 正在重试。",
		stopAsk:   "要停止吗?它正在做的事会立即中断。",
		stopped:   "已停止", idle: "它现在没有运行", stillWorks: "它仍在运行:OpenCode 没有停止它",
		goesOn: "它继续运行", tooLate: "询问已过时,请重新发送 /abort", gone: "没有这个会话",

		sessions: "会话", noSessions: "还没有会话。用 /new 新建一个。",
		waitForYou: "等你回答:", noneWaits: "这里没有等你回答的内容。",
		noneInUse:  "没有正在使用的会话。用 /sessions 查看。",
		notReached: "现在无法连接:%s。",
		owed:       "等待 OpenCode 的提示:%d",
		reached:    "可连接 OpenCode 的目录:%d",
		offline:    "现在无法连接任何 OpenCode。",
		failed:     "OpenCode 没有回应,请重试。",
		levels: map[question.Level]string{
			question.LevelQuestions: "这里只接收提问。",
			question.LevelTurns:     "这里接收提问和每一轮的结束。",
			question.LevelAll:       "这里接收提问和每一轮的开始与结束。",
		},
		howLevel: "用 /level questions、/level turns 或 /level all 更改。",
		muted:    "在 %s 之前不通知结束。提问仍会送达。", notMuted: "没有静音。",
		howMute: "用 /mute 30m、/mute 2h、/mute 1d 或 /mute off 更改。",
		help: "回复某个会话的消息,即可告诉智能体。\n\n" +
			"/sessions – 所有会话,供选择\n/use 名称 – 你在这里写的内容发给它;/use off 取消\n/new – 新会话;/new 项目\n" +
			"/last – 它最后说的话\n/diff – 它的改动\n/todo – 它的待办\n/status – 当前状态\n/pending – 等你回答的内容\n" +
			"/abort – 停止它\n/noreply 文字 – 告诉它,但不让它运行\n/run 名称 – OpenCode 的命令\n/agent、/model – 由谁来做\n/follow – 运行时显示它在做什么\n/level – 这里接收什么\n/mute 2h – 不通知结束\n/help – 本说明",
		unknown:  "没有 /%s 这个命令。/help 列出全部命令。",
		which:    "哪个会话?请回复它的消息,或用 /sessions 选择",
		where:    "在哪个目录?",
		lastUsed: "沿用上次的选择。", chosen: "从现在起使用:%s",
		noSuch:  "没有“%s”。可选:",
		noRight: "你不能在这里操控会话。", noRightOf: "只有这些角色的人可以操控会话:%s",
		doubt: "“%s”是对“%s”的回答,还是命令?",
	}
}
