package words

import (
	"hermes/internal/chat"
	"hermes/internal/fields"
	"hermes/internal/question"
	"hermes/internal/remote"
)

func englishAdmission() Admission {
	return Admission{
		LetIn: "Let in", Refuse: "Refuse",

		Wants:       "“%s” asks to be let in",
		WantsGroup:  "“%s” asks to add a group",
		Wanted:      "“%s” asked to be let in",
		WantedGroup: "“%s” asked to add a group",
		ID:          "id %s",
		May:         "They could then answer what your agents ask, and would get it.",
		MayAs:       "They could then answer what your agents ask, as %s.",
		Invited:     "The link was made for “%s”.",
		Group:       "What your agents ask would go to the group “%s” (%s).",
		Made:        "The link was made at %s, over the API or with hermes pair. Let in only whom you expect.",
		LetInBy:     "Let in by %s · %s",
		RefusedBy:   "Refused by %s · %s",
		Nobody:      "Nobody let them in in time. The link works no more.",
		Withdrawn:   "The link was taken back over the API · %s",
		LetInTakes:  "To let them in takes these roles: %s",
		TapButton:   "Words let nobody in. Tap a button.",

		Waiting: "Waiting for somebody to let you in", WaitingGroup: "Waiting for somebody to let this group in",
		Admitted: "You were let in · %s", AdmittedGroup: "This group was let in · %s",
		Unwanted: "You were not let in.", UnwantedGroup: "This group was not let in.",

		Removed:      "“%s” was removed",
		RemovedGroup: "The group %s was removed",
		NoMore:       "They may not answer any more. It was done over the API or with hermes pair · %s",
		NoMoreGroup:  "It gets no questions any more. It was done over the API or with hermes pair · %s",
	}
}

