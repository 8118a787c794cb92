package words

import (
	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/remote"
)

func chineseAdmission() Admission {
	return Admission{
		LetIn: "准许加入", Refuse: "拒绝",

		Wants:       "“%s”请求加入",
		WantsGroup:  "“%s”请求添加一个群组",
		Wanted:      "“%s”曾请求加入",
		WantedGroup: "“%s”曾请求添加一个群组",
		ID:          "id %s",
		May:         "加入后，此人可以回答智能体的提问，并会收到提问。",
		MayAs:       "加入后，此人可以以 %s 的角色回答智能体的提问。",
		Invited:     "链接是为“%s”创建的。",
		Group:       "智能体的提问将发送到群组“%s”（%s）。",
		Made:        "链接创建于 %s。请只准许你在等的人加入。",
		LetInBy:     "已由 %s 准许加入 · %s",
		RefusedBy:   "已由 %s 拒绝 · %s",
		Nobody:      "规定时间内无人准许，链接已失效。",
		Withdrawn:   "链接已通过 API 撤回 · %s",
		LetInTakes:  "准许此人加入需要以下角色：%s",
		TapButton:   "文字不能准许加入，请点击按钮。",

		Waiting: "正在等待有人准许你加入", WaitingGroup: "正在等待有人准许本群组加入",
		Admitted: "你已获准加入 · %s", AdmittedGroup: "本群组已获准加入 · %s",
		Unwanted: "你未获准加入。", UnwantedGroup: "本群组未获准加入。",

		Removed:      "“%s”已被移除",
		RemovedGroup: "群组 %s 已被移除",
		NoMore:       "此人不能再回答提问。通过 API 或 hermes pair 移除 · %s",
		NoMoreGroup:  "该群组不再收到提问。通过 API 或 hermes pair 移除 · %s",
	}
}

