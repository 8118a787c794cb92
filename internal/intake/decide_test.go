package intake

import (
	"slices"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/internal/simulate/closedset"
)

// plain is a text that Ada writes in her private chat, to nobody, where she uses no session.
func plain(alter ...func(*facts)) facts {
	f := facts{
		in:     inbound.Input{Kind: inbound.Typed, Private: true, Text: "2"},
		asks:   inbound.Found{Known: true, Drives: true},
		steers: true, sessions: inbound.Steering{Home: true},
	}
	for _, one := range alter {
		one(&f)
	}
	return f
}

func kind(k inbound.InputKind) func(*facts)  { return func(f *facts) { f.in.Kind = k } }
func stands(s inbound.Standing) func(*facts) { return func(f *facts) { f.asks.Standing = s } }
func reply(f *facts)                         { f.in.ReplyTo = 7 }
func inGroup(f *facts)                       { f.in.Private = false }
func forwarded(f *facts)                     { f.in.Forwarded = true }
func stranger(f *facts)                      { f.asks.Known, f.asks.Drives = false, false }
func answersOnly(f *facts)                   { f.asks.Drives = false }
func link(f *facts)                          { f.asks.Link, f.in.Command = true, "start" }
func words(f *facts)                         { f.asks.Words = true }
func session(f *facts)                       { f.sessions.About = true }
func sessionReply(f *facts)                  { f.in.ReplyTo, f.sessions.Reply, f.sessions.About = 7, true, true }
func remoteOff(f *facts)                     { f.steers, f.sessions = false, inbound.Steering{} }
func elsewhere(f *facts)                     { f.sessions.Home = false }
func cards(f *facts)                         { f.cards = true }
func messages(f *facts)                      { f.messages = true }
func afterWaiting(f *facts)                  { f.hasWaited = true }
func meantAsAnswer(f *facts)                 { f.answer = true }
func button(k inbound.ButtonKind) func(*facts) {
	return func(f *facts) { f.in.Kind, f.in.Button.Kind, f.sessions.About = inbound.Tapped, k, k != "" }
}

// command is one of hermes' in a private chat, path only looks like one.
func command(f *facts) { f.in.Command, f.sessions.Command, f.sessions.About = "status", true, true }
func path(f *facts)    { f.in.Command, f.sessions.About = "data", f.in.ReplyTo == 0 }
func elapsed(f *facts) { // it replies to the card of an ask that has ended, of a session
	f.in.ReplyTo, f.asks.Standing, f.asks.Prompts, f.sessions.Reply, f.sessions.About = 7, inbound.StandsEnded, true, true, true
}
func voice(f *facts)  { f.in.What, f.sessions.Hears = chat.Voice, true }
func late(f *facts)   { f.asks.Late = true }
func either(f *facts) { f.asks.Standing, f.asks.Either = inbound.StandsOpen, true }

