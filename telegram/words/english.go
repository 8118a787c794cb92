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
		May:         "If you let them in, they get what your agents ask and can answer it.",
		MayAs:       "If you let them in, they can answer what your agents ask, as %s.",
		Invited:     "The link was created for “%s”.",
		Group:       "If you let it in, what your agents ask goes to the group “%s” (%s).",
		Made:        "Link made at %s. Let in only someone you expect.",
		LetInBy:     "Let in by %s · %s",
		RefusedBy:   "Refused by %s · %s",
		Nobody:      "Nobody let them in in time. The link no longer works.",
		Withdrawn:   "The link was withdrawn over the API · %s",
		LetInTakes:  "You need one of these roles to let them in: %s",
		TapButton:   "A text lets nobody in. Tap a button.",

		Waiting: "Waiting for somebody to let you in", WaitingGroup: "Waiting for somebody to let this group in",
		Admitted: "You were let in · %s", AdmittedGroup: "This group was let in · %s",
		Unwanted: "You were not let in.", UnwantedGroup: "This group was not let in.",

		Removed:      "“%s” was removed",
		RemovedGroup: "The group %s was removed",
		NoMore:       "They can no longer answer. Removed over the API or with hermes pair · %s",
		NoMoreGroup:  "It no longer gets questions. Removed over the API or with hermes pair · %s",
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
		ReplyOr:    "Reply to this message with your answer, or tap “%s” first.",
		NoBoxOpens: "If no reply box opens: swipe this message, or right-click it, and choose Reply.",
		Holder:     "Your answer",
		Waits:      "waits until %s",
		Offline:    "I was offline for %s. Taps from then are gone; please tap again.",
		Expired:    "Nobody answered in %s. Still waiting.",
		Unshown:    "Not shown in every chat: one takes no messages from me.",
		Review:     "Ready to send",
		Above:      "The text is too long for a message. The whole text is in the file above.",
		File:       "The whole text of the question.",
		Below:      "Continues below.",
		SeeAbove:   "See the message above.",
		NoFile:     "The text is too long for a message, and this chat does not accept files from bots, so part of it is missing here.",
		WholeAt:    "OpenCode shows all of it.",
		WholeAtAsk: "hermes answer shows all of it.",

		PickOne:     "Pick at least one.",
		Ambiguous:   "Which one: %s? Send the number.",
		QuoteIt:     "To send your text as it is, quote it: %s.",
		Or:          " or ",
		NotAnOption: "That is not one of the choices. Send a number or tap a button.",
		NoNumber:    "There is no choice %s. The choices are 1 to %d.",
		OnlyOne:     "You can choose only one here.",
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
			question.OutcomeUnknown:   "It is unclear what became of this question.",
		},
		WentOn:    "No longer waiting: OpenCode was restarted or reloaded, and the agent went on without an answer.",
		NotUsed:   "%s's answer was not used: %s",
		NotUsedNo: "%s's dismissal was not used.",
		Unsure:    "It is unclear whether %s's answer arrived: %s",
		UnsureNo:  "It is unclear whether %s's dismissal arrived.",

		AlertAnswered: "Already answered: %s (%s, %s)",
		AlertThere:    "Already answered in OpenCode: %s (%s)",
		AlertExpired:  "Nobody answered in time",
		AlertChose:    "Already chosen, and on its way: %s (%s, %s)",
		AlertChoseNo:  "Already being dismissed (%s, %s)",
		Stale:         "That was an older version of this question",
		Stranger:      "Only people on the list can answer here",
		NoRole:        "You have no role here, so you cannot answer",
		NoRoleOf:      "You have no role here. You need one of these to answer: %s",
		WrongRole:     "You need one of these roles to answer: %s",
		NoSuch:        "This question is no longer available",

		Remind:     "Still waiting: %s",
		Nothing:    "Nothing here is waiting for an answer.",
		Which:      "Which question do you mean? Please reply to it.",
		Greeting:   "Hello, %s. Questions from your agents come here.",
		Elsewhere:  "Hello, %s. No questions come to this chat now.",
		StrangerHi: "This bot serves a list of people. Your id is %s, this chat's is %s.",
		MovedOn:    "That did not count: something else is being asked now. Please reply to the question itself.",
		NoBox:      "I can't tell which question this is for. Please reply to the question itself.",

		Dismissal:  englishDismissal(),
		Hold:       englishHold(),
		Permission: englishPermission(),
		Team:       englishTeam(),
		Sessions:   englishRemote(),
		Rule:       englishRule(),
		Files:      englishFiles(),
		Late:       englishLate(),
		SaidBefore: "Before it asked:",
		Unsent: Unsent{
			NoDriver: "Your text was not sent to the session: you are not allowed to write to sessions.",

			Which:     "Not sent: which session is this for? Reply to its message, or choose with /sessions.",
			OrTap:     "Or tap the session that this is for:",
			Already:   "This text was already sent.",
			NoText:    "This text is no longer kept, so nothing was sent. Please write it again.",
			NotTheirs: "Only the person who wrote this text can send it.",
		},
		Intake: englishIntake(),
		Form:   englishForm(),

		Admission: englishAdmission(),
		Machines:  englishMachines(),
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
		ByDefault: "The agent usually stops then.",
		EndsTurn:  "That ends the agent's turn.",
		Subagent:  "That ends the subagent's turn; the agent that called it goes on without an answer.",
		Program:   "The program that asked gets no answer.",
		Discards:  "The answers you have prepared are discarded.",
	}
}