// english is the English table.
func english() Table {
	return Table{
		TypeAnswer: "Type an answer",
		Dismiss:    "Dismiss",
		Back:       "Back",
		Next:       "Next",
		Done:       "Done",
		Send:       "Send",
		DoneCount:  "Done (%d)",

		Question:   "Question",
		Numbered:   "Question %d",
		OfItems:    "%d of %d",
		ChooseAny:  "(choose any)",
		Reply:      "Reply to this message with your answer.",
		ReplyOr:    "Reply to this message with your answer, or tap %s first.",
		Holder:     "Your answer",
		Waits:      "waits until %s",
		Offline:    "I was offline for %s. Taps from then are gone; please tap again.",
		Expired:    "Nobody answered in %s. It still waits.",
		Review:     "Ready to send",
		Above:      "The text is too long for messages. It is in the file above, whole.",
		File:       "The whole text of the question.",
		Below:      "Continues below.",
		Twice:      "Probably sent twice. This message does not count: what it says is in another one.",
		NoFile:     "The text is too long for messages, and this chat takes no files from bots: it is not all here.",
		WholeAt:    "All of it is in OpenCode.",
		WholeAtAsk: "hermes answer shows all of it.",

		PickOne:     "Pick at least one.",
		Ambiguous:   "Which one: %s? Send the number.",
		QuoteIt:     "To send your text as it is, quote it: %s.",
		Or:          " or ",
		NotAnOption: "That is none of the choices. Send a number, or tap.",
		NoNumber:    "There is no choice %s: they are numbered 1 to %d.",
		OnlyOne:     "Only one can be chosen here.",
		TapSend:     "Everything is answered. Tap Send, or tap a number to change that answer.",

		Comma:          ", ",
		Colon:          ": ",
		Semicolon:      "; ",
		Stop:           ".",
		Sending:        "sending…",
		Dismissed:      "Dismissed",
		WaitingAt:      "Waiting for OpenCode on %s.",
		Waiting:        "Waiting for OpenCode.",
		Kept:           "Your answer is kept",
		KeptNo:         "It stays dismissed.",
		ByPerson:       "%s · %s",
		ByCaller:       "%s, over the API · %s",
		ByAPI:          "answered over the API · %s",
		InOpenCode:     "answered in OpenCode · %s",
		DismissedBy:    "Dismissed by %s · %s",
		DismissedAPI:   "Dismissed by %s, over the API · %s",
		DismissedByAPI: "Dismissed over the API · %s",
		DismissedThere: "Dismissed in OpenCode · %s",
		TakenBack:      "Withdrawn by the program that asked · %s",
		NobodyReject:   "Nobody answered in %s: dismissed. The agent was told.",
		NobodyAsk:      "Nobody answered in %s: dismissed.",
		NobodyEnds:     "Nobody answered in %s: dismissed, which ended the agent's turn.",
		NobodyTook: map[question.Expiry]Expiry{
			question.ExpireAccept: {
				One:     "Nobody answered in %s: took the first choice, %s.",
				Default: "Nobody answered in %s: took the default, %s.",
				Each:    "Nobody answered in %s: took the first choices.",
			},
		},
		Ended: map[question.OutcomeKind]string{
			question.OutcomeStopped:   "No longer waiting: the session was stopped.",
			question.OutcomeDeleted:   "No longer waiting: the session was deleted.",
			question.OutcomeRestarted: "No longer waiting: OpenCode was restarted.",
			question.OutcomeVoid:      "No longer waiting: the question was never asked.",
			question.OutcomeUnknown:   "It is not known what became of this question.",
		},
		Resumed:   "No longer waiting: OpenCode was restarted. The agent may have gone on without an answer.",
		NotUsed:   "%s's answer was not used: %s",
		NotUsedNo: "%s's dismissal was not used.",
		Unsure:    "It is not known whether %s's answer arrived: %s",
		UnsureNo:  "It is not known whether %s's dismissal arrived.",

		AlertAnswered:  "Already answered: %s (%s, %s)",
		AlertThere:     "Already answered in OpenCode: %s (%s)",
		AlertDismissed: "Already dismissed (%s, %s)",
		AlertExpired:   "Nobody answered in time",
		AlertChose:     "Chosen already, and on its way: %s (%s, %s)",
		AlertChoseNo:   "Being dismissed already (%s, %s)",
		Stale:          "That was an older version of this question",
		Stranger:       "Only people on the list can answer here",
		NoRole:         "You have no role here, and answering takes one",
		NoRoleOf:       "You have no role here. Answering this takes one of these: %s",
		WrongRole:      "Answering this takes one of these roles: %s",
		NoSuch:         "This question is not known any more",
		SetAside:       "This did not count: hermes cannot read what it kept of this question. If OpenCode still waits for it, it is asked again in a new message.",
		NotSaved:       "That could not be saved. Tap again, please",

		Remind:      "Still waiting: %s",
		Nothing:     "Nothing is asked here now.",
		Which:       "Which question do you mean? Please reply to it.",
		Greeting:    "Hello, %s. Questions from your agents come here.",
		Elsewhere:   "Hello, %s. Questions from your agents go to another chat; you may answer them there.",
		StrangerHi:  "This bot works only for people on its list. Your id is %s, this chat's id is %s.",
		MovedOn:     "That did not count: something else is asked by now. Reply to the question itself, please.",
		NoBox:       "That did not count: hermes cannot tell which question it is for. Reply to the question itself, please.",
		NotSavedYet: "That cannot be saved now. It counts as soon as it can be; you need not send it again.",

		Dismissal:  englishDismissal(),
		Hold:       Hold{SentIn: "sent in %s", NotYet: "Decided by %s, and not sent yet. Undo takes it back."},
		Permission: englishPermission(),
		Team:       englishTeam(),
		Sessions:   englishRemote(),
		Rule:       englishRule(),
		Files:      englishFiles(),
		Late:       englishLate(),
		SaidBefore: "Before it asked:",
		Unsent: Unsent{
			TooSoon:  "Your text was not sent to the session, as it came while this ended. Write it once more to send it as a prompt.",
			NoDriver: "Your text was not sent to the session: you may not write to sessions.",

			Which:     "Which session? Nothing was sent, as this is no answer and no session is chosen. Reply to a message of a session to write to it, or choose one by /sessions.",
			OrTap:     "Or tap the session that your text is for:",
			Already:   "This text was sent already.",
			NoText:    "This text is not kept any more, and nothing was sent. Please write it again.",
			NotTheirs: "Only who wrote this text can send it.",
		},
		Intake: englishIntake(),
		Form:   englishForm(),

		Admission: englishAdmission(),
		Menu:      englishMenu(),

		Seconds: "%d s",
		Minutes: "%d min",
		Hours:   "%d h",
		Days:    "%d days",
	}
}

