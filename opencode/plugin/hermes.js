// Hermes inside OpenCode (1.x): carries this instance's questions and permission asks to the hermes daemon, and hermes' calls back.
//
// It dials out, because a plain TUI listens on no port. It never makes OpenCode wait: no hook awaits anything, every failure is
// swallowed, every request has a deadline, and its timers and sockets do not keep the process alive. It prints nothing: the
// terminal is the TUI's.
//
// Where hermes is and the token: hermes.json beside this file, {"url":"http://127.0.0.1:4097","token":"…"}, read at every attempt.
// Only where there is no such file: HERMES_URL and HERMES_TOKEN, both. (The file wins because a runtime that reads a project's .env
// must not let that project say where the questions go.)

import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import http from "node:http"
import https from "node:https"
import os from "node:os"
import { fileURLToPath } from "node:url"

const HERMES_PLUGIN_VERSION = "1.3.0"
const HERMES_PROTOCOL = 1

const SECOND = 1000
const LIST_WAIT = 3 * SECOND // a listing, in-process
const CALL_WAIT = 30 * SECOND // a call of hermes, in-process
const SEND_WAIT = 10 * SECOND // a request to hermes, other than the long poll
const RETRY_MIN = 1 * SECOND
const RETRY_MAX = 10 * SECOND
const BODY_MAX = 4 << 20 // bytes to hermes, which takes 8 MiB
const CALLS_MAX = 32 << 20 // bytes from hermes: a prompt's files are in its call
const QUEUE_MAX = 500 // events kept while hermes is away; the oldest go first
const BATCH_MAX = 100
const BATCH_BYTES = 1 << 20
const SPOKEN_EVERY = 1 * SECOND // how often a part of a followed session is told at most
const SPOKEN_MAX = 4096 // characters of the end of a text
const SPOKEN_PARTS = 32 // parts that are told of at a time
const FOLLOWED_MAX = 100 // sessions

// The only things that hermes may ask of OpenCode. The ids are checked, so a path cannot reach anything else.
const SES = "(?:ses_[A-Za-z0-9_-]{1,64})"
const MSG = "(?:msg_[A-Za-z0-9_-]{1,64})"
const QUE = "(?:que_[A-Za-z0-9_-]{1,64})"
const PER = "(?:per_[A-Za-z0-9_-]{1,64})"
const ALLOWED = [
  ["GET", "/global/health"],
  ["GET", "/question"],
  ["GET", "/permission"],
  ["GET", "/session/status"],
  ["GET", `/session/${SES}`],
  ["GET", `/session/${SES}/message`],
  ["GET", `/session/${SES}/message/${MSG}`],
  ["GET", "/api/(?:question|permission)/request"],
  ["GET", "/api/session/active"],
  ["GET", `/api/session/${SES}/message/${MSG}`],
  ["POST", `/question/${QUE}/(?:reply|reject)`],
  ["POST", `/permission/${PER}/reply`],
  ["POST", `/api/session/${SES}/question/${QUE}/(?:reply|reject)`],
  ["POST", `/api/session/${SES}/permission/${PER}/reply`],
].map(rule)

// What hermes may ask besides, once it has said that a person may drive the sessions from a chat: prompts and commands, stop, a new
// session, and what is shown of sessions. Never a shell, files, settings or the deletion of anything.
const DRIVING = [
  ["GET", "/session"],
  ["GET", `/session/${SES}/todo`],
  ["GET", "/(?:agent|command|config/providers)"],
  ["POST", "/session", ["title"]],
  ["POST", `/session/${SES}/prompt_async`, ["messageID", "parts", "agent", "model", "noReply"]],
  ["POST", `/session/${SES}/command`, ["messageID", "command", "arguments", "agent", "model"]],
  ["POST", `/session/${SES}/abort`, []],
].map(rule)

// rule: fields are what a body may have, where that is checked.
function rule([method, path, fields]) {
  return { method, path: new RegExp(`^${path}$`), fields }
}

// harmless says whether a driving call's body has nothing but what hermes needs. A file must be in its address: OpenCode would read
// any other from this machine or the network.
function harmless(body, fields) {
  if (body === undefined || body === null) return true
  if (typeof body !== "object" || !Object.keys(body).every((field) => fields.includes(field))) return false
  return [...(body.parts ?? [])].every((part) => {
    if (part?.type === "file") return String(part.url).startsWith("data:") && part.source === undefined
    return part?.type === "text" || part?.type === "agent"
  })
}

