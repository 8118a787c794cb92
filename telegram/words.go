package telegram

import (
	"fmt"
	"strings"
	"time"
)

// words are all texts that people see, in one language. %s and %d stand for
// what the field's comment names, in this order in every language.
type words struct {
	// Buttons. The English ones are part of hermes' contract.
	typeAnswer, dismiss, back, next, done, send string
	doneCount                                   string // how many are chosen

	// The card of an open question.
	question   string // in place of a header that is empty
	numbered   string // number: in place of the header of one of several
	ofItems    string // number, count
	chooseAny  string
	reply      string
	holder     string // in the reply box while it is empty; at most 64 characters
	waits      string // time
	offline    string // duration
	expired    string // duration
	review     string
	above      string // the whole text is in the file
	file       string // what the file holds
	below      string // in place of a part that is not needed any more
	twice      string // in place of a copy
	noFile     string // the chat takes none: the whole text is not here
	wholeAt    string // and where it is
	wholeAtAsk string // the same, of a question that a program asks

	// Notices.
	pickOne     string
	ambiguous   string // options
	quoteIt     string // the typed text
	or          string
	notAnOption string
	onlyOne     string
	tapSend     string

	// Decided and ended. Answers are joined with comma.
	comma          string
	colon, stop    string // after the words that they end
	sending        string
	dismissed      string
	waitingAt      string // host
	waiting        string
	kept           string
	keptNo         string
	byPerson       string // name, time
	byCaller       string // name, time
	byAPI          string // time
	inOpenCode     string // time
	dismissedBy    string // name, time
	dismissedAPI   string // name, time
	dismissedByAPI string // time
	dismissedThere string // time
	nobodyReject   string // duration
	nobodyAsk      string // duration
	nobodyTook     string // duration, answers
	nobodyTookIt   string // duration, answers: the default
	nobodyTookAll  string // duration
	stopped        string
	deleted        string
	restarted      string
	void           string
	unknown        string
	notUsed        string // name, answers
	notUsedNo      string // name
	unsure         string // name, answers
	unsureNo       string // name

	// Alerts.
	alertAnswered  string // answers, name, time
	alertThere     string // answers, time
	alertDismissed string // name, time
	alertExpired   string
	alertChose     string // answers, name, time
	alertChoseNo   string // name, time
	stale          string
	stranger       string
	noRole         string
	noRoleOf       string // roles
	wrongRole      string // roles
	noSuch         string
	setAside       string // what was kept of the question cannot be read
	notSaved       string

	// Notes.
	remind      string // header and project
	nothing     string
	which       string
	greeting    string // name
	elsewhere   string // name
	strangerHi  string // the person's id, the chat's id
	notSavedYet string
	movedOn     string // the text replies to what was asked before
	noBox       string // nobody can tell what the text replies to

	may    permissionWords
	team   teamWords
	remote remoteWords
	rule   ruleWords
	files  fileWords
	late   lateWords
	intake intakeWords

	admission admissionWords

	// Durations.
	seconds, minutes, hours, days string // number
}

// wordsFor returns the table for an IETF language tag: Chinese for zh and all
// its kinds, else English.
func wordsFor(lang string) words {
	tag := strings.ToLower(lang)
	if tag == "zh" || strings.HasPrefix(tag, "zh-") || strings.HasPrefix(tag, "zh_") {
		return chinese()
	}
	return english()
}

// span says a duration in its one or two largest units.
func (w words) span(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf(w.seconds, d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf(w.minutes, d.Round(time.Minute)/time.Minute)
	case d < 48*time.Hour:
		return two(w.hours, d/time.Hour, w.minutes, d%time.Hour/time.Minute)
	}
	return two(w.days, d/(24*time.Hour), w.hours, d%(24*time.Hour)/time.Hour)
}

func two(big string, n time.Duration, small string, m time.Duration) string {
	if m == 0 {
		return fmt.Sprintf(big, n)
	}
	return fmt.Sprintf(big, n) + " " + fmt.Sprintf(small, m)
}
