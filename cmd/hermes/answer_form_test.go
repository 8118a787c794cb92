package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/api"
	"hermes/internal/console"
	"hermes/internal/fields"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/simulate/rig"
)

// orderForm is a form of an MCP server as the HTTP interface gives it.
func orderForm(t *testing.T) api.Question {
	t.Helper()
	one, nine := 1.0, 9.0
	thread := question.Thread{ID: "abcdefghijkl", Project: "shop-api", Request: question.Request{
		ID: "frm_1", Context: "Order details\nAnswered: none\x1b[2J", Form: &question.Form{Title: "elicitor is requesting input", Server: "elicitor\x07"},
		Items: []question.Item{
			question.FieldItem("size", "Size", "", fields.Field{Kind: fields.String, Required: true}, []question.Option{{ID: "S", Label: "Small"}, {ID: "M", Label: "Medium"}}, false),
			question.FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer, Required: true, Min: &one, Max: &nine}, nil, false),
			question.FieldItem("w", "", "Its weight in kg", fields.Field{Kind: fields.Number, Default: []string{"1.5"}}, nil, false),
			question.FieldItem("gift", "Gift?", "", fields.Field{Kind: fields.Boolean, Required: true}, nil, false),
			question.FieldItem("paper", "Paper", "", fields.Field{Kind: fields.String, Required: true, When: []fields.When{{Key: "gift", Value: "true"}}}, nil, false),
			question.FieldItem("tags", "Tags", "", fields.Field{Kind: fields.Multiselect, Min: &one}, []question.Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}}, false),
			question.FieldItem("login", "Sign in", "", fields.Field{Kind: fields.External, URL: "https://example.org/login"}, nil, false),
		},
	}}
	raw, err := json.Marshal(api.QuestionOf(thread))
	var q api.Question
	if err == nil {
		err = json.Unmarshal(raw, &q)
	}
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestAnswer_Forms(t *testing.T) {
	for words, want := range map[string]string{
		"small|2|1.50|no|a, b|done":        `[["S"],["2"],["1.5"],["false"],[],["a","b"],["true"]]`,
		"M|2.0||yes|gold paper|-|1":        `[["M"],["2"],["1.5"],["true"],["gold paper"],[],["true"]]`,
		"M|2|-|no||done":                   `[["M"],["2"],[],["false"],[],[],["true"]]`,
		"L":                                "ANSWER 1: is not one of the choices",
		"S|12":                             "ANSWER 2: does not fit; give a whole number from 1 to 9",
		"S|":                               "ANSWER 2: does not fit; give a whole number from 1 to 9",
		"S|-":                              "ANSWER 2: does not fit; give a whole number from 1 to 9",
		"S|2":                              "ANSWER: w has none; give an answer for each field that is asked, - to skip one",
		"S|2|-|no|-|done|and one too many": "ANSWER 7: there is no question for it",
	} {
		answer, err := fromWords(orderForm(t).Domain(), strings.Split(words, "|"))
		got := ""
		if raw, _ := json.Marshal(answer.Answers); err == nil {
			got = string(raw)
		} else {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: got %s, want %s", words, got, want)
		}
	}
}

// The same in a terminal, step by step, with everything that a stranger wrote made harmless.
func TestAnswer_FormInATerminal(t *testing.T) {
	in, typed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := typed.WriteString("large\n2\n0\n3\n\nyes\n\ngold paper\nc\n\n1\n4\nno\ny\n"); err != nil {
		t.Fatal(err)
	}
	typed.Close()
	var out bytes.Buffer
	a := answerer{t: console.NewTerminal(in, &out)}
	a.t.In = in
	q := orderForm(t)
	answer, err := a.askInTerminal(context.Background(), q)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	raw, _ := json.Marshal(answer.Answers)
	q.State, q.By, q.Answers = "answered", "api", answer.Answers
	q.Values = nil
	text := out.String() + "\n" + string(raw) + "\n" + endOfQuestion(q) + "\n" + letters.OneLine(questionSummary(q)) + "\n" + legibleAnswers(answer.Answers) + "\n"
	if strings.ContainsAny(text, "\x1b\x07") {
		t.Error("a control character reaches the terminal")
	}
	path := filepath.Join("testdata", "answer", "form.txt")
	if *rig.Update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || text != string(want) {
		t.Errorf("the dialogue is not %s; -update writes it anew. %v; it is:\n%s", path, err, text)
	}
}