func englishDismissal() Dismissal {
	return Dismissal{
		All: "Dismiss all",

		Sure:      "Dismiss this question?",
		SureAll:   "Dismiss all %d questions?",
		ByDefault: "By default, that ends the agent's turn.",
		EndsTurn:  "That ends the agent's turn.",
		Subagent:  "That ends the subagent's turn; the agent that called it goes on without an answer.",
		Program:   "The program that asks gets no answer.",
		Discards:  "What you have prepared is discarded.",
	}
}

func englishLive() Live {
	return Live{
		On:     "While it works, one message here shows what it does. /follow off ends that.",
		Off:    "What it does is not shown here. /follow shows it while it works.",
		Away:   "OpenCode cannot be reached now",
		Closed: "OpenCode was closed, and its work with it",
		Left:   "This message no longer follows it.",
	}
}

func englishRule() Rule {
	return Rule{Undo: "Undo", Name: "rule “%s”", By: "by rule “%s”", When: "%s · %s"}
}

func englishTeam() Team {
	return Team{
		Claim: "Claim", Release: "Release",

		Needs:      "👥 Needs %d approvals",
		Approved:   "✅ %d of %d · %s",
		NextTap:    "The rules ask for no more now: the next tap decides.",
		OnIt:       "🙋 %s is on it until %s",
		Escalated:  "⏫ Nobody has answered yet: further chats were asked.",
		MoreOf:     "⏫ It waits for more approvals: further chats were asked.",
		Enough:     "%d of %d approved in %s: rejected. The agent was told.",
		Unsent:     "Enough had approved since the rules changed, and nobody decided in %s: rejected. The agent was told.",
		EnoughEnds: "%d of %d approved in %s: rejected, which ended the agent's turn.",
		UnsentEnds: "Enough had approved since the rules changed, and nobody decided in %s: rejected, which ended the agent's turn.",
		And:        " and ",

		Unsigned: "Nobody can tell whose answer this is. Answer in your own name: turn off “Remain anonymous”, and do not write as a channel.",

		NotOwner:     "Only %s can answer this: their agent asks",
		OwnAgent:     "Your own agent asks this, so somebody else has to answer",
		AlertVoted:   "You have approved already: %d of %d",
		AlertClaimed: "%s is on it until %s",
	}
}

func englishFiles() Files {
	return Files{
		TooLarge: "Not sent: %s has %s. The files of one prompt can have %s in all.",
		Larger:   "Not sent: %s is too large. The files of one prompt can have %s in all.",
		Gone:     "Not sent: Telegram does not hand out %s. Please send it again.",
		Fetching: "Telegram does not hand out %s right now. Your prompt is kept",
		Unusable: "Not sent: hermes cannot pass %s on to the agent.",
		NoFile:   "Nothing done: /%s takes no file. Send the file without a command.",
		NoAnswer: "That is not an answer. Tap a button, or reply with text.",
		IsItSaid: "Is this your answer? Nothing has been sent yet.", TypeInstead: "Type instead",
		Unsaid:  "Nothing was sent. Reply to the question with your text.",
		Silent:  "Not sent: no words can be heard in it.",
		Unheard: "Not sent: the voice message could not be transcribed. Please try again, or type it.",
		Deaf:    "Not sent: hermes cannot hear voice messages. Set HERMES_STT_URL to change that.",

		Matters: map[chat.Media]string{
			chat.Voice:     "a voice message",
			chat.VideoNote: "a video message",
			chat.Sticker:   "a sticker",
			chat.Location:  "a location",
			chat.Venue:     "a location",
			chat.Contact:   "a contact",
			chat.Poll:      "a poll",
			chat.Rich:      "a message with rich formatting",
		},
		Matter: "this kind of message",
	}
}

