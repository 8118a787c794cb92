#!/usr/bin/env node
// Asks on your phone when Claude Code asks for permission. It needs Node, and hermes on PATH with a hermes that runs. Copy it to
// ~/.claude/hooks/, make it executable, and add to ~/.claude/settings.json:
//
//   {"hooks": {"PermissionRequest": [{"hooks": [
//     {"type": "command", "command": "~/.claude/hooks/claude-permission.mjs", "timeout": 3600}]}]}}
//
// "Allow once" lets this one call run; a rejection, whose note Claude is told, does not. Everything else (nobody in time, no
// hermes) decides nothing, so Claude Code's own dialog does. When Claude Code ends this script, the ask is withdrawn.
//
// To hermes it is a permission ask like one of OpenCode: the same rules hold, by the same kinds, and none that answers questions.

import { spawn } from "node:child_process"
import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { basename, delimiter, isAbsolute, join, relative, sep } from "node:path"

const input = JSON.parse(readFileSync(0, "utf8"))
const tool = String(input.tool_name ?? "")
const given = input.tool_input ?? {}

// OpenCode's words for what Claude Code's tools do; other tools keep their name.
const kinds = {
  Bash: "bash", Read: "read", Edit: "edit", MultiEdit: "edit", Write: "edit", NotebookEdit: "edit",
  WebFetch: "webfetch", WebSearch: "websearch", Glob: "glob", Grep: "grep", Task: "task", Agent: "task", Skill: "skill",
}
const kind = Object.hasOwn(kinds, tool) ? kinds[tool] : tool.replace(/[^A-Za-z0-9._:/-]/g, "_").slice(0, 64)

const text = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2))
const permission = { kind, patterns: [], details: {} }
const told = new Set()
const take = (name) => {
  if (typeof given[name] !== "string" || given[name].trim() === "") return undefined
  told.add(name)
  return given[name]
}

// As OpenCode has it, a file of the project is told from there.
function inProject(file) {
  const inside = relative(input.cwd ?? "", file)
  return isAbsolute(file) && inside !== "" && !isAbsolute(inside) && !inside.split(sep).includes("..") ? inside : file
}

if (kind === "bash") permission.command = take("command")
for (const name of ["file_path", "notebook_path", "url", "query", "pattern", "path"]) {
  const value = take(name)
  if (value !== undefined) permission.patterns.push(name.endsWith("_path") || name === "path" ? inProject(value) : value)
}
if (permission.command !== undefined) permission.patterns.push(permission.command)
if (permission.patterns.length === 0) permission.patterns.push("*")

// What changes, in one piece: hermes puts it into a file where it is long.
if (kind === "edit") {
  const lines = (sign, value) => (typeof value === "string" && value !== "" ? value.split("\n").map((line) => sign + line) : [])
  const written = (e) => ["new_string", "content", "new_source"].find((name) => typeof e?.[name] === "string")
  const edits = Array.isArray(given.edits) ? given.edits : [given]
  permission.diff = edits.flatMap((e) => [...lines("-", e?.old_string), ...lines("+", e?.[written(e)])]).join("\n")
  if (edits[0] === given) for (const name of ["old_string", written(given)]) if (typeof given[name] === "string") told.add(name)
}

// All else that the tool is given. Nothing of it is left out.
for (const [name, value] of Object.entries(given)) if (!told.has(name)) permission.details[name] = text(value) ?? ""

const body = JSON.stringify({
  title: "Claude Code: " + basename(input.cwd ?? ""),
  directory: input.cwd,
  permission,
  ttl: "55m",
  on_timeout: "reject",
})

// Which program hermes is PATH says, and never the project: Windows looks for a bare name in the working folder first, other
// systems do where PATH names it in passing ("." or nothing).
const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
const name = process.platform === "win32" ? "hermes.exe" : "hermes"
const program = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute).map((folder) => join(folder, name)).find(isProgram)
if (!program) {
  console.error("hermes is not in PATH")
  process.exit()
}

const hermes = spawn(program, ["ask", "--file", "-", "--json"], { stdio: ["pipe", "pipe", "inherit"] })
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => hermes.kill("SIGTERM"))
hermes.on("error", (err) => console.error(`hermes cannot be run: ${err.message}`))
hermes.stdin.on("error", () => {})
hermes.stdin.end(body)

let out = ""
hermes.stdout.on("data", (chunk) => (out += chunk))
hermes.on("close", (code) => {
  let result
  try {
    result = JSON.parse(out)
  } catch {
    return
  }
  const decision = decide(code, result)
  if (decision) console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }))
})

// Only the one answer that means it allows, of a hermes that ended as it does then; only a person or a rule denies.
function decide(code, { status, answers, aborted_by: by, note }) {
  const [answer, ...more] = answers ?? []
  const once = answer?.question_id === "permission" && answer.selected_option_ids?.length === 1 && answer.selected_option_ids[0] === "once"
  if (code === 0 && status === "answered" && once && !answer.text && more.length === 0) return { behavior: "allow" }
  if (status === "aborted" && by?.kind === "person") return { behavior: "deny", message: note || "Denied by the user, on the phone." }
  if (status === "aborted" && by?.kind === "rule") return { behavior: "deny", message: `Denied by the user's rule "${by.name}".` }
}
