package question

import (
	"testing"
	"time"
)

const (
	ms     = time.Millisecond
	second = time.Second
	minute = time.Minute
	day    = 24 * time.Hour
)

func TestNextShowsAndKeepsCardsRight(t *testing.T) {
	checkMoments(t, []moment{
		{"not before the delay", asked(), 0, "", 800 * ms},
		{"shown in every chat", asked(), 800 * ms, "show 0, show 1", never},
		{"no chats, nothing to show", asked(func(t *Thread) { t.Cards = nil }), second, "", never},
		{"a failed try waits", asked(card(0, tryAt(5*second))), second, "show 1", 5 * second},
		{"and comes again", asked(card(0, tryAt(5*second))), 5 * second, "show 0, show 1", never},
		{"a try that is due waits for the delay", asked(card(0, tryAt(-second))), 0, "", 800 * ms},
		{"a chat that refuses is tried later", asked(card(0, refused(5*minute))), second, "show 1", 5 * minute},
		{"shown although nobody can be reached", asked(away), second, "show 0, show 1", day},
		{"shown while the id is looked for", asked(captured, resolveAt(2*second)), second, "show 0, show 1", 2 * second},
		{"right, so left alone", shown(), minute, "", 15 * minute},
		{"a step further, so refreshed", shown(rev(2)), minute, "refresh 0, refresh 1", 15 * minute},
		{"only the card that is behind", shown(rev(2), card(0, right(2))), minute, "refresh 1", 15 * minute},
		{"a refused edit waits", shown(rev(2), card(0, tryAt(2*minute))), minute, "refresh 1", 2 * minute},
		{"an edit that was refused, too", shown(rev(2), card(1, refused(5*minute))), minute, "refresh 0", 5 * minute},
		{"one chat shows it, one does not yet", shown(card(1, unshown), card(1, tryAt(2*minute))), minute, "", 2 * minute},
		{"answered before it was shown", decided(card(0, unshown), card(1, unshown), deliverAt(11*minute)), 10*minute + 2*second, "", 11 * minute},
	})
}

func TestNextEditsCopies(t *testing.T) {
	at := 10*minute + second
	checkMoments(t, []moment{
		{"right, so left alone", shown(copied), minute, "", 15 * minute},
		{"as behind as the card", shown(copied, rev(2)), minute, "refresh 0, refresh 1, refresh 2", 15 * minute},
		{"as old as it may be", shown(copied, card(2, right(0))), minute, "refresh 2", 15 * minute},
		{"deleted by somebody: not sent, unlike the card", shown(copied, card(0, unshown), card(2, unshown)), minute, "show 0", 15 * minute},
		{"to its end", settled(copied, card(0, right(3)), card(1, right(3))), at, "refresh 2", never},
		{"and no longer", settled(copied, card(0, right(3)), card(1, right(3)), card(2, right(3))), at, "retire", never},
		{"of a card that never was: it tells the end", settled(copied, card(0, unshown), card(1, unshown)), at, "refresh 2", never},
	})
}

func TestNextAsksOpenCode(t *testing.T) {
	checkMoments(t, []moment{
		{"the id is looked for at once", asked(captured), 0, "resolve", 800 * ms},
		{"and again when it is time", shown(captured, resolveAt(2*minute)), minute, "", 2 * minute},
		{"not while nobody is there", shown(captured, away), minute, "", 15 * minute},
		{"no check without its id", shown(captured, resolveAt(2*minute), check(minute)), minute, "", 2 * minute},
		{"a check that is due", shown(check(minute)), minute, "check", 15 * minute},
		{"a check that is to come", shown(check(2 * minute)), minute, "", 2 * minute},
		{"a check of what is not shown yet", asked(check(0)), 0, "check", 800 * ms},
		{"no check while away", shown(check(minute), away), minute, "", 15 * minute},
		{"no check once decided: delivering looks", decided(check(0), card(0, right(2)), card(1, right(2)), deliverAt(11*minute)), 10 * minute, "", 11 * minute},
	})
}

func TestNextDelivers(t *testing.T) {
	onScreen := func(t *Thread) { t.Cards[0].Rev, t.Cards[1].Rev = 2, 2 }
	checkMoments(t, []moment{
		{"at once, and the cards have patience", decided(), 10 * minute, "deliver", 10*minute + second},
		{"the last moment of it", decided(), 10*minute + 999*ms, "deliver", 10*minute + second},
		{"after a second the cards say so", decided(), 10*minute + second, "deliver, refresh 0, refresh 1", never},
		{"a failed try waits", decided(deliverAt(10*minute + 250*ms)), 10 * minute, "", 10*minute + 250*ms},
		{"a refused edit waits longer than that", decided(sentAt(10*minute), card(0, tryAt(12*minute)), card(1, right(2))), 11 * minute, "confirm", 12 * minute},
		{"before its id is known", decided(captured, onScreen), 10 * minute, "resolve", never},
		{"sent, the proof has time", decided(sentAt(10 * minute)), 10 * minute, "", 10*minute + 150*ms},
		{"then it is looked for", decided(sentAt(10 * minute)), 10*minute + 150*ms, "confirm", 10*minute + second},
		{"nobody there: the cards say so at once", decided(away), 10 * minute, "refresh 0, refresh 1", 10*minute + day},
		{"nobody there: the answer is kept", decided(away, onScreen), day, "", 10*minute + day},
		{"but not for ever", decided(away, onScreen), 10*minute + day, "give-up", never},
		{"nor when it was sent already", decided(away, onScreen, sentAt(10*minute)), 10*minute + day, "give-up", never},
		{"nor when its id was never found", decided(away, onScreen, captured), 10*minute + day, "give-up", never},
		{"there again, even late", decided(onScreen), 10*minute + day, "deliver", never},
		{"no reminder and no deadline once decided", decided(onScreen, deliverAt(50*minute)), 40 * minute, "", 50 * minute},
	})
}

