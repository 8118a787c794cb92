// What the page says, in other languages than English. The English text is the key, in page.html
// (data-t and its kin), in the scripts (t) and in what the server says.

const chinese = {
  // the frame
  "Theme": "主题", "system": "跟随系统", "light": "浅色", "dark": "深色", "Language": "语言",
  "Hermes try has ended, or cannot be reached. Start it again and open its new address.": "hermes try 已结束，或无法连接。请重新启动它，并打开新的地址。",
  "That did not reach Hermes try. Is it still running?": "操作没有送达 hermes try。它还在运行吗？",
  "What to show": "显示内容", "Guide": "导览", "(new message)": "（新消息）",
  "A scripted agent": "脚本智能体", "Your own OpenCode": "你自己的 OpenCode",

  // the tour
  "What you see": "你看到的是什么",
  "A coding agent works in a project, and now and then it has to ask a person. Hermes sends the question to Telegram and brings the answer back.": "编程智能体在项目中工作，有时需要问人。Hermes 把问题发送到 Telegram，再把回答带回来。",
  "The two phones belong to Ada and Bob, who work in one team: both get every question, and both may answer. Telegram and the agent are simulated here; Hermes itself is the real one.": "两部手机属于同一个团队的 Ada 和 Bob：两人都会收到每个问题，也都可以回答。这里的 Telegram 和智能体是模拟的，Hermes 是真的。",
  "The two phones belong to Ada and Bob, who work in one team: both get every question, and both may answer. Telegram is simulated here; Hermes and OpenCode are the real ones.": "两部手机属于同一个团队的 Ada 和 Bob：两人都会收到每个问题，也都可以回答。这里的 Telegram 是模拟的，Hermes 和 OpenCode 是真的。",
  "Tour": "导览", "Steps of the tour": "导览步骤", "Step {0}": "第 {0} 步", "done": "已完成", "Next: {0}": "下一步：{0}", "Command": "命令", "Copy": "复制", "Copied": "已复制",
  "Begin with the button.": "点击按钮开始。", "Let the agent ask": "让智能体提问", "On its way to the phones…": "正在发往手机…", "Go to Ada’s phone": "转到 Ada 的手机", "Go to Bob’s phone": "转到 Bob 的手机",
  "Hermes waits a moment, as somebody at the terminal may answer at once.": "Hermes 先等一会儿：也许有人在终端前马上就会回答。",
  "Hermes is cut off from Telegram. Connect it to go on.": "Hermes 与 Telegram 的连接已断开。恢复连接后继续。", "Connect Telegram": "连接 Telegram",
  "Hermes is cut off from OpenCode. Connect it to go on.": "Hermes 与 OpenCode 的连接已断开。恢复连接后继续。", "Connect OpenCode": "连接 OpenCode",
  "Hermes is stopped. Start it to go on.": "Hermes 已停止。启动它以继续。", "Start Hermes": "启动 Hermes", "Kill Hermes": "终止 Hermes",

  "It ended without an answer, and both phones say how. Let the agent ask again.": "这个问题没有得到回答就结束了，两部手机都说明了原因。让智能体再问一次。",

  "A question": "一个问题",
  "The agent has to choose a database, so it asks and waits. Hermes sends the question to both phones. The first answer counts, and the agent gets exactly the option that was tapped.": "智能体需要选择数据库，于是提问并等待。Hermes 把问题发送到两部手机。以第一个回答为准，智能体得到的正是被点击的选项。",
  "Tap an option on Ada’s or Bob’s phone.": "在 Ada 或 Bob 的手机上点击一个选项。",
  "The agent has the answer and goes on. Both phones show who gave it.": "智能体已收到回答，继续工作。两部手机都显示是谁回答的。",
  "Tap a button; the other phone shows the answer, too.": "点击一个按钮，另一部手机也会显示回答。",

  "Several questions, and your own words": "多个问题，用自己的话回答",
  "An agent may ask several things at once. Each becomes a step on the phone, and nothing is sent before you tap Send. Where no option fits, write your own answer.": "智能体可以一次问几件事。每个问题在手机上是一步，点击“发送”之前不会发出任何内容。没有合适的选项时，可以写下自己的答案。",
  "Answer the three questions on Ada’s phone: tap, tick and tap Next, then write a name. Check the summary and tap Send.": "在 Ada 的手机上回答三个问题：点击选项；勾选后点击“下一步”；再写一个名称。核对摘要，然后点击“发送”。",
  "The agent got all three answers together.": "智能体一次收到了全部三个回答。",
  "One step each; nothing is sent before Send.": "每题一步；点击“发送”之前不会发出。",

  "A crash": "一次崩溃",
  "Hermes stores every question before it acts on it. Your tap waits at Telegram until Hermes has stored it, for up to two and a half minutes. So a crash in the middle loses nothing, and nothing arrives twice.": "Hermes 在处理每个问题之前先把它存下来。你的点击会在 Telegram 等着，直到 Hermes 把它存好，最多等两分半钟。所以中途崩溃不会丢失任何内容，也不会重复送达。",
  "The question is on both phones. Kill Hermes now.": "问题已在两部手机上。现在终止 Hermes。",
  "Hermes is dead. Tap an answer on Ada’s phone all the same.": "Hermes 已终止。仍然在 Ada 的手机上点击一个答案。",
  "Telegram keeps your tap for two and a half minutes. Start Hermes again.": "Telegram 会保留你的点击两分半钟。重新启动 Hermes。",
  "Hermes is back, and the question still waits. Tap an answer on Ada’s phone.": "Hermes 已恢复，问题仍在等待。在 Ada 的手机上点击一个答案。",
  "The question was answered before the crash. Let the agent ask again to see one.": "问题在崩溃之前已经回答了。让智能体再问一次，看看崩溃时会怎样。",
  "The agent got the answer once, although Hermes was dead in between.": "尽管 Hermes 中途被终止，智能体仍然收到了回答，而且只收到一次。",
  "Kill Hermes, tap an answer, start Hermes.": "终止 Hermes，点击答案，再启动 Hermes。",

  "A permission": "一次授权",
  "Some commands need your permission. You can allow this one, or always: Hermes then shows the pattern that will no longer be asked about, and wants a second tap. Nothing is really run here.": "有些命令需要你授权。可以只允许这一次，也可以始终允许：这时 Hermes 会显示以后不再询问的模式，并要求再点击一次。这里不会真的运行任何命令。",
  "On Ada’s phone, tap Allow once or Always allow.": "在 Ada 的手机上点击“允许一次”或“始终允许”。",
  "The agent knows your decision, and the phones show it.": "智能体已知道你的决定，两部手机也都显示出来。",
  "Always allow asks once more, and shows what it adds.": "“始终允许”会再确认一次，并显示要添加的模式。",

  "Two approvals": "两人批准",
  "A file of rules says who may decide what. The rule here wants two people for every kubectl command, so Ada and Bob both have to allow it.": "规则文件规定谁可以决定什么。这里的规则要求每条 kubectl 命令由两人批准，所以 Ada 和 Bob 都要允许。",
  "Tap Allow once on Ada’s phone.": "在 Ada 的手机上点击“允许一次”。",
  "Ada has allowed it: one of two. Now tap Allow once on Bob’s phone.": "Ada 已允许，还差一人。现在在 Bob 的手机上点击“允许一次”。",
  "Bob has allowed it: one of two. Now tap Allow once on Ada’s phone.": "Bob 已允许，还差一人。现在在 Ada 的手机上点击“允许一次”。",
  "The agent was told. Both phones and the journal name everybody who decided.": "智能体已得知结果。两部手机和日志都写明了由谁决定。",
  "A rule wants both Ada and Bob.": "规则要求 Ada 和 Bob 都批准。",

  "Driving a session": "操控会话",
  "You need not wait for a question. From the chat you can choose a session, tell the agent what to do, and read how its turn ended. The scripted agent only repeats your words; a real one works.": "不必等智能体提问。在聊天中就可以选择会话、告诉智能体做什么，并看到这一轮的结果。脚本智能体只会重复你的话，真正的智能体会动手工作。",
  "Send /sessions from Ada’s phone.": "从 Ada 的手机发送 /sessions。", "Write “/sessions”": "写入“/sessions”",
  "Tap a session in the list.": "在列表中点击一个会话。",
  "What Ada writes now goes to this session. Send it a task.": "现在 Ada 写的内容会发给这个会话。给它发一个任务。",
  "Write “Run the tests.”": "写入“运行测试。”", "Run the tests.": "运行测试。",
  "The agent works. What it says comes to the chat when its turn ends.": "智能体正在工作。这一轮结束时，它说的话会发到聊天中。",
  "👍 says that the session has your words, and the last message says how the turn ended.": "👍 表示会话已收到你的话；最后一条消息说明这一轮的结果。",

  "Your own bot": "你自己的机器人",
  "That was the tour. With a Telegram bot of your own and your OpenCode it works the same. The setup takes about five minutes.": "导览到此结束。换成你自己的 Telegram 机器人和你的 OpenCode，用法完全一样。设置大约需要五分钟。",
  "Run this in a terminal. It asks for a bot’s token and explains how to get one.": "在终端中运行下面的命令。它会询问机器人的令牌，并说明如何获取。",

  "Ask for more": "更多提问", "Ask": "提问", "Ask again": "再问一次", "Ask: {0}": "提问：{0}", "Ask again: {0}": "再问一次：{0}",
  "Several options of one question": "一个问题选多项", "Tap as many as you like, then Done.": "可以点击多个选项，然后点击“完成”。",
  "Permission to change a file": "授权修改文件", "Reject it and say why: the agent reads that.": "拒绝并说明，智能体会读到你的说明。",
  "An answer in your own words": "用自己的话回答", "Write a text, or tap Type an answer.": "直接写文字，或点击“输入答案”。",
  "A subagent asks": "子智能体提问", "The last line names the subagent.": "最后一行写明是哪个子智能体。",
  "30 options": "30 个选项", "Turn the pages, or send a number.": "翻页，或发送编号。",
  "6,000 characters": "6000 个字符", "Shown whole, in several messages.": "分成几条消息，完整显示。",
  "A very long question": "非常长的问题", "Too long for messages: open the file.": "消息放不下：请打开文件。",
  "A text with tricks in it": "带陷阱的文字", "Markup and hidden characters stay visible.": "标记和隐藏字符都会显示出来。",
  "A question that nobody answers": "无人回答的问题", "It waits for 20 seconds. Do nothing.": "它只等 20 秒。什么都不用做。",

  // the agent
  "The agent’s side": "智能体这一边",
  "What the agent asked, and what it got back. Until an answer comes, it waits.": "智能体问了什么，得到了什么。没有回答之前，它一直等待。",
  "Nothing yet.": "还没有。",
  "waits": "等待中", "received": "已收到", "dismissed": "已被忽略", "forgotten after OpenCode’s restart": "OpenCode 重启后已遗忘",
  "Answer in the terminal": "在终端回答", "Dismiss in the terminal": "在终端忽略",

  // what can go wrong
  "What can go wrong": "可能出什么问题",
  "Break something at any time, also while a question is open, and mend it again.": "可以随时破坏某一处，哪怕问题还在等待，然后再修复它。",
  "connected": "已连接", "cut off": "已断开", "running": "运行中", "stopped": "已停止", "ending": "正在停止",
  "Cut off": "断开", "Connect": "连接", "Restart": "重启", "Kill": "终止", "Start": "启动",

  // the store
  "In Hermes’ database": "Hermes 的数据库里",
  "Hermes writes down what it has to do before it does it. After a crash it goes on from here.": "Hermes 先把要做的事写下来，然后才去做。崩溃之后，它从这里继续。",
  "Not finished": "尚未完成", "Nothing: every question is settled, and every phone shows how it ended.": "没有：所有问题都已了结，手机上也都显示了结果。",
  "Permission: {0}": "授权：{0}", "Question": "问题", "{0}": "{0}",
  "settled, the chats are being told": "已了结，正在通知聊天", "decided, can be taken back until {0}": "已决定，{0} 前可以撤回", "decided, waits for OpenCode": "已决定，等待 OpenCode", "decided, on its way to OpenCode": "已决定，正在发给 OpenCode",
  "open, waits for OpenCode": "未决，等待 OpenCode", "open, not on the phones yet": "未决，尚未显示在手机上", "open, {0} of {1} approvals": "未决，已有 {0} / {1} 人批准", "open": "未决", "open until {0}": "未决，等待至 {0}",
  "Journal, newest first": "日志，最新的在前", "Journal": "日志", "No.": "序号", "Time": "时间", "What": "事件", "By": "由谁", "Detail": "详情",
  "asked": "已提问", "shown": "已显示", "picked": "已选择", "refused": "未采纳", "approved": "已批准", "answered": "已回答", "delivered": "已送达", "confirmed": "已确认",
  "elsewhere": "在别处了结", "expired": "已过期", "prompted": "已发提示", "carried": "已送到会话", "resolved": "已找到", "failed": "失败",
  "lapsed": "批准失效", "claimed": "已认领", "released": "已放弃认领", "escalated": "已询问其他聊天", "held": "暂缓发送", "undone": "已撤销", "reminded": "已提醒",
  "invited": "已邀请", "opened": "请求加入", "paired": "已加入", "unwanted": "未获准加入", "unpaired": "已移除", "reloaded": "规则已更新",
  "heard": "已听写", "stopping": "要求停止", "halted": "已停止", "created": "已新建会话", "linked": "已添加链接", "unlinked": "已撤销链接", "owned": "链接已换主人", "renamed": "链接已改名", "restored": "已恢复备份", "link-code": "已取得配对码",
  "question {0}, hash {1}…": "问题 {0}，散列 {1}…", "Hermes’ log": "Hermes 的运行日志",

  // the phones
  "{0}’s phone": "{0} 的手机", "{0}’s chat with Hermes": "{0} 与 Hermes 的聊天", "bot": "机器人", "Message, or /help": "消息，或 /help", "Message from {0}": "{0} 的消息", "Send as {0}": "以 {0} 的身份发送",
  "Alert": "提示", "OK": "好", "open the file": "打开文件", "edited": "已编辑", "Reply": "回复", "Reply to: {0}": "回复：{0}", "Reply to {0}": "回复 {0}", "Do not reply to a message": "不回复消息", "Buttons": "按钮",

  // when you have an OpenCode of your own
  "Connected: {0} by the plugin, {1} directly.": "已连接：插件 {0} 个，直连 {1} 个。",
  "Ask OpenCode for something that needs a decision, for example: Ask me which of two names I like better, with the question tool.": "让 OpenCode 做一件需要你决定的事，例如：用提问工具问我更喜欢两个名字中的哪一个。",
  "No OpenCode is connected yet. Hermes waits for the plugin at {0}.": "还没有 OpenCode 连接。Hermes 在 {0} 等待插件。",
  "It finds the service of OpenCode 2 when that runs: start opencode.": "OpenCode 2 的服务运行时，Hermes 会找到它：请启动 opencode。",
  "It also tries {0} (HERMES_OPENCODE_URLS).": "它也会尝试 {0}（HERMES_OPENCODE_URLS）。",
  "The plugin is not installed. Run hermes plugin install (go run ./cmd/hermes plugin install) in another terminal, then restart OpenCode.": "插件尚未安装。请在另一个终端运行 hermes plugin install（go run ./cmd/hermes plugin install），然后重启 OpenCode。",
  "The plugin is installed, but it looks for Hermes at another address. Run hermes plugin install, then restart OpenCode.": "插件已安装，但它在另一个地址寻找 Hermes。请运行 hermes plugin install，然后重启 OpenCode。",
  "The plugin that is installed belongs to another version of Hermes. Run hermes plugin install, then restart OpenCode.": "已安装的插件属于另一个版本的 Hermes。请运行 hermes plugin install，然后重启 OpenCode。",
  "The plugin is installed. Start OpenCode, or restart it if it ran before.": "插件已安装。请启动 OpenCode；如果它已在运行，请重启。",

  // what cannot be done
  "the agent does not wait for that any more": "智能体已经不再等待它了",
};

let words = {};

// speak makes all that is drawn from now on speak a language, and what stands there already.
export function speak(lang) {
  words = lang === "zh" ? chinese : {};
  document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
  translate(document);
}

// t is a text in the page's language: English where there is no other. {0}, {1} are blanks.
export const t = (text, ...args) => (words[text] ?? text).replace(/\{(\d)\}/g, (blank, i) => args[i] ?? blank);

export const language = () => document.documentElement.lang;

// translate writes the texts of the elements that name them: data-t the content, data-t-label the
// name for screen readers, data-t-placeholder what stands in an empty box. data-a is for the blank.
export function translate(root) {
  for (const node of root.querySelectorAll("[data-t], [data-t-label], [data-t-placeholder]")) {
    const { t: text, tLabel: label, tPlaceholder: placeholder, a } = node.dataset;
    if (text) node.textContent = t(text, a);
    if (label) node.ariaLabel = t(label, a);
    if (placeholder) node.placeholder = t(placeholder);
  }
}