func englishHold() Hold {
	return Hold{
		SentIn: "sent in %s", NotYet: "Decided by %s, but not sent yet. Tap Undo to take it back.",
		LostRight: "%s decided this, but who may decide has changed. Nothing was sent. Please decide again.",
	}
}

func englishLive() Live {
	return Live{
		On:     "While the agent works, one message here shows what it is doing. /follow off stops that.",
		Off:    "What the agent is doing is not shown here. /follow shows it while it works.",
		Away:   "OpenCode cannot be reached now",
		Closed: "OpenCode was closed, which ended its work",
		Left:   "This message is no longer updated.",
	}
}

func englishRule() Rule {
	return Rule{Undo: "Undo", Name: "rule “%s”", By: "by rule “%s”", When: "%s · %s"}
}

func englishTeam() Team {
	return Team{
		Claim: "Claim", Release: "Release",

		Needs:      "👥 Needs %d approvals",
		NeedsOf:    "👥 Needs %d of: %s",
		MoreFrom:   "👥 %d more of: %s",
		MayAnswer:  "👥 For: %s",
		Watching:   "🔒 This waits for others, not for you.",
		Approved:   "✅ %d of %d · %s",
		NextTap:    "The rules have changed and need no more approvals: the next tap decides.",
		OnIt:       "🙋 %s is on it until %s",
		Escalated:  "⏫ Nobody has answered yet, so other chats were asked too.",
		MoreOf:     "⏫ More approvals are needed, so other chats were asked too.",
		Enough:     "%d of %d approved in %s: rejected. The agent was told.",
		Unsent:     "Enough approved after a rule change, but nobody decided in %s: rejected. The agent was told.",
		EnoughEnds: "%d of %d approved in %s: rejected, which ended the agent's turn.",
		UnsentEnds: "Enough approved after a rule change, but nobody decided in %s: rejected. The turn has ended.",
		And:        " and ",

		Unsigned: "Whose answer is this? Turn off “Remain anonymous”, and don't write as a channel.",

		NotOwner:     "Only %s can answer this: it comes from their agent",
		OwnAgent:     "This comes from your own agent, so somebody else has to answer",
		Taken:        "No longer yours: this machine belongs to someone else now.",
		Freed:        "No longer asked here: this machine belongs to nobody in particular now.",
		AlertVoted:   "You have already approved: %d of %d",
		AlertClaimed: "%s is on it until %s",
	}
}

