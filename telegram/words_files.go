package telegram

import "hermes/internal/question"

// fileWords are the texts about what people send beside texts, in one language.
type fileWords struct {
	tooLarge string // the file, its size, the limit
	larger   string // the same without the size, which is not known
	gone     string // the file
	fetching string // the file
	unusable string // what it is
	noFile   string // the command
	noAnswer string
	silent   string
	unheard  string
	deaf     string

	matters map[question.Matter]string
	matter  string // any other
}

func englishFiles() fileWords {
	return fileWords{
		tooLarge: "Not sent: %s has %s. The files of one prompt may have %s together.",
		larger:   "Not sent: %s is too large. The files of one prompt may have %s together.",
		gone:     "Not sent: Telegram does not give %s out. Please send it again.",
		fetching: "Telegram does not give %s out now. Your prompt is kept",
		unusable: "Not sent: hermes cannot pass %s on to the agent.",
		noFile:   "Nothing was done: /%s takes no file. Send the file without a command.",
		noAnswer: "That is no answer. Tap a button, or reply with text.",
		silent:   "Not sent: no words can be heard in it.",
		unheard:  "Not sent: the voice message could not be written down. Please try again, or write it.",
		deaf:     "Not sent: hermes cannot hear voice messages. Set HERMES_STT_URL to change that.",

		matters: map[question.Matter]string{
			question.Voice:     "a voice message",
			question.VideoNote: "a video message",
			question.Sticker:   "a sticker",
			question.Location:  "a location",
			question.Venue:     "a location",
			question.Contact:   "a contact",
			question.Poll:      "a poll",
			question.Rich:      "a message with rich formatting",
		},
		matter: "this kind of message",
	}
}

func chineseFiles() fileWords {
	return fileWords{
		tooLarge: "未发送:“%s”有 %s。一次提示的文件总共不能超过 %s。",
		larger:   "未发送:“%s”太大。一次提示的文件总共不能超过 %s。",
		gone:     "未发送:无法从 Telegram 取得“%s”,请重新发送。",
		fetching: "暂时无法从 Telegram 取得“%s”,你的提示已保存",
		unusable: "未发送:hermes 无法把%s转给智能体。",
		noFile:   "未执行:/%s 不能带文件。请不带命令地发送文件。",
		noAnswer: "这不是答案。请点按钮,或用文字回复。",
		silent:   "未发送:其中听不到任何话。",
		unheard:  "未发送:语音消息无法转成文字。请重试,或用文字发送。",
		deaf:     "未发送:hermes 听不懂语音消息。设置 HERMES_STT_URL 后即可。",

		matters: map[question.Matter]string{
			question.Voice:     "语音消息",
			question.VideoNote: "视频消息",
			question.Sticker:   "贴纸",
			question.Location:  "位置",
			question.Venue:     "位置",
			question.Contact:   "联系人",
			question.Poll:      "投票",
			question.Rich:      "富文本消息",
		},
		matter: "这类消息",
	}
}