// chinese is the Chinese table, in simplified characters.
func chinese() Table {
	return Table{
		TypeAnswer: "输入答案",
		Dismiss:    "忽略",
		Back:       "上一步",
		Next:       "下一步",
		Done:       "完成",
		Send:       "发送",
		DoneCount:  "完成（%d）",

		Question:   "问题",
		Numbered:   "问题 %d",
		OfItems:    "第 %d / %d 题",
		ChooseAny:  "（可多选）",
		Reply:      "请回复本消息，写下你的答案。",
		ReplyOr:    "请回复本消息，写下你的答案，或先点击“%s”。",
		NoBoxOpens: "如果没有出现回复框：滑动本消息，或右键点击它并选择“回复”。",
		Holder:     "你的答案",
		Waits:      "等待至 %s",
		Offline:    "我离线了 %s。期间的点击已丢失，请重新点击。",
		Expired:    "%s内无人回答。仍在等待。",
		Unshown:    "有一个聊天不接收我的消息，这个问题没有显示在那里。",
		Review:     "待发送",
		Above:      "文本过长，无法放入消息。全文见上方文件。",
		File:       "问题全文。",
		Below:      "见下方消息。",
		SeeAbove:   "见上方消息。",
		NoFile:     "文字太长，而此聊天不接收机器人的文件：此处并不完整。",
		WholeAt:    "完整内容在 OpenCode 中。",
		WholeAtAsk: "可用 hermes answer 查看完整内容。",

		PickOne:     "请至少选择一项。",
		Ambiguous:   "是哪一项：%s？请发送编号。",
		QuoteIt:     "如要原样发送你的文字，请加引号：%s。",
		Or:          "，还是 ",
		NotAnOption: "没有这个选项。请发送编号或点击按钮。",
		NoNumber:    "没有选项 %s：选项编号为 1 至 %d。",
		OnlyOne:     "这里只能选择一项。",
		TapSend:     "全部已回答。请点击“发送”，或点击编号修改。",

		Comma:          "、",
		Colon:          "：",
		Semicolon:      "；",
		Stop:           "。",
		Sending:        "正在发送…",
		Dismissed:      "已忽略",
		WaitingAt:      "正在等待 %s 上的 OpenCode。",
		Waiting:        "正在等待 OpenCode。",
		Kept:           "你的回答已保存",
		KeptNo:         "仍按忽略处理。",
		ByPerson:       "%s · %s",
		ByCaller:       "%s（通过 API）· %s",
		ByAPI:          "已通过 API 回答 · %s",
		InOpenCode:     "已在 OpenCode 中回答 · %s",
		DismissedBy:    "已由 %s 忽略 · %s",
		DismissedAPI:   "已由 %s 通过 API 忽略 · %s",
		DismissedByAPI: "已通过 API 忽略 · %s",
		DismissedThere: "已在 OpenCode 中忽略 · %s",
		TakenBack:      "提问的程序已撤回 · %s",
		NobodyReject:   "%s内无人回答，已忽略并告知智能体。",
		NobodyAsk:      "%s内无人回答，已忽略。",
		NobodyEnds:     "%s内无人回答，已忽略，智能体的本轮运行随之结束。",
		NobodyTook: map[question.Expiry]Expiry{
			question.ExpireAccept: {
				One:     "%s内无人回答，已采用第一个选项：%s。",
				Default: "%s内无人回答，已采用默认选项：%s。",
				Each:    "%s内无人回答，已采用各题的第一个选项。",
			},
		},
		Ended: map[question.OutcomeKind]string{
			question.OutcomeStopped:   "不再等待：会话已停止。",
			question.OutcomeDeleted:   "不再等待：会话已删除。",
			question.OutcomeRestarted: "不再等待：OpenCode 已重启。",
			question.OutcomeVoid:      "不再等待：这个问题没有真正提出。",
			question.OutcomeUnknown:   "无法确认这个问题的结果。",
		},
		WentOn:    "不再等待：OpenCode 已重启或重新加载，智能体未等到回答便已继续。",
		NotUsed:   "%s 的回答未被采用：%s",
		NotUsedNo: "%s 的忽略未被采用。",
		Unsure:    "无法确认 %s 的回答是否送达：%s",
		UnsureNo:  "无法确认 %s 的忽略是否送达。",

		AlertAnswered: "已经回答过：%s（%s，%s）",
		AlertThere:    "已在 OpenCode 中回答：%s（%s）",
		AlertExpired:  "未在时限内回答",
		AlertChose:    "已经选择，正在送达：%s（%s，%s）",
		AlertChoseNo:  "正在忽略（%s，%s）",
		Stale:         "这是该问题的旧版本",
		Stranger:      "只有名单上的人可以在这里回答",
		NoRole:        "你在这里没有角色，无法回答",
		NoRoleOf:      "你在这里没有角色。回答此项需要以下角色之一：%s",
		WrongRole:     "回答此项需要以下角色之一：%s",
		NoSuch:        "这个问题已不存在",

		Remind:     "仍在等待：%s",
		Nothing:    "目前没有要回答的问题。",
		Which:      "你指的是哪个问题？请直接回复那一条。",
		Greeting:   "你好，%s。智能体的问题会发到这里。",
		Elsewhere:  "你好，%s。目前没有提问会发到这个聊天。",
		StrangerHi: "此机器人只为名单上的人服务。你的 ID 是 %s，本聊天的 ID 是 %s。",
		MovedOn:    "这条未计入：现在问的已是另一项。请直接回复问题消息。",
		NoBox:      "我无法确定这是在回答哪个问题。请直接回复问题消息。",

		Dismissal:  chineseDismissal(),
		Hold:       chineseHold(),
		Permission: chinesePermission(),
		Team:       chineseTeam(),
		Sessions:   chineseRemote(),
		Rule:       chineseRule(),
		Files:      chineseFiles(),
		Late:       chineseLate(),
		SaidBefore: "提问之前它说：",
		Unsent: Unsent{
			NoDriver: "你的文字未发给会话：你无权给会话写消息。",

			Which:     "未发送：要发给哪个会话？请回复该会话的消息，或用 /sessions 选择。",
			OrTap:     "也可以点选要发给的会话：",
			Already:   "这段文字已经发送。",
			NoText:    "这段文字已不再保存，没有发送任何内容。请重新写。",
			NotTheirs: "只有写这段文字的人可以发送。",
		},
		Intake: chineseIntake(),
		Form:   chineseForm(),

		Admission: chineseAdmission(),
		Machines:  chineseMachines(),
		Menu:      chineseMenu(),

		Seconds: "%d 秒",
		Minutes: "%d 分钟",
		Hours:   "%d 小时",
		Days:    "%d 天",
	}
}