func englishFiles() Files {
	return Files{
		TooLarge: "Not sent: %s is %s. The files of one prompt can be %s in total.",
		Larger:   "Not sent: %s is too large. The files of one prompt can be %s in total.",
		Gone:     "Not sent: I couldn't fetch %s from Telegram. Please send it again. My log says more.",
		Fetching: "%s cannot be fetched from Telegram right now. Your prompt is kept",
		Unusable: "Not sent: I can't pass %s on to the agent.",
		NoFile:   "Nothing was done: /%s takes no file. Send the file without a command.",
		NoAnswer: "That is not an answer. Tap a button, or reply with text.",
		IsItSaid: "Is this your answer? Nothing has been sent yet.", TypeInstead: "Type instead",
		Unsaid:  "Nothing was sent. Reply to the question with your text.",
		Silent:  "Not sent: no words could be heard in it.",
		Unheard: "Not sent: the voice message could not be transcribed. Please try again, or type it.",
		Deaf:    "Not sent: voice messages are off here. (Admin: HERMES_STT_URL)",

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
		Doubtful:   "⚠️ Open only what you know: the name may hide where it leads. Letter by letter:",
		WhenOpened: "Tap Done when you have finished there.",
		Unknown:    "I don't know this kind of field. Answer it in OpenCode, or decline.",
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
		TooMany:    "Choose at most %s.",
		Refused:    "That was not accepted, and nothing is answered yet. OpenCode says: %s",

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
			Nobody:   "Nobody answered in %s: declined. Whoever asked was told.",
			NotUsed:  "%s declined, but that was not used.",
			Unsure:   "%s declined. It is unclear whether that arrived.",
			Chose:    "Already being declined (%s, %s)",
			Void:     "No longer waiting: the form was never sent.",
			Gone:     "It is unclear what became of this form.",
			NoSuch:   "This form is no longer available",
			Stale:    "That was an older version of this form",
		},
	}
}

func englishIntake() Intake {
	return Intake{
		NotHere:   "Sessions cannot be controlled from this chat.",
		NotYours:  "This session is on another person's machine, and only they can use it.",
		Forwarded: "I ignore forwarded messages. Type it, or send the file yourself.",
		Paced:     "Slow down a little: I'll reply less for a minute. Answers and prompts still go through.",
	}
}

func englishLate() Late {
	return Late{Send: "Send as a prompt", Reply: "Reply to this message to send an answer as a prompt.", Unsent: "Your answer was not sent. The button sends it to the session as a prompt."}
}

