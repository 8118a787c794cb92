// A stand-in for OpenCode around the plugin, for the Go tests. It reads one command a line from stdin and writes what happens, one
// JSON object a line, to stdout. When stdin ends it does nothing more: the process must then end by itself.
//
//	node driver.mjs <hermes.js> <directory>

import http from "node:http"
import { createInterface } from "node:readline"

const [file, named] = process.argv.slice(2)
const directory = process.env.DIRECTORY ?? named
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n")

// Bun, under which OpenCode runs plugins, does not say whether a request goes over a kept connection (measured on 1.3.5 and 1.3.14).
if (process.env.LIKE_BUN) {
  const { request } = http
  http.request = (...args) => Object.defineProperty(request(...args), "reusedSocket", { get: () => undefined, set: () => {} })
}

let mode = "good" // or "hang", "slow", "throw", "fail"
let running = 0
let most = 0 // requests at a time
const listed = { "/question": [], "/permission": [] }

// What OpenCode answers. Nothing with SECRET in it is for hermes.
const session = { id: "ses_1", parentID: "ses_0", title: "T", directory: "/d", slug: "SECRET", time: { created: 1, updated: 2 }, share: { url: "SECRET" } }
const call = (extra) => ({
  id: "prt_1", sessionID: "ses_1", messageID: "msg_2", callID: "call_1", type: "tool", tool: "bash", metadata: "SECRET",
  state: {
    status: "error", error: "refused", input: { command: "ls" }, output: "SECRET", title: "SECRET", raw: "SECRET", time: { start: 1 },
    metadata: { answers: [["yes"]], output: "SECRET" },
  },
  ...extra,
})
const message = (role, parts) => ({
  info: {
    id: "msg_2", sessionID: "ses_1", role, parentID: "msg_1", agent: "build", mode: "build", providerID: "p", modelID: "m", system: "SECRET",
    model: { providerID: "p", modelID: "m", variant: "SECRET" }, path: { cwd: "SECRET" }, time: { created: 1, completed: 2 }, cost: 0.5,
    tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 }, total: 15 },
    error: { name: "E", data: { message: "why", responseBody: "SECRET", responseHeaders: { a: "SECRET" } } },
    summary: role === "user" ? { title: "SECRET", diffs: [{ file: "f", additions: 1, deletions: 2, patch: "@@", status: "SECRET" }] } : true,
  },
  parts,
})
const parts = [
  { id: "prt_0", type: "text", text: "words", synthetic: false, metadata: { a: "SECRET" }, time: { start: 1 } },
  { id: "prt_2", type: "reasoning", text: "SECRET" },
  { id: "prt_3", type: "file", url: "SECRET", filename: "SECRET" },
  call(),
]
const asked = {
  id: "per_1", sessionID: "ses_1", permission: "bash", patterns: ["ls"], always: ["ls *"], metadata: { command: "ls", nested: { a: [1] } },
  tool: { messageID: "msg_2", callID: "call_1", more: "SECRET" }, more: "SECRET",
}
const question = {
  id: "que_1", sessionID: "ses_1", tool: { messageID: "msg_2", callID: "call_1" }, more: "SECRET",
  questions: [{ question: "Q", header: "H", options: [{ label: "L", description: "D", more: "SECRET" }], multiple: true, custom: false, more: "SECRET" }],
}
const whole = { "/question": [question], "/permission": [asked] } // what is listed where a test does not say what
const options = { apiKey: "SECRET", headers: { authorization: "SECRET" }, baseURL: "SECRET" }