func chineseDismissal() Dismissal {
	return Dismissal{
		All: "全部忽略",

		Sure:      "忽略这个问题？",
		SureAll:   "忽略全部 %d 个问题？",
		ByDefault: "智能体通常会就此停下。",
		EndsTurn:  "智能体的本轮工作会就此结束。",
		Subagent:  "子智能体的本轮工作会就此结束，调用它的智能体会在没有答案的情况下继续。",
		Program:   "提问的程序将得不到答案。",
		Discards:  "已准备的答案会被丢弃。",
	}
}

func chineseHold() Hold {
	return Hold{
		SentIn: "%s后发送", NotYet: "%s 已作出决定，尚未发送。点击“撤销”可收回。",
		LostRight: "%s 已作出决定，但此后决定权限有变，因此没有发送。请重新决定。",
	}
}

func chineseLive() Live {
	return Live{
		On:     "运行期间，这里会有一条消息显示它正在做什么。/follow off 取消。",
		Off:    "这里不显示它正在做什么。/follow 可在运行期间显示。",
		Away:   "现在无法连接 OpenCode",
		Closed: "OpenCode 已关闭，它的工作随之结束",
		Left:   "本消息不再更新。",
	}
}

func chineseRule() Rule {
	return Rule{Undo: "撤销", Name: "规则“%s”", By: "由规则“%s”决定", When: "%s · %s"}
}

func chineseTeam() Team {
	return Team{
		Claim: "认领", Release: "放弃认领",

		Needs:      "👥 需要 %d 人同意",
		NeedsOf:    "👥 需要其中 %d 人同意：%s",
		MoreFrom:   "👥 还需其中 %d 人同意：%s",
		MayAnswer:  "👥 可处理的人：%s",
		Watching:   "🔒 这在等其他人处理，不需要你操作。",
		Approved:   "✅ %d / %d · %s",
		NextTap:    "规则已变更，人数已够：再点一次即生效。",
		OnIt:       "🙋 %s 正在处理，至 %s",
		Escalated:  "⏫ 尚无人回答，已询问其他聊天。",
		MoreOf:     "⏫ 仍待更多人同意，已询问其他聊天。",
		Enough:     "%d / %d 人同意，%s内未满，已拒绝并告知智能体。",
		Unsent:     "规则变更后人数已够，但 %s内无人作出决定，已拒绝并告知智能体。",
		EnoughEnds: "%d / %d 人同意，%s内未满，已拒绝，智能体的本轮运行随之结束。",
		UnsentEnds: "规则变更后人数已够，但 %s内无人作出决定，已拒绝，智能体的本轮运行随之结束。",
		And:        "和",

		Unsigned: "这是谁的回答？请关闭“匿名管理员”，也不要以频道身份发言。",

		NotOwner:     "只有 %s 可以回答：这是其智能体的提问",
		OwnAgent:     "这是你自己的智能体的提问，须由其他人回答",
		Taken:        "已与你无关：这台机器现在属于别人。",
		Freed:        "不再在此提问：这台机器现在不专属于任何人。",
		AlertVoted:   "你已经同意过：%d / %d",
		AlertClaimed: "%s 正在处理，至 %s",
	}
}

