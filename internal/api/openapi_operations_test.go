package api_test

import (
	"reflect"

	"hermes/internal/api"
	"hermes/internal/ask"
	"hermes/opencode/link"
)

// operation is a method and a path of the interface. What every one of its kind may answer, such as 401, is added by operationOf.
type operation struct {
	pattern string // as http.ServeMux has it
	caller  api.Caller
	summary string
	query   []parameter
	body    reflect.Type // nil: none
	answers map[int]answer
}

type parameter struct {
	name, description string
	schema            object
}

// answer is what is said with a status. The zero value is a sentence, {"error":"…"}.
type answer struct {
	text   string         // when it is so
	of     reflect.Type   // in JSON
	fields object         // or these, by their names: an object in JSON
	lines  []reflect.Type // or one of these in each line, in JSON
	media  string         // or this, no JSON
}

var (
	textOf      = object{"type": "string"}
	waitFor     = parameter{"wait", "how long to hold the answer until there is one, such as 30s; 50s at most", object{"type": "string", "pattern": durationForm}}
	oneQuestion = reflect.TypeFor[api.Question]()
)

// durationForm is what time.ParseDuration takes, where it is not negative.
const durationForm = `^\+?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`

// operations are all of them, sorted by path.
func operations() []operation {
	return append(publicOperations(), append(askOperations(), append(careOperations(), linkOperations()...)...)...)
}

func publicOperations() []operation {
	plain := func(text string) answer { return answer{text: text, media: "text/plain"} }
	return []operation{
		{pattern: "GET /healthz", caller: api.Anybody, summary: "Whether hermes is alive", answers: map[int]answer{200: plain("it is"), 503: plain("it is not, and why")}},
		{pattern: "GET /metrics", caller: api.TokenHolder, summary: "Numbers for Prometheus", answers: map[int]answer{200: plain("in Prometheus' text format"), 500: plain("they cannot be collected")}},
		{pattern: "GET /readyz", caller: api.Anybody, summary: "Whether a question could reach a person now", answers: map[int]answer{200: plain("it could"), 503: plain("it could not, and why")}},
		{
			pattern: "POST /v1/link-codes", caller: api.Anybody, summary: "Make a link with the code that its owner was given; the same request again gets the same answer",
			body: reflect.TypeFor[api.Exchange](), answers: map[int]answer{
				200: {text: "the name of the link that was made", of: reflect.TypeFor[api.LinkName]()}, 400: {}, 403: {text: "the code makes no link, or the request comes from a web page"},
				413: {}, 429: {text: "too many codes that make no link; Retry-After says when to try again, in seconds"}, 500: {}, 503: {},
			},
		},
	}
}

func askOperations() []operation {
	id := object{"id": object{"type": "string", "description": "names the ask in the paths of /v1/ask"}}
	return []operation{
		{
			pattern: "POST /v1/ask", caller: api.TokenHolder, summary: "Ask people",
			body: reflect.TypeFor[askBody](), answers: map[int]answer{202: {text: "the ask is stored, and will be shown", fields: id}, 400: {}, 409: {text: "another ask has the idempotency_key"}, 413: {}, 500: {}},
		},
		{
			pattern: "GET /v1/ask/{id}", caller: api.TokenHolder, summary: "What became of an ask", query: []parameter{waitFor},
			answers: map[int]answer{200: {text: "its state", of: reflect.TypeFor[ask.Result]()}, 400: {}, 404: {text: "there is no such ask, or it ended seven days ago"}, 410: {}, 500: {}},
		},
		{
			pattern: "DELETE /v1/ask/{id}", caller: api.TokenHolder, summary: "Withdraw an ask",
			answers: map[int]answer{200: {text: "its state", of: reflect.TypeFor[ask.Result]()}, 404: {text: "there is no such ask"}, 409: {text: "it was answered before"}, 410: {}, 500: {}},
		},
		{
			pattern: "GET /v1/questions", caller: api.TokenHolder, summary: "What is open, the oldest first",
			query:   []parameter{{"last", "the last that were asked, this many, ended ones too", object{"type": "string", "pattern": "^[+0-9][0-9]*$", "description": "from 1 to 1000"}}},
			answers: map[int]answer{200: {text: "the questions", fields: object{"questions": object{"type": "array", "items": ref(oneQuestion)}}}, 400: {}, 500: {}},
		},
		{
			pattern: "GET /v1/questions/{id}", caller: api.TokenHolder, summary: "One question, also an ended one, for seven days",
			answers: map[int]answer{200: {text: "the question", of: oneQuestion}, 404: {text: "there is no such question"}, 410: {}, 500: {}},
		},
		{
			pattern: "POST /v1/questions/{id}", caller: api.TokenHolder, summary: "Answer a question, or reject it", body: reflect.TypeFor[answerBody](),
			answers: map[int]answer{
				200: {text: "the answer is stored, and will be delivered; GET tells when that is proven", of: oneQuestion}, 400: {},
				403: {text: "only people in the chat may answer it, the token is one of a link, or the request comes from a web page"},
				404: {text: "there is no such question"}, 409: {text: "it takes no more answers"}, 410: {}, 413: {}, 500: {},
			},
		},
	}
}