const answers = {
  "/global/health": () => ({ healthy: true, version: process.env.FAKE_VERSION ?? "1.18.33", more: "SECRET" }),
  "/question": () => listed["/question"],
  "/permission": () => listed["/permission"],
  "/session/status": () => ({ ses_1: { type: "retry", attempt: 1, message: "SECRET" } }),
  "/session/ses_1": () => session,
  "/session": () => [session],
  "/session/ses_1/message": () => [message("user", parts), message("assistant", parts)],
  "/session/ses_1/message/msg_1": () => message("assistant", parts),
  "/session/ses_1/todo": () => [{ id: "SECRET", content: "do", status: "pending", priority: "SECRET" }],
  "/agent": () => [{ name: "build", mode: "primary", hidden: false, prompt: "SECRET", permission: [{ pattern: "SECRET" }], options, model: { providerID: "SECRET" } }],
  "/command": () => [
    { name: "say", description: "SECRET", template: "SECRET $ARGUMENTS, `$1` and mail@SECRET", hints: ["$ARGUMENTS"], agent: "SECRET" },
    { name: "plain", template: "No place" }, { name: "shell", template: "!`git log $1`" }, { name: "shells", template: "!`date`, and\n!`a\n$ARGUMENTS`" },
    { name: "file", template: "See @docs/$1.md" }, { name: "any", template: "See @$ARGUMENTS" }, { name: "home", template: "(@~/.$2)" },
    { name: "mcp", template: {} }, { name: "fixed", template: "!`date` @AGENTS.md $ARGUMENTS" },
  ],
  "/config/providers": () => ({
    providers: [{ id: "p", name: "P", key: "SECRET", env: ["SECRET"], options, models: { m: { id: "m", headers: { a: "SECRET" }, options }, constructor: options } }],
    default: { p: "SECRET" },
  }),
  "POST /session": () => session,
  "POST /session/ses_1/command": () => message("assistant", parts),
  "POST /session/ses_1/prompt_async": () => undefined,
}

// Like the generated client of OpenCode's SDK: {data, response} or {error, response}.
async function request(method, options) {
  say({ asked: { method, ...options } })
  most = Math.max(most, ++running)
  try {
    return await answer(method, options)
  } finally {
    running--
  }
}

async function answer(method, options) {
  const { url } = options
  if (mode === "hang") await new Promise(() => {})
  if (mode === "slow") await new Promise((resolve) => setTimeout(resolve, 5))
  if (mode === "throw") throw new Error("client broken")
  if (process.env.INPROCESS && url !== "/global/health") return forward(method, options)
  const known = answers[method === "GET" ? url : "POST " + url] ?? (method === "POST" ? () => true : undefined)
  const status = mode === "fail" ? 500 : url.includes("gone") || !known ? 404 : known() === undefined ? 204 : 200
  const response = new Response(null, { status, headers: { "content-type": "application/json" } })
  if (status >= 300) return { error: { name: "Error", status, more: "SECRET" }, response }
  return { data: JSON.stringify(known()), response }
}

// forward lets an OpenCode answer what the in-process client asks.
async function forward(method, { url, query, headers, body }) {
  const response = await fetch(`${process.env.INPROCESS}${url}?${new URLSearchParams(query)}`, { method, headers, body: body && JSON.stringify(body) })
  const text = await response.text()
  return response.ok ? { data: text, response } : { error: text, response }
}

// Where the process listens; in one that does not, a made-up address, made anew at every look.
const listening = process.env.SERVER && new URL(process.env.SERVER)

// held is how long the process has worked at most, since it was asked last, without letting other work in: milliseconds of its own
// time, whatever else the machine does.
let held = 0
let used = process.cpuUsage()
setInterval(() => {
  const { user, system } = process.cpuUsage(used)
  used = process.cpuUsage()
  held = Math.max(held, (user + system) / 1000)
}, 10).unref()

const client = { _client: { get: (o) => request("GET", o), post: (o) => request("POST", o) } }

async function timed(name, run) {
  const start = performance.now()
  let threw = false
  const value = await run().catch(() => (threw = true))
  say({ hook: name, ms: performance.now() - start, threw })
  return value
}

const module = await import(file)
const exported = Object.values(module)
say({ exports: exported.map((e) => Object.prototype.toString.call(e)) })
const plugin = exported[0]
let hooks
const instances = [] // the hooks of each

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line)
  if (name === "sync") {
    say({ hook: name, ms: 0, held, most })
    held = most = 0
  } else if (name === "mode") await timed(name, async () => (mode = args[0]))
  else if (name === "list") listed[args[0]] = args[1] ?? whole[args[0]]
  else if (name === "instance") hooks = instances[args[0]]
  else if (name === "init") {
    hooks = await timed(name, () => plugin({ client: args[0] === "bare" ? {} : client, directory, get serverUrl() { return listening || new URL("http://localhost:4096") } }))
    instances.push(hooks)
  }
  else if (name === "event") await timed(name, () => hooks.event(args[0]))
  else await timed(name, () => hooks[name](...args))
}
say({ end: true })
