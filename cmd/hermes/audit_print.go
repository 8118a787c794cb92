package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hermes/internal/api"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/storage"
)

// entryPrinter writes entries as they come, each on one line, below a head.
type entryPrinter struct {
	out   *bufio.Writer
	head  string // not written yet
	line  func(api.Entry) string
	count int
}

func newEntryPrinter(w io.Writer, opts auditOptions) *entryPrinter {
	p := &entryPrinter{out: bufio.NewWriter(w), head: textLine("time", "what", "question", "who", "chat", ""), line: entryText}
	switch {
	case opts.json:
		p.head, p.line = "", entryJSON
	case opts.csv:
		p.head, p.line = csvHead, entryCSV
	}
	return p
}

func (p *entryPrinter) print(e api.Entry) error {
	p.count++
	p.begin()
	_, err := p.out.WriteString(p.line(e))
	return err
}

func (p *entryPrinter) begin() {
	_, _ = p.out.WriteString(p.head) // a failure stays, and end tells it
	p.head = ""
}

// end writes what is left. A journal without entries has a head, one that could not be read has none.
func (p *entryPrinter) end(err error) error {
	if err == nil {
		p.begin()
	}
	return errors.Join(p.out.Flush(), err)
}

func entryJSON(e api.Entry) string { return escapeJSON(compactJSON(e)) + "\n" }

// escapeJSON spells out the characters of JSON that cannot be seen, or do something.
func escapeJSON(json string) string {
	var text strings.Builder
	for _, r := range json {
		if strconv.IsGraphic(r) {
			text.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&text, `\u%04x`, unit)
		}
	}
	return text.String()
}

// compactJSON is JSON on one line, with < and its like as they are. It is for values
// of strings and numbers, which cannot fail.
func compactJSON(v any) string {
	var b strings.Builder
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	_ = lines.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

const csvHead = "number,at,kind,thread,request,session,by,user,name,chat,answers,detail,rule,note,hash,token\n"

// entryCSV is one record. Text is spelled as for a terminal, and in a form that no
// spreadsheet takes for a formula. Answers are JSON.
func entryCSV(e api.Entry) string {
	answers := ""
	if e.Answers != nil {
		answers = escapeJSON(compactJSON(e.Answers))
	}
	return strings.Join([]string{
		strconv.FormatUint(e.Number, 10), e.At.UTC().Format("2006-01-02T15:04:05.000Z"),
		csvCell(string(e.Kind)), csvCell(string(e.Thread)), csvCell(string(e.Request)), csvCell(string(e.Session)),
		csvCell(string(e.By)), numberCell(int64(e.User)), csvCell(e.Name), numberCell(int64(e.Chat)),
		quotedCell(answers), csvCell(e.Detail), csvCell(e.Rule), csvCell(e.Note), csvCell(e.Hash), csvCell(e.Token),
	}, ",") + "\n"
}

// csvCell is text as for a terminal. A spreadsheet takes what begins with one of these
// signs, in either width, for a formula, unless an apostrophe stands before it
// (OWASP, CSV injection). Control characters are spelled out, so none comes first.
func csvCell(text string) string {
	text = letters.Escaped(text)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " "))
	if strings.ContainsRune("=+-@|%＝＋－＠", first) {
		text = "'" + text
	}
	return quotedCell(text)
}