func careOperations() []operation {
	number := object{"type": "string", "pattern": "^[+0-9][0-9]*$"}
	return []operation{
		{
			pattern: "GET /v1/backup", caller: api.TokenHolder, summary: "A copy of the database as of one moment",
			answers: map[int]answer{200: {text: "the file; one that was cut off is shorter than its Content-Length", media: "application/octet-stream"}, 403: {text: "the caller is on another machine, the token is one of a link, or the request comes from a web page"}, 409: {text: "another one is being made"}},
		},
		{
			pattern: "GET /v1/journal", caller: api.TokenHolder, summary: "The journal, one entry a line, the oldest first",
			query: []parameter{
				{"after", "entries with a higher number than this", number},
				{"since", "entries from this time on", object{"type": "string", "format": "date-time"}},
				{"session", "entries of this session of OpenCode, or of this question by hermes' id", textOf},
				{"person", "entries by this person: a Telegram id, a name, or a word of one", textOf},
				waitFor,
			},
			answers: map[int]answer{200: {text: "an entry a line, and an error in the last one if the rest cannot be read", lines: []reflect.Type{reflect.TypeFor[api.Entry](), reflect.TypeFor[sentence]()}}, 400: {}},
		},
		{
			pattern: "GET /v1/journal/verify", caller: api.TokenHolder, summary: "Whether the chain of the journal's hashes is whole",
			answers: map[int]answer{200: {text: "how far it is", of: reflect.TypeFor[api.Chain]()}, 500: {}},
		},
		{
			pattern: "GET /v1/openapi.json", caller: api.TokenHolder, summary: "This document",
			answers: map[int]answer{200: {text: "an OpenAPI document", fields: object{"openapi": textOf, "info": object{"type": "object"}, "servers": object{"type": "array"}, "paths": object{"type": "object"}, "components": object{"type": "object"}}}},
		},
		{
			pattern: "GET /v1/pair", caller: api.TokenHolder, summary: "Who was let in, and who is invited",
			answers: map[int]answer{200: {text: "people, groups, and open invitations", of: reflect.TypeFor[api.Pairings]()}, 500: {}},
		},
		{
			pattern: "POST /v1/pair", caller: api.TokenHolder, summary: "Invite a person, with a link to the bot", body: reflect.TypeFor[api.Invite](),
			answers: map[int]answer{200: {text: "the invitation with its link, which is told this once", of: reflect.TypeFor[api.Invitation]()}, 400: {}, 409: {text: "nobody can add the bot to groups now, at Telegram"}, 413: {}, 500: {}, 502: {text: "Telegram does not tell the bot's name, which the link needs"}},
		},
		{
			pattern: "DELETE /v1/pair/{id}", caller: api.TokenHolder, summary: "Remove a person, a group or an invitation",
			answers: map[int]answer{200: {text: "what was removed", fields: object{"removed": textOf}}, 404: {text: "nobody is paired so"}, 409: {text: "it is the last person who may answer"}, 500: {}},
		},
		{
			pattern: "POST /v1/reload", caller: api.TokenHolder, summary: "Take over the rules file and the log level as they are now",
			answers: map[int]answer{
				200: {text: "both are in force", of: reflect.TypeFor[api.Reloaded]()}, 409: {text: "hermes runs without a rules file, and nothing else has changed"},
				422: {text: "the file has mistakes; the rules stay as they were", fields: object{"error": textOf, "mistakes": object{"type": "array", "items": textOf}}}, 500: {},
			},
		},
		{pattern: "GET /v1/status", caller: api.TokenHolder, summary: "Versions, ways to OpenCode, and what is wrong", answers: map[int]answer{200: {text: "how hermes is", of: reflect.TypeFor[api.Status]()}}},
	}
}