func englishForm() Form {
	return Form{
		Skip: "Skip", UseDefault: "Use the default",
		Yes: "Yes", No: "No", Opened: "Done",

		Server:  "The MCP server %s asks this, not the agent.",
		Program: "A program asks this, not the agent: %s",

		Send:       "Send %s.",
		Optional:   "Optional.",
		Default:    "Default: %s",
		Open:       "Open %s",
		Address:    "This address is on %s:",
		Doubtful:   "⚠️ Do not open this unless you know what it is: it is no common web address, or its name hides where it leads. Letter by letter:",
		WhenOpened: "Tap Done when you have finished there.",
		Unknown:    "hermes does not know this kind of field. Answer it in OpenCode, or decline.",
		Choose:     Bounds{Between: "(choose %s to %s)", Exactly: "(choose %s)", Least: "(choose at least %s)", Most: "(choose at most %s)"},

		Kinds: map[fields.Kind]string{
			fields.String:      "text",
			fields.Number:      "a number",
			fields.Integer:     "a whole number",
			fields.Multiselect: "text",
		},
		Formats: map[fields.Format]string{
			fields.Email:    "an e-mail address",
			fields.URI:      "an address such as https://example.org",
			fields.Date:     "a date such as 2026-11-22",
			fields.DateTime: "a date and time with its zone, such as 2026-11-22T14:30:00Z",
		},
		Numbers:  Ranges{Between: "%s from %s to %s", Exactly: "%s that is %s", Least: "%s of at least %s", Most: "%s of at most %s"},
		Lengths:  Ranges{Between: "%s of %s to %s characters", Exactly: "%s of %s characters", Least: "%s of at least %s characters", Most: "%s of at most %s characters"},
		Matching: "%s that matches %s",

		TapButton:  "Please tap one of the buttons.",
		DoesNotFit: "%s does not fit.",
		TooFew:     "Choose at least %s.",
		TooMany:    "No more than %s can be chosen.",
		Refused:    "That was not taken, and nothing is answered yet. OpenCode says: %s",

		Instead: Instead{
			Form: "Form", Numbered: "Field %d",
			OfItems:  "%d of %d",
			Decline:  "Decline",
			Sure:     "Decline to answer this?",
			Declined: "Declined",
			Kept:     "It stays declined.",
			By:       "Declined by %s · %s",
			ByCaller: "Declined by %s, over the API · %s",
			ByAPI:    "Declined over the API · %s",
			There:    "Cancelled in OpenCode · %s",
			Nobody:   "Nobody answered in %s: declined. Who asked was told.",
			NotUsed:  "%s declined, and that was not used.",
			Unsure:   "It is not known whether it arrived that %s declined.",
			Chose:    "Being declined already (%s, %s)",
			Void:     "No longer waiting: the form was never sent.",
			Gone:     "It is not known what became of this form.",
			NoSuch:   "This form is not known any more",
			Stale:    "That was an older version of this form",
		},
	}
}

func englishIntake() Intake {
	return Intake{
		NotHere:   "Sessions cannot be driven from this chat.",
		NotYours:  "This session is on another person's machine, and only they can use it.",
		Forwarded: "Forwarded messages, and those sent via a bot, do not count here. Write it yourself, or send the file anew.",
		Paced:     "You asked for a lot at once: for a minute some of it gets no reply. Answers and prompts still count.",
	}
}