func chineseFiles() Files {
	return Files{
		TooLarge: "未发送：“%s”有 %s。一条消息的文件总共不能超过 %s。",
		Larger:   "未发送：“%s”太大。一条消息的文件总共不能超过 %s。",
		Gone:     "未发送：我无法从 Telegram 取得“%s”，请重新发送。详情见我的日志。",
		Fetching: "暂时无法从 Telegram 取得“%s”，你的消息已保存",
		Unusable: "未发送：我无法把%s转给智能体。",
		NoFile:   "未执行：/%s 不能带文件。请不带命令地发送文件。",
		NoAnswer: "这不是答案。请点按钮，或用文字回复。",
		IsItSaid: "这是你的回答吗？尚未发送任何内容。", TypeInstead: "改为输入",
		Unsaid:  "没有发送任何内容。请用文字回复该问题。",
		Silent:  "未发送：其中听不到任何话。",
		Unheard: "未发送：语音消息无法转成文字。请重试，或用文字发送。",
		Deaf:    "未发送：这里未开启语音消息。（管理员：HERMES_STT_URL）",

		Matters: map[chat.Media]string{
			chat.Voice:     "语音消息",
			chat.VideoNote: "视频消息",
			chat.Sticker:   "贴纸",
			chat.Location:  "位置",
			chat.Venue:     "位置",
			chat.Contact:   "联系人",
			chat.Poll:      "投票",
			chat.Rich:      "富文本消息",
		},
		Matter: "这类消息",
	}
}

func chineseForm() Form {
	return Form{
		Skip: "跳过", UseDefault: "使用默认值",
		Yes: "是", No: "否", Opened: "完成",

		Server:  "这是 MCP 服务器 %s 的询问，不是智能体的。",
		Program: "这是某个程序的询问，不是智能体的：%s",

		Send:       "请发送%s。",
		Optional:   "选填。",
		Default:    "默认：%s",
		Open:       "打开 %s",
		Address:    "这个地址位于 %s：",
		Doubtful:   "⚠️ 请只打开你认识的地址：名称可能掩盖了去向。逐字显示如下：",
		WhenOpened: "在那里完成后，请点击“完成”。",
		Unknown:    "我不认识这种字段。请在 OpenCode 中回答，或者拒绝。",
		Choose:     Bounds{Between: "（请选择 %s 到 %s 项）", Exactly: "（请选择 %s 项）", Least: "（请至少选择 %s 项）", Most: "（最多可选 %s 项）"},

		Kinds: map[fields.Kind]string{
			fields.String:      "文字",
			fields.Number:      "一个数字",
			fields.Integer:     "一个整数",
			fields.Multiselect: "文字",
		},
		Formats: map[fields.Format]string{
			fields.Email:    "一个电子邮件地址",
			fields.URI:      "一个网址，例如 https://example.org",
			fields.Date:     "一个日期，例如 2026-11-22",
			fields.DateTime: "带时区的日期和时间，例如 2026-11-22T14:30:00Z",
		},
		Numbers:  Ranges{Between: "%s（%s 到 %s）", Exactly: "%s（必须是 %s）", Least: "%s（不小于 %s）", Most: "%s（不大于 %s）"},
		Lengths:  Ranges{Between: "%s（%s 到 %s 个字符）", Exactly: "%s（%s 个字符）", Least: "%s（至少 %s 个字符）", Most: "%s（最多 %s 个字符）"},
		Matching: "%s，须匹配 %s",

		TapButton:  "请点击其中一个按钮。",
		DoesNotFit: "%s 不符合要求。",
		TooFew:     "请至少选择 %s 项。",
		TooMany:    "最多只能选择 %s 项。",
		Refused:    "未被接受，尚未回答。OpenCode 的说明：%s",

		Instead: Instead{
			Form: "表单", Numbered: "字段 %d",
			OfItems:  "第 %d / %d 项",
			Decline:  "拒绝填写",
			Sure:     "拒绝填写？",
			Declined: "已拒绝填写",
			Kept:     "仍按拒绝填写处理。",
			By:       "%s 拒绝填写 · %s",
			ByCaller: "%s 通过 API 拒绝填写 · %s",
			ByAPI:    "已通过 API 拒绝填写 · %s",
			There:    "已在 OpenCode 中取消 · %s",
			Nobody:   "%s内无人回答，已拒绝填写并告知询问方。",
			NotUsed:  "%s 拒绝填写，但未被采用。",
			Unsure:   "无法确认 %s 的拒绝填写是否送达。",
			Chose:    "正在拒绝填写（%s，%s）",
			Void:     "不再等待：这个表单没有真正发出。",
			Gone:     "无法确认这个表单的结果。",
			NoSuch:   "这个表单已不存在",
			Stale:    "这是该表单的旧版本",
		},
	}
}