func englishPermission() Permission {
	return Permission{
		Withheld: "Details are hidden in this chat. Look in OpenCode before you allow it.",

		Once: "Allow once", Always: "Always allow", Reject: "Reject", RejectNote: "Reject, say why",

		Bash: "Run a command", Edit: "Change a file", Read: "Read a file", Search: "Search files",
		Webfetch: "Fetch a web page", Websearch: "Search the web", Outside: "Access outside the project",
		Task: "Start a subagent", Skill: "Use a skill", Loop: "Continue a repeated call", Other: "Use %s",

		Every: map[string]string{
			"bash": "every command", "edit": "every file change", "read": "every file", "glob": "every file search", "grep": "every search in files",
			"list": "every folder", "webfetch": "every web page", "websearch": "every web search", "external_directory": "every folder outside the project",
			"task": "every subagent", "skill": "every skill", "doom_loop": "every repeated call", "": "everything of this kind",
		},
		Details: map[string]string{
			"description": "description", "filepath": "file", "format": "format", "timeout": "time limit", "query": "query", "workdir": "folder",
			"unsent": "⋯ not sent",
		},

		Adds: "adds %s", Deletes: "deletes %s", Moves: "moves %s to %s",
		Unread: "I can't read which files this changes. Read all of it before you allow it.",

		Times:      "%d identical requests",
		Parts:      "OpenCode does not give the whole command. It asks for these parts:",
		Missing:    "%d characters are left out here, because this chat does not accept files from bots.",
		Omitted:    "%d more characters, in the file above",
		File:       "All of it.",
		BlankLines: "%d blank lines", Spaces: "%d spaces",
		Follows:    "Continues below · part 1 of %d",
		TooLong:    "This is too long to be read here, because this chat does not accept files from bots. Allow it in a chat that does, or in OpenCode.",
		TooLongAsk: "This is too long to be read here, because this chat does not accept files from bots. Allow it in a chat that does.",
		Patterns:   "Patterns", Files: "Files", Others: "Details", Adding: "“Always allow” covers",
		In:        "in %s",
		Would:     "“Always allow” covers, until OpenCode restarts: %s",
		WouldKeep: "“Always allow” covers, for good: %s",
		Sure:      "Allow from now on, in %s, until OpenCode restarts, without asking: %s",
		SureKeep:  "Allow from now on, in %s, also after a restart, without asking: %s",
		SureWide:  "Allow for good, in the whole project of %s and in every clone, without asking: %s",
		Note:      "Reject it, and tell the agent %s?",
		Reply:     "Reply to this message with your note to the agent.",
		Holder:    "Your note to the agent",
		TapButton: "Text does not reach the agent here. Tap a button.",

		Allowed: "Allowed", Rejected: "Rejected",
		Kept:          "Your decision is kept",
		OnceBy:        "Allowed once by %s · %s",
		OnceThere:     "Allowed once in OpenCode · %s",
		AllowedThere:  "Allowed in OpenCode · %s",
		AlwaysBy:      "Allowed from now on by %s (%s) · %s",
		AlwaysThere:   "Allowed from now on in OpenCode (%s) · %s",
		AlwaysAlong:   "Allowed because %s always allowed another request · %s",
		RejectedBy:    "Rejected by %s · %s",
		RejectedThere: "Rejected in OpenCode · %s",
		RejectedAlong: "Rejected by %s, together with another request of this session · %s",
		NotedBy:       "Rejected by %s: %s · %s",
		NotedThere:    "Rejected in OpenCode: %s · %s",
		Nobody:        "Nobody answered in %s: rejected. The agent was told.",
		NobodyAsk:     "Nobody answered in %s: not allowed.",
		NobodyEnds:    "Nobody answered in %s: rejected, which ended the agent's turn.",
		Stopped:       "Stopped, not run.",
		StoppedLate:   "Stopped. It is unclear whether it had begun.",
		NotUsedNo:     "%s's rejection was not used.",
		UnsureNo:      "It is unclear whether %s's rejection arrived.",
		ChoseNo:       "Already being rejected (%s, %s)",
		Unknown:       "It is unclear what became of this request.",
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
		Refused: "Not sent: OpenCode does not accept it.",
		Unsent:  "Not sent.",
		GivenUp: "Given up: OpenCode could not be reached for 12 hours. Your prompt may not have arrived",
		Before:  "I was restored from a backup and don't know whether it arrived. Not sent again",
		Reasons: map[remote.Reason]string{
			remote.ReasonAgent:     "There is no such agent.",
			remote.ReasonModel:     "There is no such model.",
			remote.ReasonCommand:   "There is no such command.",
			remote.ReasonSigns:     "Not allowed in a command's text: ` ! @ $. OpenCode would run or read them without asking.",
			remote.ReasonNoText:    "OpenCode could run or read this command's text without asking. Send the command without text.",
			remote.ReasonFile:      "A file of that kind would break the session.",
			remote.ReasonTooLarge:  "The files are too large.",
			remote.ReasonNotDriven: "The plugin is too old, or lets nobody drive sessions: run hermes plugin install, restart OpenCode.",
		},

		Done: "Done", DoneIn: "Done in %s", WasStopped: "Stopped", WithError: "Ended with an error",
		EndUnknown: "It is unclear how this ended",
		Works:      "Working", IsIdle: "Idle", WaitsForYou: "Waiting for you", InUse: "in use", Untitled: "(no title)",
		Files: "%d files", OneFile: "1 file", TodosDone: "%d of %d todos", Tokens: "%d tokens",
		NoWords: "The agent wrote nothing.", NoTodos: "There are no todos.", NoDiff: "Nothing was changed.",
		DiffNoFile: "This chat does not accept files from bots, so the changes themselves are not here.",
		DiffLarge:  "The changes are not here: they are %s, and bots can send 50 MB at most.",
		MoreFiles:  "… and %d more files",
		FileNew:    "new", FileDeleted: "deleted", FileBinary: "binary",
		GoOn: "Reply to this message to go on.", InFile: "The text is too long for a message. The whole text is in the file above.",
		NoFile:    "The text is too long for a message, and this chat does not accept files from bots, so part of it is missing here. OpenCode shows all of it.",
		Using:     "What you write here goes to this session.",
		UsingNone: "What you write here now goes to no session.",
		Created:   "A new session. What you write here goes to it.",
		Nothing:   "The agent has your prompt but has not started on it.",
		Retried:   "The model returns errors. OpenCode keeps trying.",
		StopAsk:   "Stop the agent? What it is doing ends at once.",
		Stopped:   "Stopped", Idle: "The agent is idle: nothing to stop", StillWorks: "It is still working: OpenCode did not stop it",
		GoesOn: "It keeps working", TooLate: "That was asked too long ago. Send /abort again", Gone: "There is no such session",

		Sessions: "Sessions", NoSessions: "There are no sessions yet. /new starts one.",
		WaitForYou: "Waiting for you:", WaitNames: "Waiting for you: %s", NoneWaits: "Nothing is waiting for you here.",
		NoneInUse:  "No session is in use. /sessions lists them.",
		NotReached: "%s cannot be reached now.",
		Owed:       "Prompts waiting for OpenCode: %d",
		Reached:    "Directories with a connected OpenCode: %d",
		Offline:    "No OpenCode can be reached now.",
		Failed:     "OpenCode did not answer. Please try again.",
		Levels: map[remote.Level]string{
			remote.LevelQuestions: "You get questions here, and a message when a turn started from this chat ends.",
			remote.LevelTurns:     "You get questions here, and a message when a turn ends.",
			remote.LevelAll:       "You get questions here, and a message when a turn starts or ends.",
		},
		LevelNames: map[remote.Level]string{
			remote.LevelQuestions: "Only questions", remote.LevelTurns: "Questions, and when a long turn ends", remote.LevelAll: "Start and end of every turn",
		},
		LongTurns: "Questions come here, and the ends of turns that began here or took %s or more.",
		Hint:      "Send /level to choose which turns you hear about here.",
		HowLevel:  "Tap to change it.",
		Muted:     "No messages about ended turns until %s. Questions still come.", NotMuted: "Nothing is muted.",
		HowMute: "Change it with /mute 30m, /mute 2h, /mute 1d or /mute off.",
		Help: "Reply to a message about a session to tell the agent something.\n\n" +
			"/sessions – choose a session\n/use name – send what you write here to it; /use off\n/new – a new session; /new project\n" +
			"/last – what it said last\n/diff – what it changed\n/todo – its to-do list\n/status – how everything stands\n/pending – what is waiting for you\n" +
			"/abort – stop the agent\n/noreply text – add something for its next turn, without starting one\n/run name – run one of OpenCode's commands\n/agent, /model – choose who works on it\n/follow – see what it does while it works\n/level – choose what you hear about here\n/mute 2h – no messages about ended turns for a while\n/help – this list",
		Unknown:  "There is no command /%s. /help shows all.",
		Which:    "Which session? Reply to one of its messages, or choose one with /sessions",
		Where:    "In which directory?",
		LastUsed: "The session keeps using what it used last.", Chosen: "From now on: %s",
		SetNow: "Now: %s", SetLast: "Now: %s, as it used last", WorksWith: "Agent and model: %s", LastTurn: "Last turn: %s",
		HowAgent: "Tap one, or send /agent and its name.",
		HowModel: "Tap one, or send /model and a part of its name.",
		AsLast:   "What it used last",
		NoMore:   "That one is not available any more. There are:",
		Past:     "This chat uses another session now. Send the command again.",
		NoSuch:   "There is no “%s”. There are:",
		NoRight:  "You are not allowed to control sessions here.", NoRightOf: "You need one of these roles to control sessions: %s",
		Doubt: "Is “%s” your answer to “%s”, or a command?",
	}
}

