// Hermes inside OpenCode (1.x): carries this instance's questions and permission asks to the hermes daemon, and hermes' calls back.
//
// It dials out, because a plain TUI listens on no port. It never makes OpenCode wait: no hook awaits anything, every failure is
// swallowed, every request has a deadline, and its timers and sockets do not keep the process alive. It prints nothing: the
// terminal is the TUI's. Only that hermes refuses it, it says: once in OpenCode's log, and as a toast, then and when the agent works next.
//
// Where hermes is and the token: hermes.json beside this file, {"url":"http://127.0.0.1:4097","token":"…"}, read at every attempt.
// Several hermes that share a store have an address each: all of them are in "urls" there, and "url" is the first. One of them acts, the
// others are standbys. The token is sent to these addresses alone, whatever a standby says of another one.
// Only where there is no such file: HERMES_URL (several with commas between) and HERMES_TOKEN, both. (The file wins because a runtime that
// reads a project's .env must not let that project say where the questions go.)

import { randomUUID } from "node:crypto"
import { readFile, readlink, realpath } from "node:fs/promises"
import http from "node:http"
import https from "node:https"
import os from "node:os"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

const HERMES_PLUGIN_VERSION = "1.8.0"
const HERMES_PROTOCOL = 1

const SECOND = 1000
const LIST_WAIT = 3 * SECOND // a listing, in-process
const CALL_WAIT = 30 * SECOND // a call of hermes, in-process
const COMMAND_WAIT = 3 * SECOND // the same for a command, which answers at the end of its turn: hermes waits for 2 s
const CALLS_AT_ONCE = 8 // calls of hermes that run at a time; the next ones are fetched when those before have begun
const CALL_QUEUED = 5 * SECOND // how long a call waits for others to end: hermes takes a link for lost that is not polled for 10 s
const CALLS_PER_POLL = 32 // calls that are taken from one answer; hermes hands the others out again
const SEND_WAIT = 10 * SECOND // a request to hermes, other than the long poll
const TELL_AFTER = 3 * SECOND // a terminal that starts shows no toast before
const TOAST = 20 * SECOND
const RETRY_MIN = 1 * SECOND
const RETRY_MAX = 10 * SECOND
const SEEK_MIN = SECOND / 4 // between two looks at an address, where there are several
const SEEK_MAX = 1 * SECOND // the same, of a standby: it may take over
const SEEK_FOR = 10 * SECOND // then the addresses are read again
const PING_EVERY = 2 * SECOND // while a link is open, where there are several addresses
const PING_WAIT = 3 * SECOND // a hermes that does not answer so long is left for another one
const BODY_MAX = 4 << 20 // bytes to hermes, which takes 8 MiB
const CALLS_MAX = 32 << 20 // bytes from hermes: a prompt's files are in its call
const VALUES_MAX = 50_000 // values in one answer of hermes, which are counted before they are decoded
const QUEUE_MAX = 500 // events kept while hermes is away; the oldest go first
const BATCH_MAX = 100
const BATCH_BYTES = 1 << 20
const IDLE_MAX = 90 * SECOND // a connection to hermes without a request; hermes closes it after 120 s
const TURNS_MAX = 1000 // sessions of which it is kept what was said last
const SPOKEN_EVERY = 1 * SECOND // how often a part of a followed session is told at most
const SPOKEN_MAX = 4096 // characters of the end of a text
const SPOKEN_PARTS = 32 // parts that are told of at a time
const FOLLOWED_MAX = 100 // sessions
const LINKS_WAIT = 1 * SECOND // for a look at the files of an edit
const SAID_MAX = 1200 // characters of the end of what an agent wrote before it asks

// What hermes may ask of OpenCode, and what of the answer it is given. Everything else is refused, and nothing else crosses: a call's
// path, query and body are checked against what hermes sends, field by field, and an answer is reduced to what hermes reads.

// Checks of what comes: each is a function that says whether a value is of the form.
const text = (most) => (v) => typeof v === "string" && v.length <= most
const like = (pattern) => (v) => typeof v === "string" && pattern.test(v)
const flag = (v) => typeof v === "boolean"
const nothing = (v) => v === undefined || v === null
const list = (fits, most) => (v) => Array.isArray(v) && v.length <= most && v.every(fits)
const object = (needed, optional) => (v) => {
  if (v === null || typeof v !== "object" || Array.isArray(v)) return false
  const fields = { ...needed, ...optional }
  const known = Object.keys(v).every((name) => Object.hasOwn(fields, name) && fields[name](v[name]))
  return known && Object.keys(needed).every((name) => Object.hasOwn(v, name))
}

// The ids are checked to the last character: one with a slash reaches other paths, and 1.1.53 writes a message into a file of its
// id's name, wherever that is (measured).
const SES = "ses_[A-Za-z0-9_-]{1,64}"
const MSG = "msg_[A-Za-z0-9_-]{1,64}"
const QUE = "que_[A-Za-z0-9_-]{1,64}"
const PER = "per_[A-Za-z0-9_-]{1,64}"
const TEXT_MAX = 16 << 20 // characters
const NAME = like(/^[^\x00-\x1f\x7f]{1,200}$/)
const SESSION_ID = like(new RegExp(`^${SES}$`))
const MESSAGE_ID = like(new RegExp(`^${MSG}$`))
const PART_ID = like(/^prt_[A-Za-z0-9_-]{1,64}$/)

