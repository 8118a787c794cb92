package v1

import (
	"context"
	"encoding/json"
	"net/url"

	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/opencode/wire"
)

// Questions lists what is pending in the directory; leaks of aborted turns included: they stay listed in every version.
func (d *Driver) Questions(ctx context.Context) ([]question.Request, error) {
	return listAsks[questionAsk](ctx, d, "list questions", "/question")
}

// Permissions lists the permission asks that are pending in the directory, as Questions lists questions.
func (d *Driver) Permissions(ctx context.Context) ([]question.Request, error) {
	return listAsks[permissionAsk](ctx, d, "list permissions", "/permission")
}

func listAsks[A wire.Ask](ctx context.Context, d *Driver, op, path string) ([]question.Request, error) {
	var list []A
	err := d.Endpoint.Get(ctx, op, path, d.Endpoint.Query(), &list)
	return wire.Requests(list, session.V1), err
}

// Reply answers an ask, one attempt. Success is no proof: before 1.15.8 OpenCode answers 200 to a reply that does nothing, and
// every version does so after an abort. A NotFound error says that nothing waits under this id.
func (d *Driver) Reply(ctx context.Context, r question.Request, answers question.Answers) error {
	if r.Permission != nil && len(answers) == 1 && len(answers[0]) == 1 {
		return d.decide(ctx, r, answers[0][0], "")
	}
	body := map[string]any{"answers": wholeAnswers(answers, len(r.Items))}
	return d.Endpoint.Post(ctx, "reply", askPath(r)+"/reply", body, nil)
}

// Reject dismisses a question or refuses a permission, one attempt. The same as for Reply holds. With a note, which only
// permission asks take, the agent gets that and continues; without, its turn ends.
func (d *Driver) Reject(ctx context.Context, r question.Request, note string) error {
	if r.Permission != nil {
		return d.decide(ctx, r, wire.RejectDecision, note)
	}
	return d.Endpoint.Post(ctx, "reject", askPath(r)+"/reject", nil, nil)
}

func (d *Driver) decide(ctx context.Context, r question.Request, decision, note string) error {
	body := map[string]string{"reply": decision}
	if note != "" {
		body["message"] = note
	}
	return d.Endpoint.Post(ctx, "decide", askPath(r)+"/reply", body, nil)
}

// wholeAnswers gives each of n items its list: OpenCode wants lists, not null.
func wholeAnswers(answers question.Answers, n int) question.Answers {
	whole := make(question.Answers, max(n, len(answers)))
	for i := range whole {
		whole[i] = []string{}
		if i < len(answers) && answers[i] != nil {
			whole[i] = answers[i]
		}
	}
	return whole
}

func askPath(r question.Request) string {
	if r.Permission != nil {
		return "/permission/" + url.PathEscape(string(r.ID))
	}
	return "/question/" + url.PathEscape(string(r.ID))
}

// questionAsk is a question ask as OpenCode writes it, in lists and in events.
type questionAsk struct {
	ID        string        `json:"id"`
	SessionID string        `json:"sessionID"`
	Questions []oneQuestion `json:"questions"`
	Tool      toolRef       `json:"tool"`
}

// toolRef names the tool call that an ask belongs to.
type toolRef struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

// oneQuestion is one question of an ask.
type oneQuestion struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"options"`
	Multiple bool  `json:"multiple"`
	Custom   *bool `json:"custom"` // absent: allowed
}

// Request is the ask in the domain's form.
func (a questionAsk) Request(p session.Protocol) question.Request {
	return question.Request{
		ID: question.RequestID(a.ID), Protocol: p, Session: session.ID(a.SessionID),
		Message: session.MessageID(a.Tool.MessageID), Call: question.CallID(a.Tool.CallID),
		Items: itemsOf(a.Questions),
	}
}

func itemsOf(questions []oneQuestion) []question.Item {
	list := make([]question.Item, 0, len(questions))
	for _, q := range questions {
		item := question.Item{
			Header: q.Header, Text: q.Question, Multiple: q.Multiple, Custom: q.Custom == nil || *q.Custom,
		}
		for _, o := range q.Options {
			item.Options = append(item.Options, question.Option{Label: o.Label, Description: o.Description})
		}
		list = append(list, item)
	}
	return list
}

// permissionAsk is a permission ask as OpenCode writes it.
type permissionAsk struct {
	ID         string                     `json:"id"`
	SessionID  string                     `json:"sessionID"`
	Permission string                     `json:"permission"`
	Patterns   []string                   `json:"patterns"`
	Always     []string                   `json:"always"`
	Tool       toolRef                    `json:"tool"`
	Metadata   map[string]json.RawMessage `json:"metadata"` // on 1.1.53 empty for bash
	Links      map[string]string          `json:"links"`    // the plugin's: see wire.AddLinks
}

// Request is the ask in the domain's form.
func (a permissionAsk) Request(p session.Protocol) question.Request {
	about := question.Permission{Kind: a.Permission, Patterns: a.Patterns, Always: a.Always}
	wire.AddMetadata(&about, a.Metadata)
	wire.AddLinks(&about, a.Links)
	return question.Request{
		ID: question.RequestID(a.ID), Protocol: p, Session: session.ID(a.SessionID),
		Message: session.MessageID(a.Tool.MessageID), Call: question.CallID(a.Tool.CallID), Permission: &about,
	}
}