func quotedCell(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// numberCell leaves out what is not known.
func numberCell(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// entryText is a line for people.
func entryText(e api.Entry) string {
	return textLine(localTime(e.At), string(e.Kind), string(e.Thread), entryPerson(e), numberCell(int64(e.Chat)), entryEvent(e))
}

// textLine aligns. What is wider than its column is written whole.
func textLine(at, kind, thread, who, chat, told string) string {
	return strings.TrimRight(padRight(at, 19)+"  "+padRight(kind, 9)+"  "+padRight(thread, 12)+"  "+padRight(who, 20)+"  "+padRight(chat, 14)+"  "+told, " ") + "\n"
}

func padRight(text string, width int) string {
	if text == "" {
		text = "-"
	}
	text = letters.Escaped(text)
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// entryPerson is a person, or what decided in place of one, with the token that it came by.
func entryPerson(e api.Entry) string {
	if e.Token == "" {
		return entryActor(e)
	}
	return strings.TrimSpace(entryActor(e) + " (token " + e.Token + ")")
}

func entryActor(e api.Entry) string {
	switch e.By {
	case question.Person:
		if e.Name == "" {
			return strconv.FormatInt(int64(e.User), 10)
		}
		return fmt.Sprintf("%s (%d)", e.Name, e.User)
	case question.Caller:
		return strings.TrimSpace("API " + e.Name)
	case question.RuleActor:
		return "a rule"
	case question.Deadline:
		return "the deadline"
	case question.OpenCode:
		return "OpenCode"
	}
	return string(e.By)
}

// entryEvent is what happened, with the texts whole and every character visible.
func entryEvent(e api.Entry) string {
	parts := []string{entryMeaning(e)}
	if e.Answers != nil {
		parts = append(parts, legibleAnswers(e.Answers))
	}
	if e.Note != "" {
		parts = append(parts, strings.TrimSpace(noteLabel(e)+" "+strconv.QuoteToGraphic(e.Note)))
	}
	if e.Rule != "" {
		parts = append(parts, "by rule "+strconv.QuoteToGraphic(e.Rule))
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// noteLabel says what the note is.
func noteLabel(e api.Entry) string {
	switch e.Kind {
	case storage.EntryInvited, storage.EntryOpened, storage.EntryPaired, storage.EntryUnwanted:
		return "with roles"
	case storage.EntryUnpaired, storage.EntryReloaded, storage.EntryLinked, storage.EntryUnlinked, storage.EntryOwned, storage.EntryRenamed, storage.EntryLinkCode, storage.EntryRestored:
		return ""
	case storage.EntryPrompted:
		return "with"
	}
	return "note"
}

// entryMeaning is what the kind and its detail say; of a kind without words of its own
// the detail itself.
func entryMeaning(e api.Entry) string {
	detail := letters.Escaped(e.Detail)
	switch e.Kind {
	case storage.EntryAsked:
		return strings.TrimSpace("session " + letters.Escaped(string(e.Session)) + " request " + letters.Escaped(string(e.Request)))
	case storage.EntryResolved:
		return "request " + letters.Escaped(string(e.Request))
	case storage.EntryRefused:
		return "without effect: " + detail
	case storage.EntryAnswered:
		if e.Answers == nil {
			return "dismissed"
		}
		return ""
	case storage.EntryHeld:
		return "can be taken back for " + detail
	case storage.EntryUndone:
		if e.Detail == "rights" {
			return "who may decide has changed, so nothing was sent"
		}
		return "took back what was decided"
	case storage.EntryInvited:
		return "for a " + detail
	case storage.EntryOpened:
		return "asks to be let in: " + detail
	case storage.EntryUnwanted:
		return "not let in: " + detail
	case storage.EntryPaired:
		return "let in: " + detail
	case storage.EntryUnpaired:
		return "removed: " + detail
	case storage.EntryLinked:
		return "made a link for OpenCode:"
	case storage.EntryLinkCode:
		return "was given a code for a machine"
	case storage.EntryOwned:
		return strings.TrimSpace("the owner of the link is "+cmp.Or(detail, "nobody")) + ":"
	case storage.EntryRenamed:
		return "renamed the link " + detail + ":"
	case storage.EntryUnlinked:
		return "revoked the link of OpenCode:"
	case storage.EntryReloaded:
		return "took over the rules:"
	case storage.EntryRestored:
		return "restored the database:"
	case storage.EntryPrompted, storage.EntryHeard, storage.EntryStopping, storage.EntryHalted, storage.EntryCreated, storage.EntryCarried:
		return strings.TrimSpace("session " + letters.Escaped(string(e.Session)) + " " + detail)
	case storage.EntryDelivered:
		return "OpenCode took it, which proves nothing yet"
	case storage.EntryConfirmed:
		return "OpenCode proved it: " + detail
	case storage.EntryElsewhere:
		return "decided at OpenCode: " + detail
	case storage.EntryExpired:
		return "nobody answered in time: " + detail
	case storage.EntryShown, storage.EntryPicked, storage.EntryReminded, storage.EntryFailed:
	}
	return detail
}

// legibleAnswers has a list for each question.
func legibleAnswers(answers question.Answers) string {
	var lists []string
	for _, list := range answers {
		var texts []string
		for _, text := range list {
			texts = append(texts, strconv.QuoteToGraphic(text))
		}
		if len(texts) == 0 {
			texts = []string{"–"} // a field of a form that was skipped, or not asked
		}
		lists = append(lists, strings.Join(texts, ", "))
	}
	return strings.Join(lists, "; ")
}