// later is setTimeout that does not keep OpenCode from exiting.
function later(ms, run) {
  const timer = setTimeout(run, ms)
  timer?.unref?.()
  return timer
}

// within gives up waiting for promise after ms; what it does goes on.
function within(ms, promise, what) {
  return new Promise((resolve, reject) => {
    const timer = later(ms, () => reject(new Error(`${what} within ${ms / SECOND} s`)))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

// shared is one per OpenCode process: its name, and the link that is alive for each directory.
function shared() {
  return (globalThis[Symbol.for("hermes.opencode.plugin")] ??= { process: randomUUID(), links: new Map() })
}

async function settings() {
  const file = await readFile(fileURLToPath(new URL("./hermes.json", import.meta.url)), "utf8").catch((err) => {
    if (err?.code === "ENOENT") return undefined
    throw err
  })
  const from = file === undefined ? { url: process.env.HERMES_URL, token: process.env.HERMES_TOKEN } : JSON.parse(file)
  const url = new URL(from.url)
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("the URL of hermes must be http or https")
  if (typeof from.token !== "string" || from.token === "") throw new Error("no token for hermes")
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return { url, token: from.token }
}

// send makes one request to hermes and resolves to {status, text}. It follows no redirect and uses no proxy. Its cancel function
// is in running until it ends.
function send(to, running, method, path, payload, ms) {
  return new Promise((resolve, reject) => {
    const url = new URL(path, to.url)
    const headers = { authorization: `Bearer ${to.token}`, accept: "application/json" }
    if (payload !== undefined) {
      headers["content-type"] = "application/json"
      headers["content-length"] = Buffer.byteLength(payload)
    }
    const req = (url.protocol === "https:" ? https : http).request(url, { method, headers, agent: false })
    const end = (err, value) => {
      clearTimeout(timer)
      running.delete(cancel)
      if (!err) return resolve(value)
      reject(err)
      req.destroy()
    }
    const cancel = () => end(new Error("cancelled"))
    const timer = later(ms, () => end(new Error("hermes did not answer in time")))
    running.add(cancel)
    req.on("socket", (socket) => socket?.unref?.())
    req.on("error", (err) => end(err ?? new Error("connection failed")))
    req.on("response", (res) => collect(res, end))
    req.end(payload)
  })
}

function collect(res, end) {
  const chunks = []
  let size = 0
  res.on("data", (chunk) => {
    size += chunk.length
    if (size > CALLS_MAX) return end(new Error("hermes answered too much"))
    chunks.push(chunk)
  })
  res.on("error", (err) => end(err ?? new Error("connection failed")))
  res.on("end", () => end(undefined, { status: res.statusCode, text: Buffer.concat(chunks).toString("utf8") }))
  res.on("close", () => end(new Error("connection closed")))
}

// unexpected is the error of an answer that ends the link; a failed connection has no status.
function unexpected(got) {
  return Object.assign(new Error(`hermes answered ${got.status}`), { status: got.status })
}

// session keeps of a session what names it.
function session(info) {
  if (!info) return undefined
  const archived = info.time?.archived
  return { id: info.id, parentID: info.parentID, title: info.title, directory: info.directory, time: archived ? { archived } : undefined }
}

// slim returns the properties of an event that hermes wants, undefined for all others. OpenCode emits hundreds of events a turn.
function slim(type, p) {
  if (/^(question|permission)\./.test(type)) return p
  switch (type) {
    case "session.idle":
    case "session.status":
    case "session.next.tool.failed":
    case "server.instance.disposed":
      return p
    case "session.error":
      return { sessionID: p.sessionID, error: { name: p.error?.name, data: { message: p.error?.data?.message } } }
    case "session.created":
    case "session.updated":
    case "session.deleted":
      return { sessionID: p.sessionID ?? p.info?.id, info: session(p.info) }
    case "message.part.updated":
      if (p.part?.type !== "tool" || p.part.tool !== "question") return undefined
      return ["completed", "error"].includes(p.part.state?.status) ? { part: p.part } : undefined
  }
  return undefined
}

// settles says whether an event still tells something that a fresh listing does not.
function settles(type) {
  return /^(question|permission)\.(v2\.)?(replied|rejected)$/.test(type) || type === "session.deleted" || type === "message.part.updated"
}

// What a tool call works on, by its input; the best first. hermes has the same for the servers that it reaches directly.
const SUBJECTS = ["command", "filePath", "path", "pattern", "url", "query", "description", "name"]

function subject(input) {
  const text = SUBJECTS.map((name) => input?.[name]).find((value) => typeof value === "string" && value.trim() !== "") ?? ""
  return text.trim().slice(0, 300)
}

// tail is the end of a text that goes on.
function tail(text) {
  return text.length > SPOKEN_MAX ? "…" + text.slice(1 - SPOKEN_MAX) : text
}

// Speech tells what the sessions that hermes follows say, while they say it. OpenCode tells a text in pieces (from 1.2 on) or whole
// at every piece (1.1.53), hundreds of times a second; hermes is told of each part once a second at most, and of the newest state
// alone. It is for display: it waits behind all that hermes must know, and nothing is lost with it.
class Speech {
  constructor(flush) {
    this.flush = flush
    this.reset()
  }

  reset() {
    this.rev = 0 // of what is followed, as hermes counts
    this.sessions = new Set()
    this.parts = new Map() // by id: {session, text} of a text that goes on, {session, told} of a tool call
    this.fresh = new Map() // by part id: makes what hermes was not told yet
    this.due = new Set() // ids of those that it may be told now
    for (const timer of this.timers?.values() ?? []) clearTimeout(timer)
    this.timers = new Map() // by part id, while it was told of less than a second ago
  }

  follow(news) {
    if (!Number.isInteger(news?.rev) || !Array.isArray(news.sessions)) return
    this.rev = news.rev
    this.sessions = new Set(news.sessions.filter((id) => typeof id === "string").slice(0, FOLLOWED_MAX))
    for (const [id, part] of this.parts) if (!this.sessions.has(part.session)) this.leave(id)
  }

  // leave forgets a part that is of no interest any more.
  leave(id) {
    clearTimeout(this.timers.get(id))
    for (const held of [this.parts, this.fresh, this.due, this.timers]) held.delete(id)
  }

  event(type, p) {
    if (this.sessions.size === 0) return
    if (type === "message.part.delta") this.delta(p)
    else if (type === "message.part.updated") this.part(p?.part)
    else if (type === "session.idle" && this.sessions.has(p?.sessionID)) this.over(p.sessionID)
  }

  delta(p) {
    const part = this.sessions.has(p?.sessionID) ? this.parts.get(p.partID) : undefined
    if (part?.text === undefined || p.field !== "text") return // it thinks, or began before
    part.text = tail(part.text + p.delta)
    this.say(p.sessionID, p.messageID, p.partID, () => ({ text: part.text }))
  }

  part(part) {
    if (!this.sessions.has(part?.sessionID)) return
    const say = (what) => this.say(part.sessionID, part.messageID, part.id, what)
    if (part.type === "text" && part.time && !part.synthetic) {
      const text = tail(String(part.text ?? "")) // a prompt's text has no time
      this.keep(part.id, { session: part.sessionID, text })
      say(() => ({ text }))
    } else if (part.type === "tool") {
      const call = { tool: part.tool, title: subject(part.state?.input), status: part.state?.status }
      const told = JSON.stringify(call)
      if (this.parts.get(part.id)?.told === told) return // only its output grows
      this.keep(part.id, { session: part.sessionID, told })
      say(() => call)
    }
  }

  keep(id, part) {
    if (!this.parts.has(id) && this.parts.size >= SPOKEN_PARTS) this.parts.delete(this.parts.keys().next().value)
    this.parts.set(id, part)
  }

  // say tells of a part now, or when a second has passed since it was told of last: what is newest then.
  say(sessionID, messageID, partID, what) {
    if (this.fresh.size >= SPOKEN_PARTS && !this.fresh.has(partID)) return
    this.fresh.set(partID, () => JSON.stringify({ type: "hermes.spoke", properties: { sessionID, messageID, partID, ...what() } }))
    if (!this.timers.has(partID)) this.tell(partID)
  }

  tell(partID) {
    this.due.add(partID)
    const again = () => {
      this.timers.delete(partID)
      if (this.fresh.has(partID)) this.tell(partID)
    }
    this.timers.set(partID, later(SPOKEN_EVERY, again))
    this.flush()
  }

  // take gives the events that hermes is to be told now.
  take() {
    const events = []
    for (const id of this.due) {
      const json = this.fresh.get(id)
      if (json) events.push(json())
      this.fresh.delete(id)
    }
    this.due.clear()
    return events
  }

  // over ends what is of no interest after the session's turn.
  over(session) {
    for (const [id, part] of this.parts) {
      if (part.session !== session) continue
      this.parts.delete(id)
      this.fresh.delete(id)
    }
  }
}

// OpenCode is the plugin's way to OpenCode: its in-process client, for one directory.
class OpenCode {
  constructor(client, directory) {
    this.client = client
    this.directory = directory
    this.version = ""
    this.driven = false // hermes may drive the sessions: it says so whenever it takes the link
  }

  // On 1.1.53 the client given to plugins carries neither the directory nor the password.
  headers(body) {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" }
    const password = process.env.OPENCODE_SERVER_PASSWORD
    if (!password) return headers
    const user = process.env.OPENCODE_SERVER_USERNAME || "opencode"
    headers.Authorization = "Basic " + Buffer.from(`${user}:${password}`).toString("base64")
    return headers
  }

  async ask(method, url, query, body, ms) {
    const directory = this.directory.replaceAll("%", "%25") // it is decoded twice (measured on 1.1.53 and 1.18.33)
    const options = { url, query: { ...query, directory }, headers: this.headers(body) }
    options.parseAs = "text"
    options.throwOnError = false
    if (body !== undefined) options.body = body
    const call = async () => (method === "POST" ? this.client.post(options) : this.client.get(options))
    const got = await within(ms, call(), "no answer from OpenCode")
    if (!got?.response) throw got?.error ?? new Error("no answer from OpenCode")
    const value = got.response.ok ? got.data : got.error
    return {
      status: got.response.status,
      type: got.response.headers?.get?.("content-type") ?? "",
      body: got.response.status === 204 ? "" : typeof value === "string" ? value : JSON.stringify(value ?? null),
    }
  }

  async list(url) {
    const got = await this.ask("GET", url, {}, undefined, LIST_WAIT)
    const value = got.status === 200 ? JSON.parse(got.body) : undefined
    if (!Array.isArray(value)) throw new Error(`GET ${url} gave no list`)
    return value
  }

  async pending() {
    try {
      const [questions, permissions] = await Promise.all([this.list("/question"), this.list("/permission")])
      return { questions, permissions, complete: true }
    } catch {
      return { questions: [], permissions: [], complete: false }
    }
  }

  async learnVersion() {
    try {
      this.version = String(JSON.parse((await this.ask("GET", "/global/health", {}, undefined, LIST_WAIT)).body).version ?? "")
    } catch {}
    return this.version
  }

  hasAPI() {
    const [major, minor] = this.version.split(".").map(Number)
    return major === 0 || major > 1 || (major === 1 && minor >= 16) // nightly builds are called 0.0.0-dev-…
  }

  // refusal says why a call of hermes is not made, undefined if it may be. An old OpenCode passes paths that it does not know on
  // to a server on the internet (measured on 1.1.53), so those must not see a path that came with 1.16.
  refusal(call) {
    const fits = (rule) => rule.method === call.method && rule.path.test(String(call.path))
    const driving = this.driven && DRIVING.find(fits)
    if (!ALLOWED.some(fits) && !driving) return "the hermes plugin does not allow this call"
    if (driving?.fields && !harmless(call.body, driving.fields)) return "the hermes plugin does not allow this call's content"
    if (call.path.startsWith("/api/") && !this.hasAPI()) return "this OpenCode does not have this call"
    for (const [key, value] of Object.entries(call.query ?? {})) {
      const here = (key === "directory" || key === "location[directory]") && value === this.directory
      const limit = key === "limit" && /^[0-9]{1,4}$/.test(value)
      const roots = key === "roots" && value === "true"
      if (!here && !limit && !roots) return `the hermes plugin does not allow this value of ${key.slice(0, 40)}`
    }
    return undefined
  }

  async carryOut(call) {
    let refused = "the hermes plugin does not understand this call"
    try {
      refused = this.refusal(call)
    } catch {}
    if (refused) return { error: refused, refused: true }
    const query = {}
    if (call.query?.limit) query.limit = call.query.limit
    if (call.query?.roots) query.roots = call.query.roots
    if (call.path.endsWith("/request")) query.location = { directory: this.directory }
    try {
      return await this.ask(call.method, call.path, query, call.body ?? undefined, CALL_WAIT)
    } catch (err) {
      return { error: String(err?.message ?? err).slice(0, 300) }
    }
  }
}

// Link keeps one connection to hermes for one plugin instance, for as long as that lives.
class Link {
  constructor(input) {
    this.opencode = new OpenCode(input.client._client, input.directory)
    this.instance = randomUUID()
    this.running = new Set() // cancels of the requests to hermes
    this.queue = [] // events, as {type, json}
    this.titles = new Map()
    this.speech = new Speech(() => this.flush())
    this.open = undefined // {to, id, seen} while hermes knows this link
    this.sending = false
    this.stopped = false
    this.wake = () => {}
  }

  // push queues an event; it returns at once.
  push(type, properties, id) {
    if (this.stopped) return
    const json = JSON.stringify(id ? { id, type, properties } : { type, properties })
    if (json.length > BATCH_BYTES) return
    this.queue.push({ type, json })
    if (this.queue.length > QUEUE_MAX) {
      this.queue.shift()
      this.drop()
    }
    this.flush()
  }

  event(event) {
    this.speech.event(event?.type, event?.properties)
    const properties = slim(event?.type, event?.properties ?? {})
    if (properties === undefined || !this.news(event.type, properties)) return
    this.push(event.type, properties, event.id)
    if (event.type === "server.instance.disposed") this.stop()
  }

  // news is false for a session.updated that changed nothing that names the session.
  news(type, properties) {
    if (type !== "session.created" && type !== "session.updated") return true
    const name = JSON.stringify(properties.info)
    if (this.titles.get(properties.sessionID) === name) return false
    if (this.titles.size > 1000) this.titles.clear()
    this.titles.set(properties.sessionID, name)
    return true
  }

  // flush sends what is queued, in order, one batch at a time. A batch that fails is given up: the link is opened anew, with a
  // fresh listing.
  flush() {
    if (this.sending || !this.open || !this.waits()) return
    this.sending = true
    const open = this.open
    later(0, async () => {
      try {
        while (this.open === open && this.waits()) {
          await this.post(open, "events", this.batch())
        }
      } catch {
        this.drop(open)
      }
      this.sending = false
      this.flush()
    })
  }

  waits() {
    return this.queue.length > 0 || this.speech.due.size > 0
  }

  batch() {
    const batch = []
    let size = 0
    while (this.queue.length > 0 && batch.length < BATCH_MAX && size + this.queue[0].json.length <= BATCH_BYTES) {
      const { json } = this.queue.shift()
      size += json.length
      batch.push(json)
    }
    if (this.queue.length === 0) batch.push(...this.speech.take())
    return `{"events":[${batch.join(",")}]}`
  }

  async post(open, what, payload) {
    const got = await send(open.to, this.running, "POST", `v1/link/${open.id}/${what}`, payload, SEND_WAIT)
    if (got.status !== 200 && got.status !== 204) throw unexpected(got)
  }

  // drop ends the connection, so that run opens it again.
  drop(open = this.open) {
    if (!open || this.open !== open) return
    this.open = undefined
    for (const cancel of [...this.running]) cancel()
  }

  // run opens the link, again and again, until the instance is disposed of. A link that stood longer than the wait before it lets the
  // next one follow soon: hermes was restarted.
  async run() {
    let wait = RETRY_MIN
    while (!this.stopped) {
      const since = Date.now()
      try {
        await this.serve(await this.dial())
      } catch {}
      this.drop()
      if (this.stopped) return
      if (Date.now() - since > wait) wait = RETRY_MIN
      await this.pause(wait * (0.5 + Math.random() / 2))
      wait = Math.min(wait * 2, RETRY_MAX)
    }
  }

  pause(ms) {
    return new Promise((resolve) => {
      this.wake = resolve
      later(ms, resolve)
    })
  }

  // dial opens the link. What was asked before the listing is in the listing, so those events are not sent again.
  async dial() {
    const to = await settings()
    this.queue = this.queue.filter((event) => settles(event.type))
    const version = await this.opencode.learnVersion()
    const pending = await this.opencode.pending()
    if (this.stopped) throw new Error("stopped")
    const got = await send(to, this.running, "POST", "v1/link", this.hello(version, pending), SEND_WAIT)
    const answer = got.status === 200 ? JSON.parse(got.text) : {}
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(answer.link)) throw unexpected(got)
    this.opencode.driven = answer.remote === true
    this.speech.reset()
    const poll = Math.min(Math.max(Number(answer.poll) || 25, 1), 60)
    return { to, id: answer.link, poll, seen: 0, complete: pending.complete }
  }

  hello(version, pending) {
    const who = {
      protocol: HERMES_PROTOCOL,
      plugin: HERMES_PLUGIN_VERSION,
      instance: this.instance,
      process: shared().process,
      pid: process.pid,
      host: os.hostname(),
      directory: this.opencode.directory,
      version,
      time: Date.now(),
    }
    const whole = JSON.stringify({ ...who, ...pending })
    if (Buffer.byteLength(whole) <= BODY_MAX) return whole
    return JSON.stringify({ ...who, questions: [], permissions: [], complete: false })
  }

  // serve polls for calls until hermes no longer knows the link, or cannot be reached a third time in a row.
  async serve(open) {
    if (this.stopped) return this.post(open, "events", this.batch())
    this.open = open
    this.flush()
    if (!open.complete) this.relist(open)
    for (let failed = 0; this.open === open; ) {
      const since = Date.now()
      const { rev } = this.speech
      const calls = await this.poll(open).catch((err) => {
        if (err?.status || ++failed === 3) throw err
      })
      if (!calls) {
        await this.pause(SECOND / 2)
        continue
      }
      failed = 0
      for (const call of calls) this.carryOut(open, call)
      if (calls.length === 0 && rev === this.speech.rev && Date.now() - since < SECOND) await this.pause(SECOND)
    }
  }

  // poll waits for calls. "after" tells hermes which calls have arrived: an answer that was lost on the way is given again. "follow"
  // tells which list of followed sessions the plugin has.
  async poll(open) {
    const path = `v1/link/${open.id}/calls?after=${open.seen}&follow=${this.speech.rev}`
    const got = await send(open.to, this.running, "GET", path, undefined, (open.poll + 10) * SECOND)
    if (got.status === 204) return []
    if (got.status !== 200) throw unexpected(got)
    const { calls, follow } = JSON.parse(got.text)
    if (follow && this.opencode.driven) this.speech.follow(follow)
    const fresh = calls.filter((call) => Number(call.id) > open.seen)
    for (const call of fresh) open.seen = Math.max(open.seen, Number(call.id))
    return fresh
  }

  async carryOut(open, call) {
    const result = await this.opencode.carryOut(call)
    let payload = JSON.stringify({ id: String(call.id), ...result })
    if (Buffer.byteLength(payload) > BODY_MAX) {
      payload = JSON.stringify({ id: String(call.id), error: `OpenCode's answer is larger than ${BODY_MAX >> 20} MiB` })
    }
    for (let attempt = 0; attempt < 3 && this.open === open; attempt++) {
      try {
        return await this.post(open, "results", payload)
      } catch (err) {
        if (err?.status) return this.drop(open)
        await new Promise((resolve) => later(SECOND / 2, resolve))
      }
    }
    this.drop(open)
  }

  // relist makes up for a listing that failed when the link was opened.
  async relist(open) {
    for (let wait = 2 * SECOND; this.open === open; wait = Math.min(wait * 2, RETRY_MAX)) {
      await new Promise((resolve) => later(wait, resolve))
      const pending = await this.opencode.pending()
      if (this.open !== open || !pending.complete) continue
      return this.push("hermes.listed", { questions: pending.questions, permissions: pending.permissions })
    }
  }

  // stop says goodbye, without waiting, and ends everything.
  stop() {
    if (this.stopped) return
    const open = this.open
    this.queue.push({ type: "hermes.closed", json: `{"type":"hermes.closed"}` })
    this.flush()
    this.stopped = true
    this.wake()
    const links = shared().links
    if (links.get(this.opencode.directory) === this) links.delete(this.opencode.directory)
    this.speech.reset()
    later(open ? SECOND : 0, () => this.drop(open))
  }
}

// start replaces an older instance for the same directory (a reload, or a second copy of this file), whose end is not always told.
function start(input) {
  const links = shared().links
  const link = new Link(input)
  links.get(input.directory)?.stop()
  links.set(input.directory, link)
  later(0, () => link.run().catch(() => {}))
  return link
}

// The one export: OpenCode calls every export of this file as a plugin.
export const Hermes = async (input) => {
  try {
    const link = start(input)
    const quietly = (run) => {
      try {
        run()
      } catch {}
    }
    return {
      event: async (input) => quietly(() => link.event(input?.event)),
      // An early sign, before the request exists: it tells hermes that a question is about to be asked.
      "tool.execute.before": async (call, output) =>
        quietly(() => {
          if (call?.tool !== "question") return
          link.push("tool.execute.before", { tool: call.tool, sessionID: call.sessionID, callID: call.callID, args: output?.args })
        }),
      dispose: async () => quietly(() => link.stop()),
    }
  } catch {
    return {}
  }
}
