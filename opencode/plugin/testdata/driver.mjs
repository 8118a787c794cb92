// A stand-in for OpenCode around the plugin, for the Go tests. It reads one command a line from stdin and writes what happens, one
// JSON object a line, to stdout. When stdin ends it does nothing more: the process must then end by itself.
//
//	node driver.mjs <hermes.js> <directory>

import { createInterface } from "node:readline"

const [file, directory] = process.argv.slice(2)
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n")

let mode = "good" // or "hang", "throw", "fail"
const listed = { "/question": [], "/permission": [] }

const answers = {
  "/global/health": () => ({ healthy: true, version: process.env.FAKE_VERSION ?? "1.18.33" }),
  "/question": () => listed["/question"],
  "/permission": () => listed["/permission"],
}

// Like the generated client of OpenCode's SDK: {data, response} or {error, response}.
async function request(method, options) {
  say({ asked: { method, ...options } })
  if (mode === "hang") await new Promise(() => {})
  if (mode === "throw") throw new Error("client broken")
  const known = answers[options.url]
  const status = mode === "fail" ? 500 : options.url.includes("gone") ? 404 : 200
  const response = new Response(null, { status, headers: { "content-type": "application/json" } })
  if (status !== 200) return { error: { name: "Error", status }, response }
  return { data: JSON.stringify(known ? known() : true), response }
}

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

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line)
  if (name === "sync") say({ hook: name })
  else if (name === "mode") mode = args[0]
  else if (name === "list") listed[args[0]] = args[1]
  else if (name === "init") hooks = await timed(name, () => plugin({ client: args[0] === "bare" ? {} : client, directory }))
  else if (name === "event") await timed(name, () => hooks.event(args[0]))
  else await timed(name, () => hooks[name](...args))
}
say({ end: true })