func englishLate() Late {
	return Late{
		Send: "Send my answer as a prompt", Correct: "Correct it", Drop: "Send nothing",

		Why:          "The agent does not wait for this any more. Your answer goes to its session as a new prompt.",
		WhyRuled:     "The agent already has the rule's answer: %s. That cannot be taken back. A correction goes to its session as a new prompt.",
		WhyTaken:     "Nobody answered in time, and the agent got this: %s. That cannot be taken back. Your answer goes to its session as a new prompt.",
		WhyDismissed: "The agent was already told that this was dismissed. That cannot be taken back. Your answer goes to its session as a new prompt.",
		WhyEnded:     "This was dismissed, which ended the agent's turn. That cannot be taken back. Your answer goes to its session as a new prompt.",
		None:         "Nothing was sent.",

		Owed:    "%s's answer goes to the session as a prompt: %s",
		Sent:    "sent as a prompt by %s · %s",
		Refused: "%s's answer was not sent, as OpenCode does not take it: %s",
		Deleted: "%s's answer was not sent, as the session was deleted: %s",
		Already: "There is an answer already, sent as a prompt: %s (%s, %s)",
	}
}

func englishPermission() Permission {
	return Permission{
		Withheld: "What exactly is asked is left out of this chat (HERMES_SHOW). Read it where the agent runs before you allow it.",

		Once: "Allow once", Always: "Always allow", Reject: "Reject", RejectNote: "Reject with a note",

		Bash: "Run a command", Edit: "Change a file", Read: "Read a file", Search: "Search files",
		Webfetch: "Fetch a web page", Websearch: "Search the web", Outside: "Reach outside the project",
		Task: "Start a subagent", Skill: "Use a skill", Loop: "Go on with a call that repeats", Other: "Use %s",

		Every: map[string]string{
			"bash": "every command", "edit": "every change of a file", "read": "every file", "glob": "every search for files", "grep": "every search in files",
			"list": "every folder", "webfetch": "every web page", "websearch": "every web search", "external_directory": "every folder outside",
			"task": "every subagent", "skill": "every skill", "doom_loop": "every call that repeats", "": "everything of this kind",
		},
		Details: map[string]string{
			"description": "description", "filepath": "file", "format": "format", "timeout": "time limit", "query": "query", "workdir": "folder",
		},

		Times:     "%d equal asks",
		Parts:     "OpenCode does not tell the whole command. It asks for these parts:",
		Missing:   "%d characters are left out here, as this chat takes no files from bots.",
		Omitted:   "%d more characters, in the file above",
		File:      "All of it.",
		In:        "in %s",
		Would:     "Always allow would add, until OpenCode restarts: %s",
		WouldKeep: "Always allow would add, for good: %s",
		Sure:      "Allow from now on, in %s, until OpenCode restarts, without asking: %s",
		SureKeep:  "Allow from now on, in %s, also after a restart, without asking: %s",
		SureWide:  "Allow from now on, in %s and everywhere else in its project, also in other copies of its repository and after a restart, without asking: %s",
		Note:      "Reject it, and tell the agent %s?",
		Reply:     "Reply to this message with your note to the agent.",
		Holder:    "Your note to the agent",
		TapButton: "Words do not reach the agent here. Tap a button.",

		Allowed: "Allowed", Rejected: "Rejected",
		Kept:          "Your decision is kept",
		OnceBy:        "Allowed once by %s · %s",
		OnceThere:     "Allowed once in OpenCode · %s",
		AllowedThere:  "Allowed in OpenCode · %s",
		AlwaysBy:      "Allowed from now on by %s (%s) · %s",
		AlwaysThere:   "Allowed from now on in OpenCode (%s) · %s",
		AlwaysAlong:   "Allowed by what %s always allowed for another ask · %s",
		RejectedBy:    "Rejected by %s · %s",
		RejectedThere: "Rejected in OpenCode · %s",
		RejectedAlong: "Rejected by %s, together with another ask of this session · %s",
		NotedBy:       "Rejected by %s: %s · %s",
		NotedThere:    "Rejected in OpenCode: %s · %s",
		Nobody:        "Nobody answered in %s: rejected. The agent was told.",
		NobodyAsk:     "Nobody answered in %s: not allowed.",
		NobodyEnds:    "Nobody answered in %s: rejected, which ended the agent's turn.",
		Stopped:       "Stopped, not run.",
		StoppedLate:   "Stopped. It is not known whether it had begun.",
		NotUsedNo:     "%s's rejection was not used.",
		UnsureNo:      "It is not known whether %s's rejection arrived.",
		ChoseNo:       "Being rejected already (%s, %s)",
		Unknown:       "It is not known what became of this ask.",
	}
}

