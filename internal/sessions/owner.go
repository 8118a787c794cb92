package sessions

import (
	"slices"

	"hermes/internal/question"
)

// A session belongs to the OpenCode where hermes knows it to be, its home: where it was
// heard of last, else where a watch, a prompt or a chat has it from. Another OpenCode may
// become its home, as people go on with a session elsewhere, but only
//
//   - one that may have it at all: of the same machine, which is told by the token of the
//     link, and of the same directory (see question.Origin.MayHave);
//   - not while the session works at its home and that is connected, unless it is a
//     direct server, which the configuration names.
//
// What any other says of the session is an error in the log and changes nothing: no turn
// is ended, told or shown by it, and no prompt goes there. Whoever names a session first
// that hermes has never heard of is believed: ids of sessions are random.

// tells reports whether what the OpenCode at the origin says of a session counts.
func (d *Desk) tells(o question.Origin, id question.SessionID) bool {
	home, known := d.homeOf(id)
	switch {
	case !known || o.SameProcess(home):
		return true
	case !d.mayHave(o, home):
		return false
	}
	return o.Way == question.Direct || !d.heard.works(id) || !d.connected(home)
}

// homeOf is where a session is known to be.
func (d *Desk) homeOf(id question.SessionID) (question.Origin, bool) {
	home := d.heard.of(id)
	if home.Way == "" && d.watches[id] != nil {
		home = d.watches[id].Origin
	}
	if home.Way == "" {
		d.seats.Range(func(_, value any) bool {
			if s := value.(question.Seat); s.Session == id && id != "" {
				home = s.Origin
			}
			return home.Way == ""
		})
	}
	if line := d.lines[id]; home.Way == "" && len(line) > 0 {
		home = line[0].Origin
	}
	return home, home.Way != ""
}

// mayHave is question.Origin.MayHave, and true also for what was last known under the
// API's token and is not connected: the plugin there may have a token of its own by now.
func (d *Desk) mayHave(o, home question.Origin) bool {
	renamed := home.Way == question.Link && home.Token == "" && o.Way == question.Link && o.Directory == home.Directory
	return o.MayHave(home) || renamed && !d.connected(home)
}

// waysFor are the ways for a prompt. A late answer goes to the session that its question
// named, with the question's own words in it: not to a session of which the OpenCode that
// asked may not speak.
func (d *Desk) waysFor(e *errand) []way {
	home, known := d.homeOf(e.Prompt.Session)
	if e.Answers != "" && known && !d.mayHave(e.Origin, home) {
		return nil
	}
	return d.towards(e.target())
}

// connected reports whether the process at the origin can be reached, in whatever
// directory.
func (d *Desk) connected(home question.Origin) bool {
	for o := range d.origins {
		if o.SameProcess(home) {
			return true
		}
	}
	return false
}

// waysTo are the ways that may lead to a session of which only the id is given.
func (d *Desk) waysTo(id question.SessionID) []way {
	home, known := d.homeOf(id)
	if !known {
		return d.ways()
	}
	return slices.DeleteFunc(d.ways(), func(w way) bool { return !d.mayHave(w.Origin, home) })
}

// owners gives what tells, beside the loop, whether a session may be at an origin.
func (d *Desk) owners() func(question.Origin, question.SessionID) bool {
	homes := map[question.SessionID]question.Origin{}
	for id, s := range d.heard.at {
		homes[id] = s.origin
	}
	note := func(id question.SessionID) {
		if home, known := d.homeOf(id); known {
			homes[id] = home
		}
	}
	for id := range d.watches {
		note(id)
	}
	for id := range d.lines {
		note(id)
	}
	d.seats.Range(func(_, value any) bool {
		note(value.(question.Seat).Session)
		return true
	})
	may := map[[2]question.Origin]bool{}
	for o := range d.origins {
		for _, home := range homes {
			may[[2]question.Origin{o, home}] = d.mayHave(o, home)
		}
	}
	return func(o question.Origin, id question.SessionID) bool {
		home, known := homes[id]
		allowed, heard := may[[2]question.Origin{o, home}]
		return !known || allowed || !heard && o.MayHave(home)
	}
}

// maxAccused bounds what is remembered of what was logged.
const maxAccused = 1000

// accusation is an OpenCode that spoke of a session of another one.
type accusation struct {
	process string
	session question.SessionID
}

// accuse notes that an OpenCode spoke of a session of another one. The plugin inside a
// direct server says what the server says, and is no news.
func (d *Desk) accuse(e question.Event) {
	if home, _ := d.homeOf(e.Session); home.Way == question.Direct && home.Directory == e.Origin.Directory {
		return
	}
	if d.config.Foreign != nil {
		d.config.Foreign()
	}
	a := accusation{e.Origin.Process, e.Session}
	if _, known := d.accused.Get(a); known {
		return
	}
	d.accused.Put(a, true)
	d.log.Error("an OpenCode spoke of a session of another one; that goes on as it was",
		"session", string(e.Session), "op", string(e.Kind), "directory", e.Origin.Directory, "host", e.Origin.Host)
}