func chineseIntake() Intake {
	return Intake{
		NotHere:   "不能在这个聊天中操控会话。",
		NotYours:  "这个会话在别人的机器上，只有机器的主人可以使用。",
		Forwarded: "我不接受转发的消息。请自己输入，或重新发送文件。",
		Paced:     "请慢一点：一分钟内我会少回复一些；答案和发给智能体的消息照常有效。",
	}
}

func chineseLate() Late {
	return Late{Send: "作为新消息发给智能体", Reply: "回复此消息，可把回答作为新消息发给智能体。", Unsent: "你的回答未发送。点按钮即可作为新消息发给智能体。"}
}

func chinesePermission() Permission {
	return Permission{
		Withheld: "此聊天不显示具体内容。允许之前，请在 OpenCode 中查看。",

		Once: "允许一次", Always: "始终允许", Reject: "拒绝", RejectNote: "拒绝并说明",

		Bash: "运行命令", Edit: "修改文件", Read: "读取文件", Search: "搜索文件",
		Webfetch: "获取网页", Websearch: "搜索网络", Outside: "访问项目之外",
		Task: "启动子智能体", Skill: "使用技能", Loop: "继续重复的调用", Other: "使用 %s",

		Every: map[string]string{
			"bash": "所有命令", "edit": "所有文件修改", "read": "所有文件", "glob": "所有文件查找", "grep": "所有文件内搜索",
			"list": "所有文件夹", "webfetch": "所有网页", "websearch": "所有网络搜索", "external_directory": "项目外的所有文件夹",
			"task": "所有子智能体", "skill": "所有技能", "doom_loop": "所有重复的调用", "": "此类的一切操作",
		},
		Details: map[string]string{
			"description": "说明", "filepath": "文件", "format": "格式", "timeout": "时限", "query": "查询", "workdir": "文件夹",
			"unsent": "⋯ 未传送",
		},

		Adds: "新建 %s", Deletes: "删除 %s", Moves: "将 %s 移动到 %s",
		Unread: "我无法识别此操作会修改哪些文件。请看完全部内容再决定是否允许。",

		Times:      "%d 个相同请求",
		Parts:      "OpenCode 未给出完整命令，只请求以下部分：",
		Missing:    "此聊天不接收机器人的文件，此处省略了 %d 个字符。",
		Omitted:    "另有 %d 个字符，见上方文件",
		File:       "全部内容。",
		BlankLines: "%d 个空行", Spaces: "%d 个空格",
		Follows:    "下方还有 · 第 1 部分，共 %d 部分",
		TooLong:    "内容太长，而此聊天不接收机器人的文件，在这里无法看全。请在能接收文件的聊天或 OpenCode 中允许。",
		TooLongAsk: "内容太长，而此聊天不接收机器人的文件，在这里无法看全。请在能接收文件的聊天中允许。",
		Patterns:   "匹配规则", Files: "文件", Others: "详情", Adding: "“始终允许”的范围",
		In:        "位于 %s",
		Would:     "“始终允许”的范围，直到 OpenCode 重启：%s",
		WouldKeep: "“始终允许”的范围，永久有效：%s",
		Sure:      "从现在起，在 %s 中，直到 OpenCode 重启，不再询问即允许：%s",
		SureKeep:  "从现在起，在 %s 中，重启后仍然有效，不再询问即允许：%s",
		SureWide:  "从现在起，在 %s 及其所属项目的所有位置（包括该仓库的其他副本），重启后仍然有效，不再询问即允许：%s",
		Note:      "拒绝，并告知智能体 %s？",
		Reply:     "请回复本消息，写下要告知智能体的内容。",
		Holder:    "要告知智能体的内容",
		TapButton: "文字无法传达给此处的智能体，请点击按钮。",

		Allowed: "已允许", Rejected: "已拒绝",
		Kept:          "你的决定已保存",
		OnceBy:        "%s 允许一次 · %s",
		OnceThere:     "已在 OpenCode 中允许一次 · %s",
		AllowedThere:  "已在 OpenCode 中允许 · %s",
		AlwaysBy:      "%s 从现在起始终允许（%s）· %s",
		AlwaysThere:   "已在 OpenCode 中始终允许（%s）· %s",
		AlwaysAlong:   "因 %s 对另一请求的始终允许而放行 · %s",
		RejectedBy:    "已由 %s 拒绝 · %s",
		RejectedThere: "已在 OpenCode 中拒绝 · %s",
		RejectedAlong: "%s 拒绝了本会话的另一请求，此请求一并被拒绝 · %s",
		NotedBy:       "已由 %s 拒绝：%s · %s",
		NotedThere:    "已在 OpenCode 中拒绝：%s · %s",
		Nobody:        "%s内无人回答，已拒绝并告知智能体。",
		NobodyAsk:     "%s内无人回答，未予允许。",
		NobodyEnds:    "%s内无人回答，已拒绝，智能体的本轮运行随之结束。",
		Stopped:       "已停止，未运行。",
		StoppedLate:   "已停止。无法确认是否已开始运行。",
		NotUsedNo:     "%s 的拒绝未被采用。",
		UnsureNo:      "无法确认 %s 的拒绝是否送达。",
		ChoseNo:       "正在拒绝（%s，%s）",
		Unknown:       "无法确认这个请求的结果。",
	}
}