func englishRemote() Sessions {
	return Sessions{
		Live: englishLive(),
		Stop: "Stop", Keep: "Let it work", AnAnswer: "An answer", ACommand: "A command",

		Taken:   "The agent has it",
		Noted:   "Noted: the agent will read it with the next prompt",
		Queued:  "Queued: the agent is busy",
		Behind:  "Queued: the agent is waiting for an answer to “%s” first",
		Kept:    "Waiting for OpenCode. Your prompt is kept",
		Deleted: "Not sent: the session was deleted",
		Refused: "Not sent: OpenCode does not take it.",
		Unsent:  "Not sent.",
		GivenUp: "Given up after 12 hours without OpenCode: it may not have arrived",
		Reasons: map[remote.Reason]string{
			remote.ReasonAgent:     "There is no such agent.",
			remote.ReasonModel:     "There is no such model.",
			remote.ReasonCommand:   "There is no such command.",
			remote.ReasonSigns:     "OpenCode would run !`…` and read @files in the text of a command without asking anybody, so the text cannot contain ` ! @ or $.",
			remote.ReasonNoText:    "OpenCode could run the text of this command, or read the file it names, without asking anybody. Send the command without text.",
			remote.ReasonFile:      "A file of that kind would break the session.",
			remote.ReasonTooLarge:  "The files are too large.",
			remote.ReasonNotDriven: "Its plugin is old, or does not let sessions be driven: run hermes plugin install and restart OpenCode.",
		},

		Done: "Done", DoneIn: "Done in %s", WasStopped: "Stopped", WithError: "Ended with an error",
		EndUnknown: "How this ended is not known",
		Works:      "Working", IsIdle: "Idle", WaitsForYou: "Waiting for you", InUse: "in use", Untitled: "(no title)",
		Files: "%d files", OneFile: "1 file", TodosDone: "%d of %d todos", Tokens: "%d tokens",
		NoWords: "The agent wrote nothing.", NoTodos: "There are no todos.", NoDiff: "Nothing was changed.",
		DiffList:   "Tap a file to see its changes. The file above has all of them.",
		DiffNoFile: "Tap a file to see its changes. This chat takes no files from bots, so they are not all here.",
		DiffGone:   "This file has no changes any more. /diff shows what has.",
		MoreFiles:  "… and %d more files",
		FileNew:    "new", FileDeleted: "deleted", FileBinary: "binary",
		GoOn: "Reply to this message to go on.", InFile: "The text is too long for messages. It is in the file above, whole.",
		NoFile:    "The text is too long for messages, and this chat takes no files from bots: it is not all here. All of it is in OpenCode.",
		Using:     "What you write here goes to this session.",
		UsingNone: "What you write here goes to no session now.",
		Created:   "A new session. What you write here goes to it.",
		Nothing:   "It has your prompt but has not started on it.",
		Retried:   "The model returns errors. OpenCode keeps trying.",
		StopAsk:   "Stop it? What it is doing will end at once.",
		Stopped:   "Stopped", Idle: "The agent is idle: nothing to stop", StillWorks: "It is still working: OpenCode did not stop it",
		GoesOn: "It keeps working", TooLate: "That was asked too long ago. Send /abort again", Gone: "There is no such session",

		Sessions: "Sessions", NoSessions: "There are no sessions yet. /new makes one.",
		WaitForYou: "Waiting for you:", WaitNames: "Waiting for you: %s", NoneWaits: "Nothing is waiting for you here.",
		NoneInUse:  "No session is in use. /sessions lists them.",
		NotReached: "%s cannot be reached now.",
		Owed:       "Prompts waiting for OpenCode: %d",
		Reached:    "Directories with a connected OpenCode: %d",
		Offline:    "No OpenCode can be reached now.",
		Failed:     "OpenCode did not answer. Please try again.",
		Levels: map[remote.Level]string{
			remote.LevelQuestions: "You get questions here, and the end of turns started from this chat.",
			remote.LevelTurns:     "You get questions here, and the end of every turn.",
			remote.LevelAll:       "You get questions here, and the start and end of every turn.",
		},
		LevelNames: map[remote.Level]string{
			remote.LevelQuestions: "Only questions", remote.LevelTurns: "Also when it is my turn", remote.LevelAll: "Start and end of every turn",
		},
		LongTurns: "You get questions here, and the end of turns that took at least %s or were started from this chat.",
		Hint:      "Send /level to choose which turns you hear about here.",
		HowLevel:  "Tap to change it.",
		Muted:     "You hear of no ends of turns until %s. Questions still come.", NotMuted: "Nothing is muted.",
		HowMute: "Change it with /mute 30m, /mute 2h, /mute 1d or /mute off.",
		Help: "Reply to a message about a session to tell the agent something.\n\n" +
			"/sessions – choose a session\n/use name – send what you write here to it; /use off\n/new – a new session; /new project\n" +
			"/last – what it said last\n/diff – what it changed\n/todo – its to-do list\n/status – how everything stands\n/pending – what is waiting for you\n" +
			"/abort – stop the agent\n/noreply text – add something for its next turn, without starting one\n/run name – run one of OpenCode's commands\n/agent, /model – choose who works on it\n/follow – see what it does while it works\n/level – choose what you hear about here\n/mute 2h – no messages about ends of turns for a while\n/help – this list",
		Unknown:  "There is no command /%s. /help shows all.",
		Which:    "Which session? Reply to one of its messages, or choose one with /sessions",
		Where:    "In which directory?",
		LastUsed: "The session keeps what it used last.", Chosen: "From now on: %s",
		HowAgent: "Tap one, or send /agent and its name.",
		HowModel: "Tap one, or send /model and a part of its name.",
		AsLast:   "What it used last",
		NoMore:   "That one is not available any more. There are:",
		Past:     "This chat uses another session now. Send the command again.",
		NoSuch:   "There is no “%s”. There are:",
		NoRight:  "You are not allowed to drive sessions here.", NoRightOf: "Only people with this role can drive sessions: %s",
		Doubt: "Is “%s” your answer to “%s”, or a command?",
	}
}

func englishMenu() map[string]string {
	return map[string]string{
		"start":    "Whether questions come here",
		"sessions": "Choose a session",
		"use":      "Write to a session: /use name, /use off",
		"new":      "A new session: /new project",
		"last":     "What it said last",
		"diff":     "What it changed",
		"todo":     "Its to-do list",
		"status":   "How everything stands",
		"pending":  "What is waiting for you",
		"abort":    "Stop the agent",
		"noreply":  "Add something for its next turn",
		"run":      "Run one of OpenCode's commands: /run name",
		"agent":    "The agent that works on it",
		"model":    "The model that it uses",
		"follow":   "See what it does while it works; /follow off",
		"level":    "What you hear about here",
		"mute":     "No messages about ends of turns: /mute 2h",
		"help":     "All commands",
	}
}