func TestNextHolds(t *testing.T) {
	onScreen := func(t *Thread) { t.Cards[0].Rev, t.Cards[1].Rev = 2, 2 }
	held := heldTo(10*minute + 10*second)
	checkMoments(t, []moment{
		{"nothing is sent, and the cards say so at once", decided(held), 10 * minute, "refresh 0, refresh 1", 10*minute + 10*second},
		{"to its last moment", decided(held, onScreen), 10*minute + 10*second - 1, "", 10*minute + 10*second},
		{"then it ends", decided(held, onScreen), 10*minute + 10*second, "end-hold", never},
		{"a try that is due is no reason to send", decided(held, onScreen, deliverAt(9*minute)), 10 * minute, "", 10*minute + 10*second},
		{"it ends while OpenCode is away", decided(held, onScreen, away), 11 * minute, "end-hold", 10*minute + day},
		{"it ends before its id is known", decided(held, onScreen, captured), 11 * minute, "resolve, end-hold", never},
		{"OpenCode is asked whether it still waits", decided(held, onScreen, check(0)), 10 * minute, "check", 10*minute + 10*second},
		{"no reminder and no deadline", decided(heldTo(40*minute), onScreen), 35 * minute, "", 40 * minute},
		{"ended elsewhere: it is over", settled(held, func(t *Thread) { t.Cards[0].Rev, t.Cards[1].Rev = 3, 3 }), 10 * minute, "retire", never},
		{"undecided: there is none", shown(held), minute, "", 15 * minute},
		{"ended, it is sent, and the cards have patience from then on", decided(held).Released(after(10*minute + 10*second)), 10*minute + 10*second, "deliver", 10*minute + 11*second},
	})
}

func TestNextMindsTheClock(t *testing.T) {
	noReminders := func(t *Thread) { t.RemindAt = nil }
	armed := func(t *Thread) { t.Deadline, t.RemindAt = after(30*minute), []time.Time{after(15 * minute)} }
	checkMoments(t, []moment{
		{"half the time is over", shown(), 15 * minute, "remind", 30 * minute},
		{"two reminders at once are one", shown(), 26 * minute, "remind", 30 * minute},
		{"the deadline", shown(noReminders), 30 * minute, "expire", never},
		{"just before it", shown(noReminders), 30*minute - 1, "", 30 * minute},
		{"no reminder of what ends now", shown(), 30 * minute, "expire", never},
		{"it ends although OpenCode is away", shown(away), 31 * minute, "expire", day},
		{"nobody came back for a day", shown(away, expired), day, "give-up, remind", never},
		{"no deadline", shown(noReminders, func(t *Thread) { t.Deadline = time.Time{} }), day, "", never},
		{"dealt with, and it waits on", shown(noReminders, expired), day, "", never},
		{"a reminder that is left comes then", shown(expired), day, "remind", never},
		{"what nobody saw does not expire", asked(armed, card(0, tryAt(2*day)), card(1, refused(3*day))), day, "", 2 * day},
		{"what one chat saw does", shown(card(0, unshown), card(0, refused(2*day))), 30 * minute, "expire", 2 * day},
		{"everything that is due comes together", shown(rev(2), check(0), noReminders), 30 * minute, "check, refresh 0, refresh 1, expire", never},
	})
}

func TestNextRetires(t *testing.T) {
	ended := func(t *Thread) { t.Cards[0].Rev, t.Cards[1].Rev = 3, 3 }
	at := 10*minute + second
	checkMoments(t, []moment{
		{"the end is told first", settled(), at, "refresh 0, refresh 1", never},
		{"at once, with no patience", settled(), 10 * minute, "refresh 0, refresh 1", never},
		{"one card is behind", settled(ended, card(1, right(2))), at, "refresh 1", never},
		{"a refused edit is owed", settled(ended, card(1, right(2)), card(1, tryAt(20*minute))), at, "", 20 * minute},
		{"every message tells the end", settled(ended), at, "retire", never},
		{"a chat that refuses is tried for a day", settled(ended, card(1, right(1)), card(1, refused(at+minute))), at, "", at + minute},
		{"and then no more", settled(ended, card(1, right(1)), card(1, refused(at+minute))), at + day, "retire", never},
		{"a chat that refused and shows nothing is owed nothing", settled(ended, card(1, unshown), card(1, refused(5*minute))), at, "retire", never},
		{"never shown: no end on screen", settled(card(0, unshown), card(1, unshown)), at, "retire", never},
		{"a follower, whose leader's card has asked it: its own end is told", settled(card(0, unshown), card(1, unshown), follows), at, "show 0, show 1", never},
		{"no chats at all", settled(func(t *Thread) { t.Cards = nil }), at, "retire", never},
		{"nothing else is done for it", settled(ended, captured, away, check(0), deliverAt(0)), 2 * day, "retire", never},
		{"ended elsewhere, undecided", settled(ended, func(t *Thread) { t.Decision = nil }), 40 * minute, "retire", never},
	})
}
