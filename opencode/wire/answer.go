package wire

import (
	"net/url"

	"hermes/internal/question"
	"hermes/opencode/call"
)

// rejectDecision is the word by which a permission is refused. The others are
// question.Once and question.Always.
const rejectDecision = "reject"

// Reply answers the ask that is at a path.
func Reply(path string, query url.Values, r question.Request, answers question.Answers) call.Call {
	if r.Permission != nil && len(answers) == 1 && len(answers[0]) == 1 {
		return decide(path, query, answers[0][0], "")
	}
	return call.Post("reply", path+"/reply", query, map[string]any{"answers": wholeAnswers(answers, len(r.Items))})
}

// Reject dismisses the question, or refuses the permission with a note unless that is
// empty.
func Reject(path string, query url.Values, r question.Request, note string) call.Call {
	if r.Permission != nil {
		return decide(path, query, rejectDecision, note)
	}
	return call.Post("reject", path+"/reject", query, nil)
}

func decide(path string, query url.Values, decision, note string) call.Call {
	body := map[string]string{"reply": decision}
	if note != "" {
		body["message"] = note
	}
	return call.Post("decide", path+"/reply", query, body)
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
