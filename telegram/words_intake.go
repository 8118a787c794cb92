package telegram

// intakeWords are the texts about what is not taken, in one language.
type intakeWords struct {
	notHere   string
	forwarded string
	paced     string
}

func englishIntake() intakeWords {
	return intakeWords{
		notHere:   "Sessions cannot be steered in this chat.",
		forwarded: "Forwarded messages, and those sent via a bot, do not count here. Write it yourself, or send the file anew.",
		paced:     "You asked for a lot at once: for a minute some of it gets no reply. Answers and prompts still count.",
	}
}

func chineseIntake() intakeWords {
	return intakeWords{
		notHere:   "不能在这个聊天中操控会话。",
		forwarded: "转发的消息和经由机器人发送的消息在这里无效。请自己写,或重新发送文件。",
		paced:     "短时间内的请求太多,一分钟内有些不会回复;答案和提示照常有效。",
	}
}
