#!/bin/sh
# Asks on your phone when Claude Code asks for permission. It needs jq, and hermes on
# PATH with a hermes that runs. Copy it to ~/.claude/hooks/, make it executable, and add
# to ~/.claude/settings.json:
#
#   {"hooks": {"PermissionRequest": [{"hooks": [
#     {"type": "command", "command": "~/.claude/hooks/claude-permission.sh", "timeout": 3600}]}]}}
#
# Allow lets this one call run; Deny, or words, which Claude is told, do not. Everything
# else (dismissed, nobody in time, no hermes) decides nothing, so Claude Code's own dialog
# does. When Claude Code ends this script, the question is withdrawn.
set -eu

input=$(cat)
out=$(mktemp)
pid=
trap 'rm -f "$out"' EXIT
trap 'if [ -n "$pid" ]; then kill "$pid" || :; wait "$pid" || :; fi; exit 0' HUP INT TERM

# The whole input of the tool, in which -a spells out what is not ASCII: nothing that
# cannot be seen gets past you.
details=$(printf '%s' "$input" | jq -a '.tool_input')
body=$(printf '%s' "$details" | jq -Rs --arg tool "$(printf '%s' "$input" | jq -r '.tool_name')" \
	--arg project "$(printf '%s' "$input" | jq -r '.cwd // "" | split("/") | last // ""')" '{
	title: "Claude Code: \($project)", context: ., ttl: "55m", on_timeout: "reject",
	questions: [{question_id: "permission", header: "Permission", question: "Allow \($tool)?", allow_text: true,
		options: [{id: "allow", label: "Allow once"}, {id: "deny", label: "Deny"}]}]}')

printf '%s' "$body" | hermes ask --file - --json >"$out" &
pid=$!
wait "$pid" || exit 0

jq -c '.answers[0] | if .selected_option_ids == ["allow"] and .text == null
	then {behavior: "allow"}
	else {behavior: "deny", message: (.text // "Denied by the user, on the phone.")} end
	| {hookSpecificOutput: {hookEventName: "PermissionRequest", decision: .}}' "$out"