func englishMachines() Machines {
	return Machines{
		Help:  "/link – link a machine of yours",
		Yours: "Your machines:", ByPlugin: "OpenCode %s, plugin %s, protocol %d", ByProcess: "OpenCode %s, hermes link run %s, protocol %d",
		Refused: "not linked: update it, or hermes", LastSeen: "not linked now, last seen %s", NeverSeen: "never linked", Waiting: "%d waiting",
		Unlink: "Revoke %s", UnlinkAsk: "Unlink %s? Its open questions can then only be answered there. /link links it again.",
		DoUnlink: "Revoke", Keep: "Keep it", Unlinked: "The link of %s was revoked.", Stays: "%s stays linked.", NoLink: "This machine is not linked to you any more.",

		Paste:   "Run this on the machine to link, within %s. It works once, and its questions will come only to you. Earlier codes no longer work.",
		Service: "For OpenCode 2 this instead, and keep it running:",
		Private: "Write /link to me in a private chat: what I answer is for you alone.",
		NoURL:   "I don't know my address for other machines. (Admin: HERMES_PUBLIC_URL)",
		Linked:  "A machine is linked with your code: %s. What it asks is for you alone.",
		Host:    "It calls itself “%s”.",
		Revoke:  "If that was not you, send /status and tap Revoke, or run this where hermes runs:",
	}
}

func englishMenu() map[string]string {
	return map[string]string{
		"start":    "Whether questions come here",
		"link":     "Link a machine of yours",
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
		"mute":     "No messages about ended turns: /mute 2h",
		"help":     "All commands",
	}
}
