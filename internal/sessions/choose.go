package sessions

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"hermes/internal/question"
)

// agent settles which agent the session in use is prompted with; "off": the one that
// it used last. Without a name, or with one that is not there, it lists them.
func (d *Desk) agent(in question.Input, to target, name string) {
	d.pick(in, to, name, question.TellAgent, func(ctx context.Context, w way) ([]string, error) { return w.Agents(ctx) },
		func(seat *question.Seat) { seat.Agent = name })
}

// model is the same for the model, which is written provider/model.
func (d *Desk) model(in question.Input, to target, name string) {
	d.pick(in, to, name, question.TellModel, modelsOf, func(seat *question.Seat) { seat.Model = modelNamed(name) })
}

func modelsOf(ctx context.Context, w way) ([]string, error) {
	models, err := w.Models(ctx)
	var names []string
	for _, m := range models {
		names = append(names, m.Provider+"/"+m.ID)
	}
	return names, err
}

func modelNamed(name string) question.Model {
	provider, id, _ := strings.Cut(name, "/")
	return question.Model{Provider: provider, ID: id}
}

// pick settles one of the names that OpenCode has.
func (d *Desk) pick(
	in question.Input, to target, name string, kind question.TellingKind,
	names func(context.Context, way) ([]string, error), set func(*question.Seat),
) {
	seat := d.seat(in.Chat)
	if seat.Session == "" || seat.Session != to.session {
		d.reply(in, question.Telling{Kind: question.TellWhich})
		return
	}
	ways := d.towards(to)
	d.beside(func(ctx context.Context) {
		w, s, err := d.find(ctx, ways, to.session)
		var list []string
		if err == nil {
			list, err = names(ctx, w)
		}
		d.back(func() {
			t := question.Telling{Kind: kind, Session: s, Names: list, Seat: seat}
			seat := d.seat(in.Chat)
			switch {
			case err != nil:
				d.reply(in, d.failure(err, to.session))
			case seat.Session != to.session:
				d.replyAbout(in, t, place(w, s))
			case name != "off" && !slices.Contains(list, name):
				t.Text = name
				d.replyAbout(in, t, place(w, s))
			default:
				if set(&seat); name == "off" {
					seat = without(seat, kind)
				}
				t.Names = nil
				d.settle(in, seat, t, place(w, s))
			}
		})
	})
}

// without forgets what was chosen.
func without(seat question.Seat, kind question.TellingKind) question.Seat {
	if kind == question.TellAgent {
		seat.Agent = ""
	} else {
		seat.Model = question.Model{}
	}
	return seat
}

// run gives the session a command of OpenCode's own. Without a name it lists them. A text
// that OpenCode could take for something to run or to read is not even kept.
func (d *Desk) run(in question.Input, to target, args string) {
	text := arguments(args)
	if question.Expands(text) {
		d.replyAbout(in, question.Telling{Kind: question.TellRefused, Session: to.known(), Reason: question.ReasonSigns}, to)
		return
	}
	if name := strings.TrimSpace(strings.TrimSuffix(args, text)); name != "" {
		d.accept(in, to, question.Prompt{Command: strings.TrimPrefix(name, "/"), Parts: []question.Part{{Text: text}}})
		return
	}
	d.see(in, to, func(ctx context.Context, w way, _ question.Session) (question.Telling, error) {
		names, err := w.Commands(ctx)
		return question.Telling{Kind: question.TellRun, Names: names}, err
	})
}

// mention is how a person names an agent in a prompt.
var mention = regexp.MustCompile(`(?:^|\s)@([A-Za-z0-9][A-Za-z0-9_.-]*)`)

// mentioned adds to a prompt the agents that its text mentions and OpenCode has; all
// else with an @ is text.
func mentioned(ctx context.Context, w way, p question.Prompt) (question.Prompt, error) {
	if p.Command != "" || len(p.Parts) == 0 {
		return p, nil
	}
	found := mention.FindAllStringSubmatch(p.Parts[0].Text, -1)
	if len(found) == 0 {
		return p, nil
	}
	agents, err := w.Subagents(ctx)
	if err != nil {
		return p, err
	}
	p.Parts = slices.Clone(p.Parts)
	for _, m := range found {
		part := question.Part{Agent: strings.TrimRight(m[1], ".")}
		same := func(o question.Part) bool { return o.Agent == part.Agent }
		if slices.Contains(agents, part.Agent) && !slices.ContainsFunc(p.Parts, same) {
			p.Parts = append(p.Parts, part)
		}
	}
	return p, nil
}