var decisions = map[string]struct {
	facts facts
	want  inbound.Recipient
}{
	"text":                                           {plain(), inbound.ForSession},
	"text in a group":                                {plain(inGroup), inbound.ForNobody},
	"text of who may not drive, for nothing":         {plain(answersOnly), inbound.ForNobody},
	"text in a chat that is not set up":              {plain(elsewhere), inbound.ForNobody},
	"reply to an unknown message":                    {plain(reply), inbound.ForSession},
	"reply to an ended one of a session":             {plain(elapsed), inbound.ForSession},
	"the same of who may not drive":                  {plain(elapsed, answersOnly), inbound.ForNoDriver},
	"the same, meant as an answer":                   {plain(elapsed, late), inbound.ForSession},
	"the same in a chat that is not set up":          {plain(elapsed, elsewhere), inbound.ForEnded},
	"the same where nobody steers sessions":          {plain(elapsed, remoteOff), inbound.ForEnded},
	"the same, said to be an answer":                 {plain(elapsed, meantAsAnswer), inbound.ForEnded},
	"the same in a group":                            {plain(elapsed, inGroup), inbound.ForSession},
	"the same, while a card is sent":                 {plain(elapsed, cards), inbound.ForSession},
	"the same, while messages are":                   {plain(elapsed, messages), inbound.ForSession},
	"the same, forwarded":                            {plain(elapsed, forwarded), inbound.ForNotOwn},
	"command in reply to such a one":                 {plain(elapsed, command), inbound.ForSession},
	"file in reply to such a one":                    {plain(elapsed, kind(inbound.Attached)), inbound.ForSession},
	"file of who may not drive, in reply to it":      {plain(elapsed, kind(inbound.Attached), answersOnly), inbound.ForNoDriver},
	"reply to an ended one that takes no prompts":    {plain(elapsed, func(f *facts) { f.asks.Prompts = false }), inbound.ForEnded},
	"reply to one that sessions do not know":         {plain(elapsed, func(f *facts) { f.sessions.Reply = false }), inbound.ForEnded},
	"text of a stranger":                             {plain(stranger, stands(inbound.StandsOpen), session), inbound.ForStranger},
	"link":                                           {plain(link, stands(inbound.StandsOpen)), inbound.ForLink},
	"link that a stranger opens":                     {plain(link, stranger), inbound.ForLink},
	"the wish for a link":                            {plain(func(f *facts) { f.in.Command, f.in.Text = "link", "/link" }), inbound.ForMachine},
	"the wish for a link, in a group":                {plain(func(f *facts) { f.in.Command, f.in.Text, f.in.Private = "link", "/link@hermes_bot", false }), inbound.ForMachine},
	"start":                                          {plain(func(f *facts) { f.in.Command = "start" }), inbound.ForGreeting},
	"start in a group":                               {plain(inGroup, func(f *facts) { f.in.Command = "start" }), inbound.ForNobody},
	"text for a card":                                {plain(stands(inbound.StandsOpen)), inbound.ForCard},
	"text for a card, where a session is used":       {plain(stands(inbound.StandsOpen), session), inbound.ForCard},
	"text for a card, while another one is sent":     {plain(stands(inbound.StandsOpen), cards), inbound.ForCard},
	"reply to a card that has ended":                 {plain(reply, stands(inbound.StandsEnded), session), inbound.ForEnded},
	"such a one, while a card is sent":               {plain(reply, stands(inbound.StandsEnded), cards), inbound.ForEnded},
	"such a one, while messages are":                 {plain(reply, stands(inbound.StandsEnded), messages), inbound.ForEnded},
	"command in reply to one that has ended":         {plain(reply, command, stands(inbound.StandsEnded)), inbound.ForSession},
	"reply to a box of none":                         {plain(reply, stands(inbound.StandsNoBox), session), inbound.ForNoBox},
	"text, while several ask":                        {plain(stands(inbound.StandsUnclear), session), inbound.ForUnclear},
	"reply to a session, while several ask":          {plain(stands(inbound.StandsUnclear), sessionReply), inbound.ForSession},
	"command, while several ask":                     {plain(stands(inbound.StandsUnclear), command), inbound.ForSession},
	"text where a session is used":                   {plain(session), inbound.ForSession},
	"text of who may not drive":                      {plain(session, answersOnly), inbound.ForSession},
	"text where nobody steers sessions":              {plain(remoteOff), inbound.ForNobody},
	"text while a card is sent":                      {plain(cards, session), inbound.ForLater},
	"reply to a session while a card is sent":        {plain(cards, sessionReply), inbound.ForSession},
	"text that waited for it":                        {plain(cards, session, afterWaiting), inbound.ForSession},
	"text in a group while a card is sent":           {plain(cards, inGroup), inbound.ForLater},
	"command while a card is sent":                   {plain(cards, command), inbound.ForSession},
	"text while messages are sent":                   {plain(messages, session), inbound.ForSession},
	"reply to an unknown message meanwhile":          {plain(messages, reply, session), inbound.ForLater},
	"tap that sends what a message keeps, meanwhile": {plain(button(inbound.ButtonSend), messages), inbound.ForLater},
	"the same, after waiting":                        {plain(button(inbound.ButtonSend), messages, afterWaiting), inbound.ForSession},
	"another tap on a session's message, meanwhile":  {plain(button(inbound.ButtonStop), messages), inbound.ForSession},
	"such a one that waited":                         {plain(messages, reply, session, afterWaiting), inbound.ForSession},
	"reply to a session meanwhile":                   {plain(messages, sessionReply), inbound.ForSession},
	"command in reply to an unknown message":         {plain(messages, reply, command), inbound.ForLater},
	"reply to a box of none, meanwhile":              {plain(messages, reply, stands(inbound.StandsNoBox)), inbound.ForNoBox},
	"reply in a group to somebody":                   {plain(inGroup, reply), inbound.ForNobody},
	"path for a card that wants words":               {plain(either, path, words), inbound.ForDoubt},
	"path for a card that wants a choice":            {plain(either, path), inbound.ForDoubt},
	"command for a card that wants words":            {plain(either, command, words), inbound.ForDoubt},
	"command for a card that wants a choice":         {plain(either, command), inbound.ForSession},
	"path of who may not drive":                      {plain(either, path, words, answersOnly), inbound.ForCard},
	"command of who may not drive, to a choice":      {plain(either, command, answersOnly), inbound.ForSession},
	"command of who may not drive, to words":         {plain(either, command, words, answersOnly), inbound.ForCard},
	"path in a chat that is not set up":              {plain(either, path, words, elsewhere), inbound.ForCard},
	"path where nobody steers sessions":              {plain(either, path, words, remoteOff), inbound.ForCard},
	"path that is an answer":                         {plain(either, path, words, meantAsAnswer), inbound.ForCard},
	"command that is an answer, to what has ended":   {plain(command, reply, stands(inbound.StandsEnded), meantAsAnswer), inbound.ForEnded},
	"command that is an answer, to nothing any more": {plain(command, meantAsAnswer), inbound.ForNobody},
	"file":                                          {plain(kind(inbound.Attached)), inbound.ForSession},
	"file in a group":                               {plain(kind(inbound.Attached), inGroup), inbound.ForNobody},
	"file of who may not drive, for nothing":        {plain(kind(inbound.Attached), answersOnly), inbound.ForNobody},
	"file in a chat that is not set up":             {plain(kind(inbound.Attached), elsewhere), inbound.ForNobody},
	"file of a stranger":                            {plain(kind(inbound.Attached), stranger, session), inbound.ForStranger},
	"voice in reply to a card":                      {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), voice), inbound.ForVoice},
	"voice of who may not drive, in reply to it":    {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), voice, answersOnly), inbound.ForVoice},
	"voice where nothing writes it down":            {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), voice, func(f *facts) { f.sessions.Hears = false }), inbound.ForNoFile},
	"voice where nobody steers sessions":            {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), voice, remoteOff), inbound.ForNoFile},
	"voice in reply to a card that has ended":       {plain(kind(inbound.Attached), elapsed, voice), inbound.ForSession},
	"forwarded voice in reply to a card":            {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), voice, forwarded), inbound.ForNotOwn},
	"photo in reply to a card, where voices count":  {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), voice, func(f *facts) { f.in.What = chat.Photo }), inbound.ForNoFile},
	"tap that says that it was heard well":          {plain(button(inbound.ButtonSay)), inbound.ForHeard},
	"such a tap of who may not drive":               {plain(button(inbound.ButtonUnsay), answersOnly), inbound.ForHeard},
	"file in reply to a card":                       {plain(kind(inbound.Attached), reply, stands(inbound.StandsOpen), session), inbound.ForNoFile},
	"file in reply to a card that has ended":        {plain(kind(inbound.Attached), reply, stands(inbound.StandsEnded), session), inbound.ForEnded},
	"file while something is asked":                 {plain(kind(inbound.Attached), stands(inbound.StandsUnclear)), inbound.ForNoFile},
	"file where a session is used":                  {plain(kind(inbound.Attached), stands(inbound.StandsUnclear), session), inbound.ForSession},
	"file in reply to an unknown message":           {plain(kind(inbound.Attached), reply, messages, session), inbound.ForLater},
	"file while a card is sent":                     {plain(kind(inbound.Attached), cards, session), inbound.ForSession},
	"forwarded text":                                {plain(forwarded, session), inbound.ForNotOwn},
	"forwarded text of a stranger":                  {plain(forwarded, stranger), inbound.ForStranger},
	"forwarded link":                                {plain(forwarded, link), inbound.ForNotOwn},
	"forwarded file":                                {plain(forwarded, kind(inbound.Attached), session), inbound.ForNotOwn},
	"forwarded text in a group":                     {plain(forwarded, inGroup, session), inbound.ForNothing},
	"forwarded text in reply to a card, in a group": {plain(forwarded, inGroup, reply, stands(inbound.StandsOpen)), inbound.ForNotOwn},
	"forwarded text in reply to an ended one":       {plain(forwarded, inGroup, reply, stands(inbound.StandsEnded)), inbound.ForNotOwn},
	"forwarded text in reply to a session":          {plain(forwarded, inGroup, sessionReply), inbound.ForSession},
	"forwarded text in reply to an unknown message": {plain(forwarded, inGroup, reply, messages), inbound.ForLater},
	"forwarded text in reply to somebody":           {plain(forwarded, inGroup, reply), inbound.ForNothing},
	"tap on a card":                                 {plain(button("")), inbound.ForCard},
	"tap of a stranger":                             {plain(button(inbound.ButtonUse), stranger), inbound.ForStranger},
	"tap that chooses a session":                    {plain(button(inbound.ButtonUse)), inbound.ForSession},
	"tap on a session where nobody steers any":      {plain(button(inbound.ButtonUse), remoteOff), inbound.ForCard},
	"tap that says that it is an answer":            {plain(button(inbound.ButtonAnswer)), inbound.ForMeaning},
	"tap of who may not drive, it is an answer":     {plain(button(inbound.ButtonAnswer), answersOnly), inbound.ForMeaning},
	"tap that says that it is a command":            {plain(button(inbound.ButtonCommand)), inbound.ForMeaning},
	"tap of who may not drive, it is a command":     {plain(button(inbound.ButtonCommand), answersOnly), inbound.ForSession},
	"tap on a doubt in a chat that is not set up":   {plain(button(inbound.ButtonAnswer), elsewhere), inbound.ForSession},
	"text that nobody has signed":                   {plain(kind(inbound.Unsigned)), inbound.ForUnsigned},
	"group that moved":                              {plain(kind(inbound.Moved)), inbound.ForChat},
	"chat that blocks the bot":                      {plain(kind(inbound.Blocked)), inbound.ForChat},
	"chat that blocks it no more":                   {plain(kind(inbound.Unblocked)), inbound.ForChat},
	"update that means nothing":                     {plain(kind(inbound.Ignored)), inbound.ForNothing},
}