func chineseRemote() Sessions {
	return Sessions{
		Live: chineseLive(),
		Stop: "停止", Keep: "继续运行", AnAnswer: "是答案", ACommand: "是命令",

		Taken:   "智能体已收到",
		Noted:   "已记下：智能体将在下次收到消息时读到",
		Queued:  "已排队：智能体正忙",
		Behind:  "已排队：智能体先要等你回答“%s”",
		Kept:    "正在等待 OpenCode，你的消息已保存",
		Deleted: "未发送：会话已被删除",
		Refused: "未发送：OpenCode 不接受。",
		Unsent:  "未发送。",
		GivenUp: "12 小时内无法连接 OpenCode，已放弃：无法确认是否送达",
		Before:  "我已从备份恢复，无法确认此前是否送达，没有再次发送",
		Reasons: map[remote.Reason]string{
			remote.ReasonAgent:     "没有这个智能体。",
			remote.ReasonModel:     "没有这个模型。",
			remote.ReasonCommand:   "没有这个命令。",
			remote.ReasonSigns:     "命令文字中不能有 ` ! @ $：OpenCode 会不经询问就执行或读取。",
			remote.ReasonNoText:    "OpenCode 可能不经询问就执行或读取命令后面的文字。请只发送命令本身。",
			remote.ReasonFile:      "这种文件会损坏会话。",
			remote.ReasonTooLarge:  "文件太大。",
			remote.ReasonNotDriven: "插件过旧，或不允许操控会话：请运行 hermes plugin install 并重启 OpenCode。",
		},

		Done: "已完成", DoneIn: "完成，用时 %s", WasStopped: "已停止", WithError: "因错误结束",
		EndUnknown: "无法得知结果如何",
		Works:      "运行中", IsIdle: "空闲", WaitsForYou: "等你回答", InUse: "使用中", Untitled: "（无标题）",
		Files: "%d 个文件", OneFile: "1 个文件", TodosDone: "待办 %d / %d", Tokens: "%d 个 token",
		NoWords: "智能体没有写下任何文字。", NoTodos: "没有待办事项。", NoDiff: "没有任何改动。",
		DiffNoFile: "此聊天不接收机器人的文件，所以这里没有改动本身。",
		DiffLarge:  "这里没有改动本身：共 %s，而机器人在 Telegram 中最多能发送 50 MB 的文件。",
		MoreFiles:  "……以及另外 %d 个文件",
		FileNew:    "新建", FileDeleted: "已删除", FileBinary: "二进制",
		GoOn: "回复本消息即可继续。", InFile: "文字太长，完整内容在上面的文件中。",
		NoFile:    "文字太长，而此聊天不接收机器人的文件：此处并不完整。完整内容在 OpenCode 中。",
		Using:     "你在这里写的内容会发给这个会话。",
		UsingNone: "你在这里写的内容现在不会发给任何会话。",
		Created:   "新会话。你在这里写的内容会发给它。",
		Nothing:   "智能体已收到你的消息，但没有开始运行。",
		Retried:   "模型出错，OpenCode 正在重试。",
		StopAsk:   "要停止智能体吗？它正在做的事会立即中断。",
		Stopped:   "已停止", Idle: "智能体处于空闲，无需停止", StillWorks: "它仍在运行：OpenCode 没有停止它",
		GoesOn: "它会继续运行", TooLate: "询问已过时，请重新发送 /abort", Gone: "没有这个会话",

		Sessions: "会话", NoSessions: "还没有会话。用 /new 新建一个。",
		WaitForYou: "等你回答：", WaitNames: "等你回答：%s", NoneWaits: "这里没有等你回答的内容。",
		NoneInUse:  "没有正在使用的会话。用 /sessions 查看。",
		NotReached: "现在无法连接：%s。",
		Owed:       "等待 OpenCode 的消息：%d",
		Reached:    "已连接 OpenCode 的目录：%d",
		Offline:    "现在无法连接任何 OpenCode。",
		Failed:     "OpenCode 没有回应，请重试。",
		Levels: map[remote.Level]string{
			remote.LevelQuestions: "这里接收提问；从这里发起的一轮结束时也会通知。",
			remote.LevelTurns:     "这里接收提问；每一轮结束时也会通知。",
			remote.LevelAll:       "这里接收提问；每一轮开始和结束时也会通知。",
		},
		LevelNames: map[remote.Level]string{
			remote.LevelQuestions: "只接收提问", remote.LevelTurns: "提问，以及长任务结束时", remote.LevelAll: "每一轮的开始与结束",
		},
		LongTurns: "这里接收提问；从这里发起的、或运行至少 %s的一轮结束时也会通知。",
		Hint:      "发送 /level，选择哪些轮次结束时在这里通知。",
		HowLevel:  "点击按钮即可更改。",
		Muted:     "%s 之前，轮次结束时不通知；提问仍会送达。", NotMuted: "未静音。",
		HowMute: "用 /mute 30m、/mute 2h、/mute 1d 或 /mute off 更改。",
		Help: "回复某个会话的消息，即可告诉智能体。\n\n" +
			"/sessions – 所有会话，供选择\n/use 名称 – 你在这里写的内容发给它；/use off 取消\n/new – 新会话；/new 项目\n" +
			"/last – 它最后说的话\n/diff – 它的改动\n/todo – 它的待办\n/status – 当前状态\n/pending – 等你回答的内容\n" +
			"/abort – 停止它\n/noreply 文字 – 补充到它的下一轮，但不启动\n/run 名称 – OpenCode 的命令\n/agent、/model – 由谁来做\n/follow – 运行时显示它在做什么\n/level – 这里接收什么\n/mute 2h – 暂时不通知结束\n/help – 本说明",
		Unknown:  "没有 /%s 这个命令。/help 列出全部命令。",
		Which:    "哪个会话？请回复它的消息，或用 /sessions 选择",
		Where:    "在哪个目录？",
		LastUsed: "沿用会话上次使用的设置。", Chosen: "从现在起使用：%s",
		SetNow: "当前：%s", SetLast: "当前：%s（沿用上次）", WorksWith: "智能体与模型：%s", LastTurn: "上一轮：%s",
		HowAgent: "点击选择，或发送 /agent 加名称。",
		HowModel: "点击选择，或发送 /model 加名称的一部分。",
		AsLast:   "沿用上次的设置",
		NoMore:   "这一项已不可用。可选：",
		Past:     "这个聊天现在使用另一个会话，请重新发送命令。",
		NoSuch:   "没有“%s”。可选：",
		NoRight:  "你不能在这里操控会话。", NoRightOf: "只有这些角色的人可以操控会话：%s",
		Doubt: "“%s”是对“%s”的回答，还是命令？",
	}
}

