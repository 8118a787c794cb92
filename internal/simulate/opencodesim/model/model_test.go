package model_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/simulate/opencodesim/model"
)

func TestParse(t *testing.T) {
	cases := []struct {
		prompt string
		want   []model.Action
	}{
		{"hello", []model.Action{{Text: "You said: hello"}}},
		{"CALL question", []model.Action{{Text: "You said: CALL question"}}},
		{"CALL question nonsense", []model.Action{{Text: "You said: CALL question nonsense"}}},
		{`CALL question {"a":1}`, []model.Action{{Tool: "question", Args: json.RawMessage(`{"a":1}`)}}},
		{"please\nCALL a {}\nCALL b {}\n", []model.Action{
			{Tool: "a", Args: json.RawMessage(`{}`)}, {Tool: "b", Args: json.RawMessage(`{}`)},
		}},
		{"CALL a {}\nSAY I look.", []model.Action{{Text: "I look."}, {Tool: "a", Args: json.RawMessage(`{}`)}}},
		{"SAY nothing else", []model.Action{{Text: "You said: SAY nothing else"}}},
		{"WAIT 2s\nhello", []model.Action{{Text: "You said: WAIT 2s\nhello", Delay: 2 * time.Second}}},
		{"FAIL 500 2\nCALL a {}", []model.Action{{Tool: "a", Args: json.RawMessage(`{}`), Status: 500, Times: 2}}},
		{`TASK asker CALL question {}`, []model.Action{{Tool: "task", Args: json.RawMessage(
			`{"description":"sub task","prompt":"CALL question {}","subagent_type":"asker"}`)}}},
	}
	for _, tc := range cases {
		if got := model.Parse(tc.prompt); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%q: got %v, want %v", tc.prompt, got, tc.want)
		}
	}
}

func post(m *model.Model, body string) string {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(body)))
	text, _ := io.ReadAll(w.Result().Body)
	return string(text)
}

func TestPromptCallsTool(t *testing.T) {
	got := post(model.New(), `{"model":"m","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"CALL question {\"x\":1}"}]}]}`)
	for _, want := range []string{`"name":"question"`, `"arguments":"{\"x\":1}"`, `"finish_reason":"tool_calls"`, "data: [DONE]"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

const afterTool = `{"messages":[{"role":"user","content":"CALL question {}"},
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"question","arguments":"{}"}}]},
	{"role":"tool","tool_call_id":"c1","content":"Blue"}]}`

func TestResultIsEchoedAndRecorded(t *testing.T) {
	m := model.New()
	var got struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal([]byte(post(m, afterTool)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Choices[0].Message.Content != "TOOLRESULT<<Blue>>" {
		t.Errorf("said %q", got.Choices[0].Message.Content)
	}
	post(m, afterTool)
	want := []model.Result{{CallID: "c1", Tool: "question", Text: "Blue"}}
	if got := m.Results(); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %v, want %v", got, want)
	}
}

func TestTitle(t *testing.T) {
	got := post(model.New(), `{"messages":[{"role":"system","content":"You are a title generator. You output ONLY a thread title."},
		{"role":"user","content":"CALL question {}"}]}`)
	if !strings.Contains(got, model.Title) || strings.Contains(got, "tool_calls\"") {
		t.Errorf("answered %s", got)
	}
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model.New()
		done := make(chan error)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := m.AwaitResult(ctx, "question", func(text string) bool { return text == "Blue" })
			done <- err
		}()
		synctest.Wait()
		post(m, afterTool)
		if err := <-done; err != nil {
			t.Error(err)
		}
		cancel()
		never := func([]model.Request) bool { return false }
		if err := m.Await(ctx, never); err == nil || !strings.Contains(err.Error(), "among 1") {
			t.Errorf("a cancelled wait gave %v", err)
		}
	})
}

func TestManner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model.New()
		ask := func() int {
			w := httptest.NewRecorder()
			m.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions",
				strings.NewReader(`{"messages":[{"role":"user","content":"WAIT 2s\nFAIL 503 1"}]}`)))
			return w.Code
		}
		start := time.Now()
		if first, second := ask(), ask(); first != 503 || second != 200 || time.Since(start) != 4*time.Second {
			t.Errorf("answered %d and %d after %v", first, second, time.Since(start))
		}
	})
}

func TestPicturesAreRecorded(t *testing.T) {
	m := model.New()
	post(m, `{"messages":[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}]}`)
	got := m.Requests()[0].Messages[0]
	if got.Text != "look\n" || len(got.Images) != 1 || got.Images[0] != "data:image/png;base64,AA==" {
		t.Errorf("recorded %+v", got)
	}
}