const ANSWERS = object({ answers: list(list(text(TEXT_MAX), 1000), 100) })
const DECISION = object({ reply: like(/^(?:once|always|reject)$/) }, { message: text(TEXT_MAX) })
const NEW_SESSION = object({}, { title: like(/^[^\x00-\x1f\x7f]{0,200}$/) })
const MODEL = object({ providerID: NAME, modelID: NAME })

// A file must be in its address: OpenCode would read any other from this machine or the network.
const DATA = /^data:([a-z0-9.+-]{1,100}\/[a-z0-9.+-]{1,100});base64,[A-Za-z0-9+/]*={0,2}$/
const FILE = object({ type: like(/^file$/), mime: text(201), url: like(DATA) }, { id: PART_ID, filename: text(1000) })
const TEXT = object({ type: like(/^text$/), text: text(TEXT_MAX) }, { id: PART_ID })
const MENTION = object({ type: like(/^agent$/), name: NAME }, { id: PART_ID })
const PART = (v) => TEXT(v) || MENTION(v) || (FILE(v) && v.url.startsWith(`data:${v.mime};`))

const PROMPT = object({ messageID: MESSAGE_ID, parts: list(PART, 500) }, { agent: NAME, model: MODEL, noReply: flag })
const COMMAND = object({ messageID: MESSAGE_ID, command: NAME, arguments: text(TEXT_MAX) }, { agent: NAME, model: NAME })

// What hermes reads of answers and events. A shape is true for a text, a number or a flag, [shape] for a list, {name: shape} for an
// object of which only these fields are kept, {"*": shape} for one of which all are, or a function that makes what is kept.
function pick(shape, value) {
  if (typeof shape === "function") return shape(value)
  if (value === undefined || value === null) return value
  if (shape === true) return typeof value === "object" ? undefined : value
  if (Array.isArray(shape)) return Array.isArray(value) ? value.map((one) => pick(shape[0], one)) : undefined
  if (typeof value !== "object" || Array.isArray(value)) return undefined
  const every = shape["*"]
  const names = Object.keys(every === undefined ? shape : value).filter((name) => Object.hasOwn(value, name))
  const kept = names.map((name) => [name, pick(every ?? shape[name], value[name])])
  return Object.fromEntries(kept.filter(([, one]) => one !== undefined))
}

const whole = (value) => value
// said keeps a text, or these fields of an object: a field that has two forms.
const said = (fields) => (value) => pick(value !== null && typeof value === "object" ? fields : true, value)

const ITEM = { question: true, header: true, options: [{ label: true, description: true }], multiple: true, custom: true }
const TOOL = { messageID: true, callID: true }
const QUESTION = { id: true, sessionID: true, questions: [ITEM], tool: TOOL }
// What an ask says of itself is shown to people: all of it crosses, with what the agent wrote.
const PERMISSION = {
  id: true, sessionID: true, permission: true, patterns: [true], always: [true], tool: TOOL,
  action: true, resources: [true], save: [true], source: TOOL, metadata: whole,
}
const PERMISSIONS = [PERMISSION]
const SESSION = { id: true, parentID: true, title: true, directory: true, time: { updated: true, archived: true } }
const ERROR = { name: true, data: { message: true } }
const CALL = {
  id: true, sessionID: true, callID: true, type: true, tool: true,
  state: { status: true, error: said({ message: true }), metadata: { answers: [[true]] }, structured: { answers: [[true]] } },
}
const DIFF = { file: true, additions: true, deletions: true, patch: true, before: true, after: true }
const INFO = {
  id: true, role: true, parentID: true, agent: true, mode: true, providerID: true, modelID: true,
  model: { providerID: true, modelID: true }, time: { created: true, completed: true }, error: ERROR, cost: true,
  tokens: { input: true, output: true, reasoning: true, cache: { read: true, write: true } }, summary: said({ diffs: [DIFF] }),
}

// Of the messages in a list hermes reads what the agent said, and how its calls ended.
function message(m) {
  const spoken = { type: true, text: true, synthetic: true }
  const part = (p) => pick(p?.type === "tool" ? CALL : p?.type === "text" && m?.info?.role === "assistant" ? spoken : { type: true }, p)
  return pick({ info: INFO, parts: [part] }, m)
}

// Of one message it reads the calls: the input is what a permission ask is about.
function asking(m) {
  const part = (p) => pick(p?.type === "tool" ? { ...CALL, state: { ...CALL.state, input: whole } } : { type: true }, p)
  return pick({ info: INFO, parts: [part], data: { agent: true, content: [part] } }, m)
}

const DIRECTORY = ["directory"]
const LOCATION = ["location[directory]"]
const get = (path, answer, query = DIRECTORY) => ({ method: "GET", path: new RegExp(`^${path}$`), query, body: nothing, answer })
const post = (path, body, answer = true) => ({ method: "POST", path: new RegExp(`^${path}$`), query: DIRECTORY, body, answer })

// OpenCode's protocols: the routes by which their asks are listed, looked up and answered, and the events that tell of those asks.
// hermes has the same in opencode/v1 and opencode/v2. What is of this shape ends an ask:
const SETTLED = { sessionID: true, requestID: true, answers: [[true]], reply: true }

// Ordinary sessions.
const V1 = {
  routes: [
    get("/question", [QUESTION]),
    get("/permission", PERMISSIONS),
    get(`/session/${SES}/message`, [message], ["directory", "limit"]),
    get(`/session/${SES}/message/${MSG}`, asking),
    post(`/question/${QUE}/reply`, ANSWERS),
    post(`/question/${QUE}/reject`, nothing),
    post(`/permission/${PER}/reply`, DECISION),
  ],
  events: {
    "question.asked": QUESTION,
    "question.replied": SETTLED,
    "question.rejected": SETTLED,
    "permission.asked": PERMISSION,
    "permission.replied": SETTLED,
  },
}