func chineseMachines() Machines {
	return Machines{
		Help:  "/link – 连接一台你的机器",
		Yours: "你的机器：", ByPlugin: "OpenCode %s，插件 %s，协议 %d", ByProcess: "OpenCode %s，hermes link run %s，协议 %d",
		Refused: "未连接：请更新它或 hermes", LastSeen: "当前未连接，上次在线 %s", NeverSeen: "从未连接", Waiting: "%d 个等待中",
		Unlink: "撤销 %s", UnlinkAsk: "解除 %s 的连接？它未答的提问届时只能在那里回答。用 /link 可重新连接。",
		DoUnlink: "撤销", Keep: "保留", Unlinked: "%s 的连接已撤销。", Stays: "%s 保持连接。", NoLink: "这台机器已不再与你连接。",

		Paste:   "请在 %s内，在要连接的机器上运行。只能使用一次，它的提问只发给你，之前的代码不再有效。",
		Service: "如果用的是 OpenCode 2，请改为运行这条命令，并让它一直运行：",
		Private: "请在私聊中给我发送 /link：我的回复只给你一个人看。",
		NoURL:   "我不知道其他机器该用哪个地址访问我。（管理员：HERMES_PUBLIC_URL）",
		Linked:  "有一台机器用你的代码完成了连接：%s。它提出的问题只发给你。",
		Host:    "它自称“%s”。",
		Revoke:  "如果不是你本人操作，请发送 /status 并点击撤销，或在运行 hermes 的机器上运行：",
	}
}

func chineseMenu() map[string]string {
	return map[string]string{
		"start":    "提问是否会送到这里",
		"link":     "连接你的一台机器",
		"sessions": "所有会话，供选择",
		"use":      "写给某个会话：/use 名称，/use off 取消",
		"new":      "新会话：/new 项目",
		"last":     "它最后说的话",
		"diff":     "它的改动",
		"todo":     "它的待办",
		"status":   "当前状态",
		"pending":  "等你回答的内容",
		"abort":    "停止它",
		"noreply":  "补充到它的下一轮，但不启动",
		"run":      "OpenCode 的命令：/run 名称",
		"agent":    "由哪个智能体来做",
		"model":    "它使用的模型",
		"follow":   "运行时显示它在做什么；/follow off 取消",
		"level":    "这里接收什么",
		"mute":     "暂不通知结束：/mute 2h",
		"help":     "全部命令",
	}
}
