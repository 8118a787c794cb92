package pending

import (
	"reflect"

	"hermes/internal/remote"
)

// addEnds adds the words in which the end of a prompt is stored until it was told.
func addEnds(sets map[reflect.Type][]string) {
	addSet(sets,
		remote.ReasonAgent, remote.ReasonModel, remote.ReasonCommand, remote.ReasonSigns, remote.ReasonNoText, remote.ReasonFile, remote.ReasonTooLarge,
		remote.ReasonNotDriven,
	)
	addSet(sets,
		remote.TellTaken, remote.TellNoted, remote.TellQueued, remote.TellBehind, remote.TellKept, remote.TellDeleted, remote.TellRefused,
		remote.TellGivenUp, remote.TellBefore, remote.TellTooLarge, remote.TellFileGone, remote.TellFetching, remote.TellUnusable, remote.TellHeard,
		remote.TellSaid, remote.TellUnsaid, remote.TellSilent, remote.TellUnheard, remote.TellDeaf, remote.TellNoFile, remote.TellLate,
		remote.TellLateOver, remote.TellLateNone, remote.TellNoAnswer, remote.TellTurn, remote.TellLive, remote.TellBegan, remote.TellNothing,
		remote.TellRetried, remote.TellUsing, remote.TellNew, remote.TellLast, remote.TellDiff, remote.TellChanges, remote.TellTodo, remote.TellStopAsk,
		remote.TellStopped, remote.TellWorks, remote.TellIdle, remote.TellGoesOn, remote.TellTooLate, remote.TellGone, remote.TellSessions,
		remote.TellStatus, remote.TellPending, remote.TellLevel, remote.TellMute, remote.TellFollow, remote.TellAgent, remote.TellModel, remote.TellPast,
		remote.TellRun, remote.TellUnlink, remote.TellUnlinked, remote.TellNoLink, remote.TellLinked, remote.TellHelp, remote.TellUnknown,
		remote.TellWhich, remote.TellDraft, remote.TellWhere, remote.TellOffline, remote.TellFailed, remote.TellNoRight, remote.TellDoubt,
		remote.TellNotSaved, remote.TellNotAsked, remote.TellNotYours, remote.TellNotHere, remote.TellPaced, remote.TellForward,
	)
}