// Sessions that were made under /api (1.16 and later).
const V2 = {
  routes: [
    get("/api/question/request", { data: [QUESTION] }, LOCATION),
    get("/api/permission/request", { data: PERMISSIONS }, LOCATION),
    get("/api/session/active", { data: { "*": {} } }, []),
    get(`/api/session/${SES}/message/${MSG}`, asking),
    post(`/api/session/${SES}/question/${QUE}/reply`, ANSWERS),
    post(`/api/session/${SES}/question/${QUE}/reject`, nothing),
    post(`/api/session/${SES}/permission/${PER}/reply`, DECISION),
  ],
  events: {
    "question.v2.asked": QUESTION,
    "question.v2.replied": SETTLED,
    "question.v2.rejected": SETTLED,
    "permission.v2.asked": PERMISSION,
    "permission.v2.replied": SETTLED,
    "session.next.tool.failed": { sessionID: true },
  },
}

const PROTOCOLS = [V1, V2]

const ALLOWED = [
  get("/global/health", { healthy: true, version: true }, []),
  get("/session/status", { "*": { type: true } }),
  get(`/session/${SES}`, SESSION),
  ...PROTOCOLS.flatMap((p) => p.routes),
]

// What hermes may ask besides, once it has said that a person may drive the sessions from a chat: prompts and commands, stop, a new
// session, and what is shown of sessions. Never a shell, files, settings or the deletion of anything.
const DRIVING = [
  get("/session", [SESSION], ["directory", "roots", "limit"]),
  get(`/session/${SES}/todo`, [{ content: true, status: true }]),
  get("/agent", [{ name: true, mode: true, hidden: true }]),
  get("/command", [(c) => ({ name: String(c?.name), text: takesText(c?.template) })]),
  get("/config/providers", { providers: [{ id: true, models: { "*": {} } }] }),
  post("/session", NEW_SESSION, SESSION),
  post(`/session/${SES}/prompt_async`, PROMPT),
  post(`/session/${SES}/command`, COMMAND, () => null),
  post(`/session/${SES}/abort`, nothing),
]

