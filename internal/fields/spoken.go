package fields

import (
	"slices"
	"strings"
)

// Spoken is what a text says in words that stand for a value, in any language that people write to hermes.
func (f Field) Spoken(text string) (value string, ok bool) {
	word := strings.ToLower(strings.TrimRight(strings.TrimSpace(text), ".!\u3002\uff01"))
	yes := slices.Contains([]string{"yes", "y", "true", "ok", "on", "是", "是的", "对", "好", "好的"}, word)
	switch {
	case f.Kind == Boolean && yes:
		return True, true
	case f.Kind == Boolean && slices.Contains([]string{"no", "n", "false", "off", "否", "不", "不是", "不要"}, word):
		return False, true
	case f.Kind == External && slices.Contains([]string{"done", "完成", "已完成"}, word):
		return True, true
	}
	return "", false
}