func TestDecide(t *testing.T) {
	seen := map[string]bool{}
	for name, c := range decisions {
		if got := decide(c.facts); got != c.want {
			t.Errorf("%s: for %q, want %q", name, got, c.want)
		}
		seen[string(c.want)] = true
	}
	for _, name := range closedset.Constants(t)["inbound.Recipient"] {
		if !seen[name] {
			t.Errorf("nothing in the table is for %q", name)
		}
	}
}

// Whatever is known of a message, some things are never so.
func TestDecide_Never(t *testing.T) {
	for f := range everything() {
		if what := wrong(f, decide(f)); what != "" {
			t.Fatalf("%s: %q of %+v", what, decide(f), f)
		}
	}
}

// wrong says what is wrong with a decision; "": nothing.
func wrong(f facts, got inbound.Recipient) string {
	typed, tapped := f.in.Kind == inbound.Typed, f.in.Kind == inbound.Tapped
	steered := slices.Contains(ofSessions, got)
	switch {
	case got == "":
		return "nobody has it"
	case !f.asks.Known && got != inbound.ForStranger && got != inbound.ForLink:
		return "a stranger has a card, a session or a doubt"
	case f.hasWaited && got == inbound.ForLater:
		return "it waits twice"
	case !f.cards && !f.messages && got == inbound.ForLater:
		return "it waits for nothing"
	case !f.steers && steered:
		return "sessions have it, and there are none"
	case !tapped && steered && f.asks.Standing == inbound.StandsEnded && f.in.Command == "" && !f.in.Forwarded && (!f.asks.Drives || !f.asks.Prompts):
		return "a session has what is not its writer's to say"
	case typed && f.answer && steered:
		return "sessions have what was said to be an answer"
	case !tapped && f.in.Forwarded && got == inbound.ForCard:
		return "a card has what is forwarded"
	case f.in.Kind == inbound.Attached && got == inbound.ForCard:
		return "a card has a file"
	case typed && got == inbound.ForCard && f.asks.Standing != inbound.StandsOpen:
		return "a card has a text that is for none"
	case typed && !f.in.Forwarded && f.asks.Known && !f.asks.Link && f.asks.Standing == inbound.StandsOpen && !f.asks.Either && got != inbound.ForCard:
		return "an answer without a slash is not the card's"
	case got == inbound.ForDoubt && !f.asks.Drives:
		return "somebody is asked who may not use commands"
	}
	return ""
}