// OpenCode puts a command's text into the template and then looks at what has come of it: it runs every !`…` in a shell and reads
// every @file, and asks for no permission (measured on 1.1.53 and 1.18.33). So a text may have no sign that means something there.
// An ! is one too, because a ` may follow in the template; and $ stands for other text. hermes has the same rules.
const SIGNS = /[`!@$]/
const RUNS = /!`[^`]+`/g
const READS = /(?<![\w`])@\.?[^\s`,.]*(?:\.[^\s`,.]+)*/g

// takesText says whether a command may be given a text: where that is put into a line for the shell or a file's name, it may not.
// The template of an MCP server's prompt is not known before it is run.
function takesText(template) {
  if (typeof template !== "string") return false
  const put = template.replace(/\$(?:\d+|ARGUMENTS)/g, "\uE000")
  return ![...put.matchAll(RUNS), ...put.matchAll(READS)].some(([found]) => found.includes("\uE000"))
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
  const from = file === undefined ? { urls: process.env.HERMES_URL?.split(",").filter(Boolean), token: process.env.HERMES_TOKEN } : JSON.parse(file)
  const given = Array.isArray(from.urls) && from.urls.length > 0 ? from.urls : [from.url]
  const urls = [...new Set(given.map((one) => addressOfHermes(one).href))]
  if (typeof from.token !== "string" || from.token === "") throw new Error("no token for hermes")
  return { urls: urls.map((one) => new URL(one)), token: from.token }
}

function addressOfHermes(text) {
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("the URL of hermes must be http or https")
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

// Counter counts the values of a JSON text while it arrives, at least those behind a sign. What has more than hermes ever sends would
// take long to decode, and much memory.
class Counter {
  constructor() {
    this.values = 0
    this.quoted = false // within a text
    this.escaped = false // behind its \
  }

  // few takes in the next bytes, and says whether there are few values up to there.
  few(bytes) {
    for (const c of bytes) {
      if (this.escaped) this.escaped = false
      else if (this.quoted && c === 0x5c) this.escaped = true
      else if (c === 0x22) this.quoted = !this.quoted
      else if (!this.quoted && (c === 0x2c || c === 0x5b || c === 0x7b)) this.values++
    }
    return this.values <= VALUES_MAX
  }
}

// Connections to hermes are kept: a new one takes a round trip, with TLS three.
const kept = { keepAlive: true, maxFreeSockets: 2, timeout: IDLE_MAX }
const AGENTS = { "http:": new http.Agent(kept), "https:": new https.Agent(kept) }

// send makes one request to hermes and resolves to {status, type, text}. hermes may close a kept connection in the moment in which it
// is used again; then the request is made once more. Bun does not say whether a connection was kept (measured on 1.3.5 and 1.3.14): there
// every request that fails without an answer is made once more. That it was carried out all the same does no harm: hermes takes every request of
// a link twice.
async function send(to, running, method, path, payload, ms) {
  const headers = { authorization: `Bearer ${to.token}`, accept: "application/json" }
  if (payload !== undefined) headers["content-type"] = "application/json"
  const over = (agents) =>
    exchange(new URL(path, to.url), running, method, headers, payload, ms, { who: "hermes", counter: new Counter(), most: CALLS_MAX }, agents)
  try {
    return await over(AGENTS)
  } catch (err) {
    if (!err?.stale) throw err
    return over({})
  }
}

// exchange makes one request. It follows no redirect and uses no proxy. Its cancel function is in running until it ends. Of an answer
// it takes as much as its limits say. agents are those whose connections it may use.
function exchange(url, running, method, headers, payload, ms, limits, agents = {}) {
  return new Promise((resolve, reject) => {
    if (payload !== undefined) headers["content-length"] = Buffer.byteLength(payload)
    const req = (url.protocol === "https:" ? https : http).request(url, { method, headers, agent: agents[url.protocol] ?? false })
    const end = (err, value) => {
      clearTimeout(timer)
      running.delete(cancel)
      if (!err) return resolve(value)
      reject(err)
      req.destroy()
    }
    const cancel = () => end(new Error("cancelled"))
    const timer = later(ms, () => end(new Error(`${limits.who} did not answer in time`)))
    running.add(cancel)
    req.on("socket", (socket) => socket?.unref?.())
    let answered = false
    req.on("error", (err) => end(Object.assign(err ?? new Error("connection failed"), { stale: req.reusedSocket !== false && !answered && running.has(cancel) })))
    req.on("response", (res) => {
      answered = true
      collect(res, limits, end)
    })
    req.end(payload)
  })
}

function collect(res, limits, end) {
  const chunks = []
  let size = 0
  res.on("data", (chunk) => {
    size += chunk.length
    if (size > limits.most || limits.counter?.few(chunk) === false) return end(new Error(`${limits.who} answered too much`))
    chunks.push(chunk)
  })
  res.on("error", (err) => end(err ?? new Error("connection failed")))
  res.on("end", () => end(undefined, { status: res.statusCode, type: res.headers["content-type"] ?? "", text: Buffer.concat(chunks).toString("utf8") }))
  res.on("close", () => end(new Error("connection closed")))
}

// unexpected is the error of an answer that ends the link; a failed connection has no status.
function unexpected(got) {
  return Object.assign(new Error(`hermes answered ${got.status}`), { status: got.status, text: got.text })
}

// isStandby says whether an answer is that of a hermes that does not act. What it says of another address is of no interest.
function isStandby(got) {
  try {
    return got.status === 503 && JSON.parse(got.text).standby === true
  } catch {
    return false
  }
}

// refusal says in words why hermes does not take the link, and what helps; undefined for what may pass by itself.
function refusal(err) {
  if (err?.status === 401 || err?.status === 403) {
    return "hermes does not take the token of this machine: its link was revoked, or the token is wrong. Make a new link (/link to the bot, or hermes link add) and run hermes plugin install with it. Until then nothing is asked in Telegram."
  }
  if (err?.status !== 426) return undefined
  let speaks
  try {
    speaks = JSON.parse(err.text).protocol
  } catch {}
  if (speaks > HERMES_PROTOCOL) {
    return "hermes has a newer version than this plugin and does not take it any more. Update hermes on this machine, run hermes plugin install, and restart OpenCode. Until then nothing is asked in Telegram."
  }
  return "hermes has an older version than this plugin and does not take it. Whoever runs hermes has to update it. Until then nothing is asked in Telegram."
}

// session keeps of a session what names it.
function session(info) {
  if (!info) return undefined
  const archived = info.time?.archived
  return { id: info.id, parentID: info.parentID, title: info.title, directory: info.directory, time: archived ? { archived } : undefined }
}

// The events that hermes wants, and what it reads of them. OpenCode emits hundreds of others a turn.
const EVENTS = Object.assign(
  {
    "session.idle": { sessionID: true },
    "session.status": { sessionID: true, status: { type: true, message: true } },
    "session.error": { sessionID: true, error: ERROR },
    "server.instance.disposed": {},
  },
  ...PROTOCOLS.map((p) => p.events),
)

// slim returns the properties of an event that hermes wants, undefined for all others.
function slim(type, p) {
  if (Object.hasOwn(EVENTS, type)) return pick(EVENTS[type], p)
  switch (type) {
    case "session.created":
    case "session.updated":
    case "session.deleted":
      return { sessionID: p.sessionID ?? p.info?.id, info: session(p.info) }
    case "message.part.updated":
      if (p.part?.type !== "tool" || p.part.tool !== "question") return undefined
      return ["completed", "error"].includes(p.part.state?.status) ? pick({ part: CALL }, p) : undefined
  }
  return undefined
}

// settles says whether an event still tells something that a fresh listing does not.
function settles(type) {
  return EVENTS[type] === SETTLED || type === "session.deleted" || type === "message.part.updated"
}

// What a tool call works on, by its input; the best first. hermes has the same for the servers that it reaches directly.
const SUBJECTS = ["command", "filePath", "path", "pattern", "url", "query", "description", "name"]

function subject(input) {
  const text = SUBJECTS.map((name) => input?.[name]).find((value) => typeof value === "string" && value.trim() !== "") ?? ""
  return text.trim().slice(0, 300)
}

// tail is the end of a text that goes on.
function tail(text, most = SPOKEN_MAX) {
  return text.length > most ? "…" + text.slice(1 - most) : text
}

// Words keeps the end of what each session's agent wrote last in a turn that goes on. An ask takes it along: nothing is sent for it.
// With some providers a text has its end after the ask that follows it (1.18.34), so its pieces count.
class Words {
  constructor() {
    this.of = new Map() // by session: {part, text} of the last text, and what was said before
  }

  event(type, p) {
    const part = p?.part
    if (type === "message.part.delta") this.delta(p)
    else if (type === "message.part.updated" && part?.type === "text" && part.time && !part.synthetic) this.keep(part.sessionID, part.id, String(part.text ?? ""))
    else if (type === "session.idle" || type === "session.deleted") this.of.delete(p?.sessionID ?? p?.info?.id)
  }

  delta(p) {
    const last = this.of.get(p?.sessionID)
    if (last && last.part === p.partID && p.field === "text") last.text = tail(last.text + p.delta, SAID_MAX)
  }

  keep(session, part, text) {
    if (typeof session !== "string") return
    if (this.of.size >= TURNS_MAX && !this.of.has(session)) this.of.delete(this.of.keys().next().value)
    this.of.set(session, { part, text: tail(text, SAID_MAX), before: this.said(session) })
  }

  // said is what the agent wrote last, undefined if that is not known. A text that has only begun is none.
  said(session) {
    const last = this.of.get(session)
    return last && last.text.trim() === "" ? last.before : last?.text
  }
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
    this.sessions = new Set(news.sessions.filter(SESSION_ID).slice(0, FOLLOWED_MAX))
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

// numbers are a version's; of a text that is none they are NaN.
function numbers(version) {
  return version.split(".").map(Number)
}

// isApart says whether a server of that version is two: what listens, and what the client given to plugins speaks with, each with
// instances and asks of its own. A question that the one asks the other does not list, and cannot answer. It is so from 1.14.48 to
// 1.17.0, not in 1.14.41 and not from 1.17.9 on (measured; versions between those could not be had, and are taken to be so). A terminal
// speaks with what the client speaks with. See docs/design/proof.md.
function isApart(version) {
  const [major, minor, patch] = numbers(version)
  if (major !== 1) return false
  return minor === 15 || minor === 16 || (minor === 14 && patch > 41) || (minor === 17 && patch < 9)
}

// addressOf is where this process listens, undefined where it does not: then serverUrl is http://localhost:4096/, where another program
// may listen, and a new one at every look; the real one is always the same object (read in 1.14.41 to 1.18.33).
function addressOf(input) {
  const url = input.serverUrl
  if (!url?.href || url !== input.serverUrl) return undefined
  const address = new URL("/", url)
  if (address.hostname === "0.0.0.0") address.hostname = "127.0.0.1" // it listens on every address
  if (address.hostname === "[::]") address.hostname = "[::1]"
  return address
}

// queryOf is a query as OpenCode's own client writes it.
function queryOf(query) {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    typeof value === "object" ? Object.entries(value).map(([key, one]) => [`${name}[${key}]`, one]) : [[name, value]],
  )
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")
}

// inside is a path from a folder, undefined for one that is not in it.
function inside(folder, path) {
  const from = relative(folder, path)
  return from === ".." || from.startsWith(".." + sep) || isAbsolute(from) ? undefined : from
}

// placeOf is where a file is, or will be once it is written, without symbolic links. A link to a file that does not exist makes that file.
async function placeOf(path, most = 40) {
  try {
    return await realpath(path)
  } catch (err) {
    if (err?.code !== "ENOENT" || most === 0 || dirname(path) === path) throw err
  }
  const here = join(await placeOf(dirname(path), most), basename(path))
  const to = await readlink(here).catch(() => undefined)
  return to === undefined ? here : placeOf(resolve(dirname(here), to), most - 1)
}

// Tree is where the files of an instance are: paths in it are told from its root.
class Tree {
  constructor({ directory, worktree }) {
    this.directory = directory
    this.root = worktree && worktree !== "/" && inside(worktree, directory) !== undefined ? worktree : directory
  }

  // filesOf are the files that an edit names, whole. What has no metadata names them from the directory.
  filesOf({ patterns, resources, metadata }) {
    if (Array.isArray(metadata?.files)) {
      const named = metadata.files.flatMap((file) => [file?.filePath, file?.movePath]).filter((path) => typeof path === "string" && isAbsolute(path))
      if (named.length > 0) return named
    }
    if (typeof metadata?.filepath === "string" && isAbsolute(metadata.filepath)) return [metadata.filepath]
    return (patterns ?? resources ?? []).map((path) => resolve(this.directory, String(path)))
  }

  // links are the files of an edit that are elsewhere than their names say: names and places. What nobody can tell of is at "?".
  // Undefined: there are none.
  async links(ask) {
    if ((ask?.permission ?? ask?.action) !== "edit") return undefined
    const files = this.filesOf(ask)
    const name = (root, path) => (inside(root, path) ?? path).replaceAll(sep, "/")
    const unsure = files.map((path) => [name(this.root, path), "?"])
    const look = async () => {
      const root = await placeOf(this.root)
      const find = async (path, i) => {
        const from = inside(this.root, path)
        const place = await placeOf(path).catch(() => undefined)
        if (place === undefined) return [unsure[i]]
        return place === (from === undefined ? path : join(root, from)) ? [] : [[unsure[i][0], name(root, place)]]
      }
      return (await Promise.all(files.map(find))).flat()
    }
    const found = await within(LINKS_WAIT, look(), "no look at the files").catch(() => unsure)
    return found.length > 0 ? Object.fromEntries(found) : undefined
  }

  // addLinks adds them to asks.
  async addLinks(asks) {
    await Promise.all(asks.filter(Boolean).map(async (ask) => Object.assign(ask, { links: await this.links(ask) })))
  }
}

// OpenCode is the plugin's way to OpenCode, for one directory: the in-process client, or the server's address where that speaks with
// another server.
class OpenCode {
  constructor(input) {
    this.client = input.client._client
    this.directory = input.directory
    this.tree = new Tree(input)
    this.listens = () => addressOf(input)
    this.address = () => (isApart(this.version) ? this.listens() : undefined)
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
    const address = this.address()
    if (address) return this.askServer(new URL(`${url}?${queryOf({ ...query, directory })}`, address), method, body, ms)
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

  async askServer(url, method, body, ms) {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const got = await exchange(url, new Set(), method, this.headers(body), payload, ms, { who: "OpenCode", most: CALLS_MAX })
    return { status: got.status, type: got.type, body: got.text }
  }

  async list(url, shape) {
    const got = await this.ask("GET", url, {}, undefined, LIST_WAIT)
    const value = got.status === 200 ? JSON.parse(got.body) : undefined
    if (!Array.isArray(value)) throw new Error(`GET ${url} gave no list`)
    return pick([shape], value)
  }

  async pending() {
    try {
      const [questions, permissions] = await Promise.all([this.list("/question", QUESTION), this.list("/permission", PERMISSION)])
      await this.tree.addLinks(permissions)
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

  // tell says something to whoever uses this OpenCode: in its log, and on the screen of a terminal. Nothing else is there to show it.
  async tell(message) {
    await this.ask("POST", "/log", {}, { service: "hermes", level: "warn", message }, LIST_WAIT).catch(() => {})
    await this.show(message)
  }

  async show(message) {
    const toast = { title: "hermes", message, variant: "warning", duration: TOAST }
    await this.ask("POST", "/tui/show-toast", {}, toast, LIST_WAIT).catch(() => {})
  }

  hasAPI() {
    const [major, minor] = numbers(this.version)
    return major === 0 || major > 1 || (major === 1 && minor >= 16) // nightly builds are called 0.0.0-dev-…
  }

  // rule finds what allows a call.
  rule(call) {
    const fits = (rule) => rule.method === call.method && typeof call.path === "string" && rule.path.test(call.path)
    return ALLOWED.find(fits) ?? (this.driven ? DRIVING.find(fits) : undefined)
  }

  // refusal says why a call of hermes is not made, undefined if it may be. An old OpenCode passes paths that it does not know on
  // to a server on the internet (measured on 1.1.53), so those must not see a path that came with 1.16.
  refusal(call, rule) {
    if (!rule) return "the hermes plugin does not allow this call"
    if (!rule.body(call.body)) return "the hermes plugin does not allow this call's content"
    if (call.path.startsWith("/api/") && !this.hasAPI()) return "this OpenCode does not have this call"
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (!rule.query.includes(name) || !this.fits(name, value)) return `the hermes plugin does not allow this value of ${name.slice(0, 40)}`
    }
    return undefined
  }

  // fits checks a value of the query.
  fits(name, value) {
    if (name === "limit") return typeof value === "string" && /^[0-9]{1,3}$/.test(value)
    return value === (name === "roots" ? "true" : this.directory)
  }

  // refusalOfCommand says why a command is not run with its text.
  async refusalOfCommand(body) {
    if (SIGNS.test(body.arguments)) return "the hermes plugin gives commands no text with ` ! @ or $: OpenCode may run or read what stands there"
    const got = await this.ask("GET", "/command", {}, undefined, LIST_WAIT)
    const command = got.status === 200 ? JSON.parse(got.body).find((one) => one?.name === body.command) : undefined
    if (!command) return "this OpenCode does not have this command"
    if (body.arguments.trim() === "" || takesText(command.template)) return undefined
    return "the hermes plugin gives this command no text: OpenCode would run it, or read the file that it names"
  }

  async carryOut(call) {
    let refused, rule
    try {
      rule = this.rule(call)
      refused = this.refusal(call, rule)
      if (!refused && rule.body === COMMAND) refused = await this.refusalOfCommand(call.body)
    } catch {
      refused = "the hermes plugin does not understand this call"
    }
    if (refused) return { error: refused, refused: true }
    const query = {}
    if (call.query?.limit) query.limit = call.query.limit
    if (call.query?.roots) query.roots = call.query.roots
    if (rule.query === LOCATION) query.location = { directory: this.directory }
    try {
      const got = await this.ask(call.method, call.path, query, call.body ?? undefined, rule.body === COMMAND ? COMMAND_WAIT : CALL_WAIT)
      return { ...got, body: await this.reduced(got, rule.answer) }
    } catch (err) {
      return { error: String(err?.message ?? err).slice(0, 300) }
    }
  }

  // reduced is what of an answer's body crosses. Of one that is no success hermes reads the status alone; one that is no JSON is the
  // web page that OpenCode gives for a path that it does not have.
  async reduced(got, shape) {
    if (got.status >= 300 || got.body === "" || !/^application\/json\b/i.test(got.type)) return ""
    const value = pick(shape, JSON.parse(got.body))
    if (value === undefined) throw new Error("OpenCode's answer is not of the expected form")
    const asks = shape === PERMISSIONS ? value : shape?.data === PERMISSIONS ? value.data : undefined
    if (Array.isArray(asks)) await this.tree.addLinks(asks)
    return JSON.stringify(value)
  }
}

// Link keeps one connection to hermes for one plugin instance, for as long as that lives.
class Link {
  constructor(input) {
    this.opencode = new OpenCode(input)
    this.instance = randomUUID()
    this.before = undefined // the link that this one follows, for the same directory
    this.joined = undefined // the same, where that one stays and gets what this one hears
    this.followers = new Set() // those that have joined this one
    this.running = new Set() // cancels of the requests to hermes
    this.queue = [] // events, as {type, json}; with waits: not all of it is known yet
    this.titles = new Map()
    this.speech = new Speech(() => this.flush())
    this.words = new Words()
    this.open = undefined // {to, id, seen} while hermes knows this link
    this.told = undefined // what was said of a refusal, until hermes takes the link
    this.reminded = undefined // what of it was shown again
    this.sending = false
    this.stopped = false
    this.wake = () => {}
    this.several = false // addresses of hermes
    this.calls = 0 // that run now
    this.ended = () => {} // one of them
  }

  // push queues an event; it returns at once. Links are still being looked for: the event is sent with them, and those behind it wait.
  push(type, properties, id, links) {
    if (this.joined) return this.joined.push(type, properties, id, links)
    if (this.stopped) return
    const encode = () => JSON.stringify(id ? { id, type, properties } : { type, properties })
    const event = { type, json: encode(), waits: links !== undefined }
    if (event.json.length > BATCH_BYTES) return
    this.queue.push(event)
    links?.then((found) => {
      properties.links = found
      event.json = encode()
      event.waits = false
      const link = this.joined ?? this
      link.flush()
    })
    if (this.queue.length > QUEUE_MAX) {
      this.queue.shift()
      this.drop()
    }
    this.flush()
  }

  event(event) {
    if (this.joined) return event?.type === "server.instance.disposed" ? undefined : this.joined.event(event)
    this.speech.event(event?.type, event?.properties)
    this.words.event(event?.type, event?.properties)
    if (event?.type === "session.status" && event.properties?.status?.type === "busy") this.remind()
    const properties = slim(event?.type, event?.properties ?? {})
    if (properties === undefined || !this.news(event.type, properties)) return
    if (event.type === "question.asked" || event.type === "permission.asked") properties.said = this.said(properties.sessionID)
    const links = EVENTS[event.type] === PERMISSION ? this.opencode.tree.links(properties).catch(() => undefined) : undefined
    this.push(event.type, properties, event.id, links)
    if (event.type === "server.instance.disposed") this.stop()
  }

  // said is what a session's agent wrote last, undefined if that is not known.
  said(session) {
    return this.joined ? this.joined.said(session) : this.words.said(session)
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
    return this.queue.length > 0 ? !this.queue[0].waits : this.speech.due.size > 0
  }

  batch() {
    const batch = []
    let size = 0
    while (this.queue.length > 0 && !this.queue[0].waits && batch.length < BATCH_MAX && size + this.queue[0].json.length <= BATCH_BYTES) {
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
    this.ended()
  }

  // lead makes this the link of its directory, at the begin and when the one that it had joined has ended.
  lead() {
    if (this.stopped) return
    const links = shared().links
    this.joined = undefined
    this.before = links.get(this.opencode.directory)
    links.set(this.opencode.directory, this)
    later(0, () => this.run().catch(() => {}))
  }

  // follow ends the link before this one: a reload, or a second copy of this file, and the end of an instance is not always told. But
  // where OpenCode is two servers, either may have an instance of the directory: then the first link, which speaks with the right one,
  // stays, and this one hands it what it hears.
  async follow() {
    if (!this.before) return
    await this.opencode.learnVersion()
    const { before } = this
    this.before = undefined
    if (before.stopped || !this.opencode.address()) return before.stop()
    const links = shared().links
    if ((links.get(this.opencode.directory) ?? this) === this) links.set(this.opencode.directory, before)
    if (this.stopped) return
    this.joined = before
    before.followers.add(this)
    before.queue.push(...this.queue.splice(0))
    before.flush()
  }

  // run opens the link, again and again, until the instance is disposed of. A link that stood longer than the wait before it lets the
  // next one follow soon: hermes was restarted.
  async run() {
    await this.follow()
    if (this.joined) return
    let wait = RETRY_MIN
    while (!this.stopped) {
      const since = Date.now()
      let most = RETRY_MAX
      try {
        await this.serve(await this.dial())
      } catch (err) {
        this.tell(refusal(err))
        if (err?.sought || isStandby(Object(err))) most = SEEK_MAX
      }
      this.drop()
      if (this.stopped) return
      if (Date.now() - since > wait) wait = this.several ? SEEK_MIN : RETRY_MIN
      await this.pause(Math.min(wait, most) * (0.5 + Math.random() / 2))
      wait = Math.min(wait * 2, most)
    }
  }

  // seek resolves to where the hermes is that acts. Several addresses are asked at once, each by itself, again and again: one that does not
  // answer holds up none of the others.
  async seek({ urls, token }) {
    this.several = urls.length > 1
    if (!this.several) return { url: urls[0], token }
    const looks = { over: false }
    try {
      return await within(SEEK_FOR, Promise.any(urls.map((url) => this.look({ url, token }, looks))), "no hermes acts")
    } catch (err) {
      throw Object.assign(err, { sought: true })
    } finally {
      looks.over = true
    }
  }

  // look waits until the hermes at an address acts.
  async look(to, looks) {
    for (let wait = SEEK_MIN; ; wait *= 2) {
      const got = await this.ping(to).catch(() => undefined)
      if (got?.status === 200) return to
      if (got && !this.stopped && !looks.over) this.tell(refusal(unexpected(got)))
      if (got && isStandby(got)) wait = Math.min(wait, SEEK_MAX)
      await new Promise((resolve) => later(wait * (0.5 + Math.random() / 2), resolve))
      if (this.stopped || looks.over) throw new Error("stopped")
    }
  }

  // ping asks for something that a hermes which acts answers at once.
  ping(to) {
    return send(to, this.running, "GET", "v1/link", undefined, PING_WAIT)
  }

  // watch ends the link when the hermes there leaves a ping without an answer, or does not act any more, and there are other addresses.
  // A process that was stopped keeps its connections: a poll would notice after half a minute only.
  async watch(open) {
    if (!this.several) return
    for (;;) {
      await new Promise((resolve) => later(PING_EVERY, resolve))
      if (this.open !== open) return
      const since = Date.now()
      const got = await this.ping(open.to).catch(() => undefined)
      const late = Date.now() - since > PING_WAIT + SECOND / 4 // this process was held up, or the machine slept
      if (got ? got.status >= 500 : !late) this.drop(open)
    }
  }

  // tell says once why hermes refuses the link, and again only after it took one, or refuses it for another reason.
  tell(why) {
    if (why === undefined || why === this.told) return
    this.told = why
    later(TELL_AFTER, async () => {
      if (!this.stopped && this.told === why) await this.opencode.tell(why)
    })
  }

  // remind shows it once more when the agent begins to work, since somebody looks then: OpenCode answers true and shows nothing while
  // its terminal still starts (seen with 1.18.34 on a busy machine).
  remind() {
    const why = this.told
    if (why === undefined || why === this.reminded || this.stopped) return
    this.reminded = why
    later(0, () => this.opencode.show(why))
  }

  pause(ms) {
    return new Promise((resolve) => {
      this.wake = resolve
      later(ms, resolve)
    })
  }

  // dial opens the link. What was asked before the listing is in the listing, so those events are not sent again.
  async dial() {
    const to = await this.seek(await settings())
    if (this.stopped) throw new Error("stopped")
    this.queue = this.queue.filter((event) => settles(event.type))
    const version = await this.opencode.learnVersion()
    const pending = await this.opencode.pending()
    const resolved = await realpath(this.opencode.directory).catch(() => "?") // it may come to be anything
    if (this.stopped) throw new Error("stopped")
    const got = await send(to, this.running, "POST", "v1/link", this.hello(version, resolved, pending), SEND_WAIT)
    const answer = got.status === 200 ? JSON.parse(got.text) : {}
    if (typeof answer.link !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(answer.link)) throw unexpected(got)
    this.told = this.reminded = undefined
    this.opencode.driven = answer.remote === true
    this.speech.reset()
    const poll = Math.min(Math.max(Number(answer.poll) || 25, 1), 60)
    return { to, id: answer.link, poll, seen: 0, complete: pending.complete }
  }

  hello(version, resolved, pending) {
    const who = {
      protocol: HERMES_PROTOCOL,
      plugin: HERMES_PLUGIN_VERSION,
      instance: this.instance,
      process: shared().process,
      pid: process.pid,
      url: this.opencode.listens()?.href,
      host: os.hostname(),
      directory: this.opencode.directory,
      resolved,
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
    this.watch(open)
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
      const until = Date.now() + CALL_QUEUED
      for (const call of calls) this.begin(open, call, await this.free(open, until))
      if (calls.length === 0 && Date.now() - since < SECOND) await this.pause(rev === this.speech.rev ? SECOND : SECOND / 20)
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
    const fresh = calls.filter((call) => /^[0-9]{1,15}$/.test(call.id) && Number(call.id) > open.seen).slice(0, CALLS_PER_POLL)
    for (const call of fresh) open.seen = Math.max(open.seen, Number(call.id))
    return fresh
  }

  // free waits until another call may run, and says whether it may. Until then hermes is not polled: what it wants besides waits there.
  async free(open, until) {
    while (this.open === open && this.calls >= CALLS_AT_ONCE && Date.now() < until) {
      await new Promise((resolve) => {
        this.ended = resolve
        later(until - Date.now(), resolve)
      })
    }
    return this.calls < CALLS_AT_ONCE
  }

  // begin carries out a call, or tells hermes that it is not: OpenCode does not answer those before it.
  begin(open, call, free) {
    if (this.open !== open) return
    if (!free) return void this.answer(open, call, { error: "OpenCode is busy with other calls", unsent: true })
    this.calls++
    const end = () => {
      this.calls--
      this.ended()
    }
    this.carryOut(open, call).then(end, end)
  }

  async carryOut(open, call) {
    await this.answer(open, call, await this.opencode.carryOut(call))
  }

  async answer(open, call, result) {
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
    this.joined?.followers.delete(this)
    for (const link of this.followers) link.lead()
    this.followers.clear()
    this.speech.reset()
    later(open ? SECOND : 0, () => this.drop(open))
  }
}

function start(input) {
  const link = new Link(input)
  link.lead()
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
          const args = pick({ questions: [ITEM] }, output?.args)
          link.push("tool.execute.before", { tool: call.tool, sessionID: call.sessionID, callID: call.callID, args, said: link.said(call.sessionID) })
        }),
      dispose: async () => quietly(() => link.stop()),
    }
  } catch {
    return {}
  }
}
