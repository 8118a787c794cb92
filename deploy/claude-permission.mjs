#!/usr/bin/env node
// Asks on your phone when Claude Code asks for permission. It needs Node, and hermes on PATH with a hermes that runs. Copy it to
// ~/.claude/hooks/, make it executable, and add to ~/.claude/settings.json:
//
//   {"hooks": {"PermissionRequest": [{"hooks": [
//     {"type": "command", "command": "~/.claude/hooks/claude-permission.mjs", "timeout": 3600}]}]}}
//
// Allow lets this one call run; Deny, or words, which Claude is told, do not. Everything else (dismissed, nobody in time, no
// hermes) decides nothing, so Claude Code's own dialog does. When Claude Code ends this script, the question is withdrawn.

import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename } from "node:path"

const input = JSON.parse(readFileSync(0, "utf8"))

// The whole input of the tool, with everything that is not ASCII spelled out: nothing that cannot be seen gets past you.
const details = JSON.stringify(input.tool_input, null, 2).replace(/[^\x00-\x7f]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"))

const body = JSON.stringify({
  title: "Claude Code: " + basename(input.cwd ?? ""),
  context: details,
  ttl: "55m",
  on_timeout: "reject",
  questions: [{
    question_id: "permission",
    header: "Permission",
    question: `Allow ${input.tool_name}?`,
    allow_text: true,
    options: [{ id: "allow", label: "Allow once" }, { id: "deny", label: "Deny" }],
  }],
})

const hermes = spawn("hermes", ["ask", "--file", "-", "--json"], { stdio: ["pipe", "pipe", "inherit"] })
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => hermes.kill("SIGTERM"))
hermes.on("error", (err) => console.error(`hermes cannot be run: ${err.message}`))
hermes.stdin.on("error", () => {})
hermes.stdin.end(body)

let out = ""
hermes.stdout.on("data", (chunk) => (out += chunk))
hermes.on("close", (code) => {
  if (code !== 0) return
  const { selected_option_ids: picked, text } = JSON.parse(out).answers[0]
  const allowed = picked.length === 1 && picked[0] === "allow" && !text
  const decision = allowed ? { behavior: "allow" } : { behavior: "deny", message: text ?? "Denied by the user, on the phone." }
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }))
})