var ofSessions = []inbound.Recipient{inbound.ForSession, inbound.ForDoubt, inbound.ForMeaning}

// everything yields all that can be known of what a person did.
func everything() func(func(facts) bool) {
	return func(yield func(facts) bool) {
		for _, k := range []inbound.InputKind{inbound.Tapped, inbound.Typed, inbound.Attached} {
			for _, s := range []inbound.Standing{
				inbound.StandsApart, inbound.StandsOpen, inbound.StandsEnded, inbound.StandsNoBox, inbound.StandsUnclear,
			} {
				count := 1 << 16
				if s == inbound.StandsEnded {
					count = 1 << 18 // Prompts and Late mean something
				}
				for bits := range count {
					if !yield(someFacts(k, s, bits)) {
						return
					}
				}
			}
		}
	}
}

func someFacts(k inbound.InputKind, s inbound.Standing, bits int) facts {
	bit := func() bool {
		set := bits&1 == 1
		bits >>= 1
		return set
	}
	f := facts{steers: bit(), cards: bit(), messages: bit(), hasWaited: bit(), answer: bit()}
	f.in = inbound.Input{Kind: k, Private: bit(), Forwarded: bit()}
	f.asks = inbound.Found{Known: bit(), Drives: bit(), Link: bit(), Standing: s, Either: bit(), Words: bit(), Prompts: bit(), Late: bit()}
	if bit() {
		f.in.ReplyTo = chat.MessageID(7)
	}
	if bit() {
		f.in.Command, f.in.Button.Kind = "status", inbound.ButtonAnswer
	}
	f.sessions = inbound.Steering{About: bit(), Home: bit()}
	f.sessions.Reply = f.sessions.About && f.in.ReplyTo != 0
	f.sessions.Command = f.in.Command != ""
	f.asks.Drives = f.asks.Drives && f.asks.Known
	if !f.steers {
		f.sessions = inbound.Steering{}
	}
	return f
}