func linkOperations() []operation {
	unknown, tooMuch := answer{text: "hermes does not know this link any more; open it again"}, answer{text: "too much of this token"}
	number := object{"type": "string", "pattern": "^[-+0-9]*$"}
	return []operation{
		{
			pattern: "GET /v1/links", caller: api.TokenHolder, summary: "The links that were made, and which are open",
			answers: map[int]answer{200: {text: "the links", of: reflect.TypeFor[api.NamedLinks]()}, 500: {}},
		},
		{
			pattern: "POST /v1/links", caller: api.TokenHolder, summary: "Make a link for a machine", body: reflect.TypeFor[api.NewLink](),
			answers: map[int]answer{200: {text: "its token, which is told this once", of: reflect.TypeFor[api.LinkToken]()}, 400: {}, 409: {text: "the name is taken"}, 413: {}, 500: {}},
		},
		{
			pattern: "DELETE /v1/links/{name}", caller: api.TokenHolder, summary: "Revoke a link, and end what is open with it",
			answers: map[int]answer{200: {text: "its name", fields: object{"revoked": textOf}}, 404: {text: "there is no such link"}, 500: {}},
		},
		{
			pattern: "PUT /v1/links/{name}/name", caller: api.TokenHolder, summary: "Rename a link", body: reflect.TypeFor[api.Rename](),
			answers: map[int]answer{200: {text: "its name now, and the rules that have the old one", of: reflect.TypeFor[api.Renamed]()}, 400: {}, 404: {text: "there is no such link"}, 409: {text: "the name is taken"}, 413: {}, 500: {}},
		},
		{
			pattern: "PUT /v1/links/{name}/owner", caller: api.TokenHolder, summary: "Give a link to a person, or to nobody", body: reflect.TypeFor[api.LinkOwner](),
			answers: map[int]answer{200: {text: "its owner now", of: reflect.TypeFor[api.LinkOwner]()}, 400: {}, 404: {text: "there is no such link"}, 413: {}, 500: {}},
		},
		{
			pattern: "GET /v1/link", caller: api.LinkHolder, summary: "Of the plugin: the name of its token",
			answers: map[int]answer{200: {text: "the name; empty: the token is that of the API", of: reflect.TypeFor[api.LinkName]()}},
		},
		{
			pattern: "POST /v1/link", caller: api.LinkHolder, summary: "Of the plugin: open a link", body: reflect.TypeFor[link.Hello](),
			answers: map[int]answer{
				200: {text: "the link is open", of: reflect.TypeFor[link.Opened]()}, 400: {}, 413: {}, 429: tooMuch,
				426: {text: "this hermes speaks another protocol", of: reflect.TypeFor[link.WrongProtocol]()},
			},
		},
		{
			pattern: "GET /v1/link/{id}/calls", caller: api.LinkHolder, summary: "Of the plugin: wait for calls to make",
			query: []parameter{{"after", "the highest number of a call that has arrived", number}, {"follow", "the number of the list of followed sessions that the plugin has", number}},
			answers: map[int]answer{
				200: {text: "calls, or another list of followed sessions", of: reflect.TypeFor[link.Handed]()}, 204: {text: "there was none as long as hermes holds a poll"}, 400: {}, 410: unknown, 429: tooMuch,
			},
		},
		{
			pattern: "POST /v1/link/{id}/events", caller: api.LinkHolder, summary: "Of the plugin: tell what happened, in order", body: reflect.TypeFor[eventsBody](),
			answers: map[int]answer{204: {text: "every event was handled"}, 400: {}, 410: unknown, 413: {}, 429: tooMuch},
		},
		{
			pattern: "POST /v1/link/{id}/results", caller: api.LinkHolder, summary: "Of the plugin: tell what came of a call", body: reflect.TypeFor[link.Result](),
			answers: map[int]answer{204: {text: "it was taken"}, 400: {}, 410: unknown, 413: {}, 429: tooMuch},
		},
	}
}
