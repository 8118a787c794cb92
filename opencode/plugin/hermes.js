// Hermes inside OpenCode (1.x): carries this instance's questions and permission asks to the hermes daemon, and hermes' calls back.
//
// It dials out, because a plain TUI listens on no port. It never makes OpenCode wait: no hook awaits anything, every failure is
// swallowed, every request has a deadline, and its timers and sockets do not keep the process alive. It prints nothing: the
// terminal is the TUI's. It says only that hermes refuses it: once in OpenCode's log, and as a toast, then and when the agent works next.
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

const HERMES_PLUGIN_VERSION = "1.9.0"
const HERMES_PROTOCOL = 1

const SECOND = 1000
const OWN_WAIT = 3 * SECOND // a request of the plugin itself, in-process
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
const SEEK_MIN = SECOND / 4 // where there are several addresses
const SEEK_MAX = 1 * SECOND // likewise, and to a standby: it may take over
const PING_EVERY = 2 * SECOND // while a link is open, where there are several addresses
const PING_WAIT = 3 * SECOND // a hermes that does not answer so long is left for another one
const BODY_MAX = 4 << 20 // bytes to hermes, which takes 8 MiB
const CALLS_MAX = 32 << 20 // bytes from hermes: a prompt's files are in its call
const VALUES_MAX = 50_000 // values in one answer of hermes, which are counted before they are decoded
const QUEUE_MAX = 500 // events kept while hermes is away; the oldest go first
const BATCH_MAX = 100
const BATCH_BYTES = 1 << 20
const IDLE_MAX = 90 * SECOND // a connection to hermes without a request; hermes closes it after 120 s
const SESSIONS_MAX = 1000 // sessions of which it is kept what was said last
const SPOKEN_EVERY = 1 * SECOND // how often hermes is told what followed sessions say
const SPOKEN_MAX = 4096 // characters of the end of a text
const SPOKEN_PARTS = 32 // parts that are told of at a time
const FOLLOWED_MAX = 100 // sessions
const SAID_MAX = 1200 // characters of the end of what an agent wrote before it asks
const LINKS_WAIT = 1 * SECOND // for a look at the files of an edit

// What hermes may ask of OpenCode, and what of the answer it is given. Everything else is refused, and nothing else crosses: a call's
// path, query and body are checked against what hermes sends, field by field, and an answer is reduced to what hermes reads.

// Checks of what comes: each is a function that says whether a value is of the form.
const text = (v) => typeof v === "string" && v.length <= 16 << 20
const like = (pattern) => (v) => typeof v === "string" && pattern.test(v)
const flag = (v) => typeof v === "boolean"
const nothing = (v) => v === undefined || v === null
const list = (fits, most) => (v) => Array.isArray(v) && v.length <= most && v.every(fits)
const object = (needed, optional) => (v) => {
  if (!isObject(v)) return false
  const fields = { ...needed, ...optional }
  const known = Object.keys(v).every((name) => Object.hasOwn(fields, name) && fields[name](v[name]))
  return known && Object.keys(needed).every((name) => Object.hasOwn(v, name))
}

const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v)

const NAME = like(/^[^\x00-\x1f\x7f]{1,200}$/)
// The ids are checked to the last character: 1.1.53 writes a message into a file of its id's name, wherever that is (measured).
const MESSAGE_ID = like(/^msg_[A-Za-z0-9_-]{1,64}$/)
const PART_ID = like(/^prt_[A-Za-z0-9_-]{1,64}$/)
const SESSION_ID = like(/^ses_[A-Za-z0-9_-]{1,64}$/)

const ANSWERS = object({ answers: list(list(text, 1000), 100) })
const DECISION = object({ reply: like(/^(?:once|always|reject)$/) }, { message: text })
const NEW_SESSION = object({}, { title: like(/^[^\x00-\x1f\x7f]{0,200}$/) })
const TEXT = object({ type: like(/^text$/), text }, { id: PART_ID })
const MENTION = object({ type: like(/^agent$/), name: NAME }, { id: PART_ID })
// A file must be in its address: OpenCode would read any other from this machine or the network.
const DATA = like(/^data:[a-z0-9.+-]{1,100}\/[a-z0-9.+-]{1,100};base64,[A-Za-z0-9+/]*={0,2}$/)
const FILE = object({ type: like(/^file$/), mime: text, url: DATA }, { id: PART_ID, filename: text })
const PART = (v) => TEXT(v) || MENTION(v) || (FILE(v) && v.url.startsWith(`data:${v.mime};`))
const MODEL = object({ providerID: NAME, modelID: NAME })
const PROMPT = object({ messageID: MESSAGE_ID, parts: list(PART, 500) }, { agent: NAME, model: MODEL, noReply: flag })
const COMMAND = object({ messageID: MESSAGE_ID, command: NAME, arguments: text }, { agent: NAME, model: NAME })

// keep makes a function that keeps the named fields of an object, or of each object in a list: "id" is a text, a number, a flag or a
// list of such, "time{created}" an object, "error?{name}" an object or a text, "metadata*" anything, and "*{type}" stands for all names.
function keep(spec) {
  const words = spec.match(/[{}]|[^\s{}]+/g) ?? []
  const read = () => {
    const fields = {}
    for (let word; (word = words.shift()) !== undefined && word !== "}"; ) {
      const inner = words[0] === "{" && words.shift() ? read() : undefined
      const name = word.length > 1 ? word.replace(/[?*]$/, "") : word
      fields[name] = inner ? (v) => (word.endsWith("?") ? plain(v) : undefined) ?? inner(v) : word === name ? plain : (v) => v
    }
    return (v) => fieldsOf(v, fields)
  }
  return read()
}

function fieldsOf(value, fields) {
  if (Array.isArray(value)) return value.map((one) => fieldsOf(one, fields))
  if (!isObject(value)) return undefined
  const names = Object.keys(fields["*"] ? value : fields).filter((name) => Object.hasOwn(value, name))
  const kept = names.map((name) => [name, (fields["*"] ?? fields[name])(value[name])])
  return Object.fromEntries(kept.filter(([, one]) => one !== undefined))
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain)
  return isObject(value) ? undefined : value
}

const TOOL = "{messageID callID}"
const QUESTION = `id sessionID questions{question header options{label description} multiple custom} tool${TOOL}`
// What an ask says of itself is shown to people: all of it crosses, with what the agent wrote.
const PERMISSION = `id sessionID permission patterns always tool${TOOL} metadata*`
const SESSION = "id parentID title directory time{updated archived}"
const ERROR = "error{name data{message}}"
const CALL = "id sessionID callID type tool state{status error metadata{answers}"
const INFO = `info{id role parentID agent mode providerID modelID model{providerID modelID} time{created completed} ${ERROR} cost
  tokens{input output reasoning cache{read write}} summary?{diffs{file additions deletions patch before after}}}`

const infoOf = keep(INFO)
const ended = keep(`${CALL}}`)
const running = keep(`${CALL} input*}`)
const spoken = keep("type text synthetic")
const unread = keep("type")

// Of the messages in a list hermes reads what the agent said, and how its calls ended.
function messages(all) {
  const of = (role) => (part) => (part?.type === "tool" ? ended : part?.type === "text" && role === "assistant" ? spoken : unread)(part)
  return all.map((m) => ({ ...infoOf(m), parts: m.parts.map(of(m.info?.role)) }))
}

// Of one message it reads the calls: the input is what a permission ask is about.
function message(m) {
  return { ...infoOf(m), parts: m.parts.map((part) => (part?.type === "tool" ? running : unread)(part)) }
}

// route is a call that hermes may make. :ses stands for the id of a session, and so on.
function route(call, answer, { body = nothing, query = [] } = {}) {
  const [method, path] = call.split(" ")
  const pattern = path.replace(/:(\w+)/g, "$1_[A-Za-z0-9_-]{1,64}")
  return { method, path: new RegExp(`^${pattern}$`), body, query, reduce: typeof answer === "string" ? keep(answer) : answer }
}

const ROUTES = [
  route("GET /global/health", "healthy version"),
  route("GET /session/status", "*{type}"),
  route("GET /session/:ses", SESSION),
  route("GET /session/:ses/message", messages, { query: ["limit"] }),
  route("GET /session/:ses/message/:msg", message),
  route("GET /question", QUESTION),
  route("GET /permission", withLinks(keep(PERMISSION))),
  route("POST /question/:que/reply", plain, { body: ANSWERS }),
  route("POST /question/:que/reject", plain),
  route("POST /permission/:per/reply", plain, { body: DECISION }),

  // What hermes may ask besides, once it has said that a person may drive the sessions from a chat. Never a shell, files, settings or the
  // deletion of anything.
  ...[
    route("GET /session", SESSION, { query: ["roots", "limit"] }),
    route("GET /session/:ses/todo", "content status"),
    route("GET /agent", "name mode hidden"),
    route("GET /command", (all) => all.map((c) => ({ name: String(c?.name), text: takesText(c?.template) }))),
    route("GET /config/providers", "providers{id models{*{}}}"),
    route("POST /session", SESSION, { body: NEW_SESSION }),
    route("POST /session/:ses/prompt_async", plain, { body: PROMPT }),
    route("POST /session/:ses/command", () => null, { body: COMMAND }),
    route("POST /session/:ses/abort", plain),
  ].map((one) => ({ ...one, drives: true })),
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

const sleep = (ms) => new Promise((resolve) => later(ms, resolve))

// within gives up waiting for promise after ms; what it does goes on.
function within(ms, promise, what) {
  return new Promise((resolve, reject) => {
    const timer = later(ms, () => reject(new Error(`${what} within ${ms / SECOND} s`)))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function settings() {
  const file = await readFile(fileURLToPath(new URL("./hermes.json", import.meta.url)), "utf8").catch((err) => {
    if (err?.code !== "ENOENT") throw err
  })
  const from = file === undefined ? { urls: process.env.HERMES_URL?.split(",").filter(Boolean), token: process.env.HERMES_TOKEN } : JSON.parse(file)
  const urls = (from.urls?.length > 0 ? from.urls : [from.url]).map((one) => new URL(one))
  for (const url of urls) {
    if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error("the URL of hermes must be http or https")
    if (!url.pathname.endsWith("/")) url.pathname += "/"
  }
  if (typeof from.token !== "string" || from.token === "") throw new Error("no token for hermes")
  return { urls, token: from.token }
}

// counter makes a function that takes in the next bytes of a JSON text, and says whether there are few values up to there, at least behind
// a sign. What has more than hermes ever sends would take long to decode, and much memory.
function counter() {
  let values = 0
  let quoted = false
  let escaped = false
  return (bytes) => {
    for (const c of bytes) {
      if (escaped) escaped = false
      else if (quoted && c === 0x5c) escaped = true
      else if (c === 0x22) quoted = !quoted
      else if (!quoted && (c === 0x2c || c === 0x5b || c === 0x7b)) values++
    }
    return values <= VALUES_MAX
  }
}

// Connections to hermes are kept: a new one takes a round trip, with TLS three.
const kept = { keepAlive: true, maxFreeSockets: 2, timeout: IDLE_MAX }
const AGENTS = { "http:": new http.Agent(kept), "https:": new https.Agent(kept) }

// send makes one request to hermes and resolves to {status, type, text}. hermes may close a kept connection in the moment in which it
// is used again; then the request is made once more. Bun does not say whether a connection was kept (measured on 1.3.5 and 1.3.14): there
// every request that fails without an answer is made once more. That it was carried out all the same does no harm: hermes takes every
// request of a link twice.
async function send(to, cancels, method, path, payload, ms) {
  const url = new URL(path, to.url)
  const headers = { authorization: `Bearer ${to.token}`, accept: "application/json" }
  if (payload !== undefined) headers["content-type"] = "application/json"
  const over = (agent) => exchange(url, { method, headers, agent }, payload, ms, "hermes", cancels, counter())
  return over(AGENTS[url.protocol]).catch((err) => {
    if (!err?.stale) throw err
    return over(false)
  })
}

// exchange makes one request. It follows no redirect and uses no proxy. A function that ends it is in cancels meanwhile. few says whether to
// go on after the next bytes of the answer.
function exchange(url, options, payload, ms, who, cancels = new Set(), few = () => true) {
  return new Promise((resolve, reject) => {
    if (payload !== undefined) options.headers["content-length"] = Buffer.byteLength(payload)
    const req = (url.protocol === "https:" ? https : http).request(url, options)
    const end = (err, value) => {
      clearTimeout(timer)
      cancels.delete(cancel)
      if (value) return resolve(value)
      reject(err ?? new Error(`no answer from ${who}`))
      req.destroy()
    }
    const cancel = () => end(new Error("cancelled"))
    const timer = later(ms, () => end(new Error(`${who} did not answer in time`)))
    cancels.add(cancel)
    req.on("socket", (socket) => socket?.unref?.())
    req.on("error", (err) => end(Object.assign(err ?? new Error("connection failed"), { stale: req.reusedSocket !== false })))
    req.on("response", (res) => {
      const chunks = []
      let size = 0
      res.on("data", (chunk) => {
        size += chunk.length
        if (size > CALLS_MAX || !few(chunk)) return end(new Error(`${who} answered too much`))
        chunks.push(chunk)
      })
      res.on("end", () => end(undefined, { status: res.statusCode, type: res.headers["content-type"] ?? "", text: Buffer.concat(chunks).toString("utf8") }))
      for (const name of ["error", "close"]) res.on(name, () => end(new Error("connection closed")))
    })
    req.end(payload)
  })
}

// unexpected is the error of an answer that ends the link; a failed connection has no status.
function unexpected(got) {
  return Object.assign(new Error(`hermes answered ${got.status}`), { status: got.status, said: parsed(got.text) })
}

function parsed(json) {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}

// isStandby says whether an answer is that of a hermes that does not act. What it says of another address is of no interest.
const isStandby = (err) => err?.status === 503 && err.said.standby === true

// refusal says in words why hermes does not take the link, and what helps; undefined for what may pass by itself.
function refusal(err) {
  const until = "Until then nothing is asked in Telegram."
  if (err?.status === 401 || err?.status === 403) {
    return `hermes does not take the token of this machine: its link was revoked, or the token is wrong. Make a new link (/link to the bot, or hermes link add) and run hermes plugin install with it. ${until}`
  }
  if (err?.status !== 426) return undefined
  if (err.said.protocol > HERMES_PROTOCOL) {
    return `hermes has a newer version than this plugin and does not take it any more. Update hermes on this machine, run hermes plugin install, and restart OpenCode. ${until}`
  }
  return `hermes has an older version than this plugin and does not take it. Whoever runs hermes has to update it. ${until}`
}

// The events that hermes wants, and what it reads of them. OpenCode emits hundreds of others a turn.
const asked = keep(QUESTION)
const wanted = keep(PERMISSION)
const settled = keep("sessionID requestID answers reply")
const named = keep("sessionID info{id parentID title directory time{archived}}")
const EVENTS = {
  "question.asked": asked,
  "question.replied": settled,
  "question.rejected": settled,
  "permission.asked": wanted,
  "permission.replied": settled,
  "session.idle": keep("sessionID"),
  "session.status": keep("sessionID status{type message}"),
  "session.error": keep(`sessionID ${ERROR}`),
  "session.created": named,
  "session.updated": named,
  "session.deleted": named,
  "message.part.updated": (p) => {
    const hasEnded = p.part?.type === "tool" && p.part.tool === "question" && ["completed", "error"].includes(p.part.state?.status)
    return hasEnded ? { part: ended(p.part) } : undefined
  },
  "server.instance.disposed": () => ({}),
}

// FAREWELL has hermes end the link. Where that goes on, it is opened anew.
const FAREWELL = "hermes.closed"

// outlasts says whether an event still tells something that a listing, which hermes makes of every new link, does not.
const outlasts = (type) => EVENTS[type] === settled || type === "session.deleted" || type === "message.part.updated"

// What a tool call works on, by its input; the best first. hermes has the same for the servers that it reaches directly.
const SUBJECTS = ["command", "filePath", "path", "pattern", "url", "query", "description", "name"]

function subject(input) {
  const found = SUBJECTS.map((name) => input?.[name]).find((value) => typeof value === "string" && value.trim() !== "") ?? ""
  return found.trim().slice(0, 300)
}

// tail is the end of a text that goes on.
const tail = (all, most) => (all.length > most ? "…" + all.slice(1 - most) : all)

// Speech keeps the end of what each session's agent wrote last in a turn that goes on: an ask takes it along, and nothing is sent for it.
// Of the sessions that hermes follows it also tells what they say and call, while they do. OpenCode tells a text in pieces (from 1.2 on)
// or whole at every piece (1.1.53), hundreds of times a second; hermes is told once a second at most, and of the newest state alone. That
// is for display: it waits behind all that hermes must know, and nothing is lost with it.
class Speech {
  constructor(flush) {
    this.flush = flush
    this.texts = new Map() // by session: {part, text} of the last text, and what was said before
    this.reset()
  }

  reset() {
    this.rev = 0 // of what is followed, as hermes counts
    this.followed = new Set()
    this.told = new Map() // by part id: what was told of it last, as JSON
    this.fresh = new Map() // by part id: what was not told yet
    this.due = false // hermes may be told now
  }

  follow({ rev, sessions }) {
    if (!Number.isInteger(rev) || !Array.isArray(sessions)) return
    this.rev = rev
    this.followed = new Set(sessions.filter(SESSION_ID).slice(0, FOLLOWED_MAX))
  }

  event(type, p) {
    const part = p?.part
    if (type === "message.part.delta") {
      const last = this.texts.get(p?.sessionID)
      if (!last || last.part !== p.partID || p.field !== "text") return // it thinks
      last.text = tail(last.text + p.delta, SPOKEN_MAX)
      this.say(p.sessionID, p.messageID, p.partID, { text: last.text })
    } else if (type === "session.idle" || type === "session.deleted") {
      const session = p?.sessionID ?? p?.info?.id
      this.texts.delete(session)
      for (const [id, one] of this.fresh) if (one.sessionID === session) this.fresh.delete(id)
    } else if (type === "message.part.updated" && typeof part?.sessionID === "string") {
      if (part.type === "tool") this.say(part.sessionID, part.messageID, part.id, { tool: part.tool, title: subject(part.state?.input), status: part.state?.status })
      if (part.type !== "text" || !part.time || part.synthetic) return // a prompt's text has no time
      bound(this.texts, SESSIONS_MAX, part.sessionID)
      const last = { part: part.id, text: tail(String(part.text ?? ""), SPOKEN_MAX), before: this.said(part.sessionID) }
      this.texts.set(part.sessionID, last)
      this.say(part.sessionID, part.messageID, part.id, { text: last.text })
    }
  }

  // said is what the agent wrote last, undefined if that is not known. A text that has only begun is none. With some providers a text has
  // its end after the ask that follows it (1.18.34), so its pieces count.
  said(session) {
    const last = this.texts.get(session)
    return last && last.text.trim() === "" ? last.before : last && tail(last.text, SAID_MAX)
  }

  // say notes what a followed session says in a part. Of a call it says no more while only its output grows.
  say(sessionID, messageID, partID, what) {
    if (!this.followed.has(sessionID) || this.told.get(partID) === JSON.stringify(what)) return
    for (const held of [this.told, this.fresh]) bound(held, SPOKEN_PARTS, partID)
    this.told.set(partID, JSON.stringify(what))
    this.fresh.set(partID, { sessionID, messageID, partID, ...what })
    if (!this.timer) this.tell()
  }

  // tell lets hermes be told, and again after a while if there is news then.
  tell() {
    this.due = true
    this.timer = later(SPOKEN_EVERY, () => {
      this.timer = undefined
      if (this.fresh.size > 0) this.tell()
    })
    this.flush()
  }

  // take gives what hermes is to be told now.
  take() {
    const all = this.due ? [...this.fresh.values()].filter((one) => this.followed.has(one.sessionID)) : []
    if (this.due) this.fresh.clear()
    this.due = false
    return all.map((properties) => JSON.stringify({ type: "hermes.spoke", properties }))
  }
}

// bound makes room in a map for a key: the oldest one goes.
function bound(map, most, key) {
  if (map.size >= most && !map.has(key)) map.delete(map.keys().next().value)
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

// filesOf are the files that an edit names, whole. What has no metadata names them from the directory.
function filesOf({ patterns, metadata }, directory) {
  const named = Array.isArray(metadata?.files) ? metadata.files.flatMap((file) => [file?.filePath, file?.movePath]) : []
  const whole = [named, [metadata?.filepath]].map((all) => all.filter((path) => typeof path === "string" && isAbsolute(path))).find((all) => all.length > 0)
  return whole ?? [patterns ?? []].flat().map((path) => resolve(directory, String(path)))
}

// linksOf are the files of an edit that are elsewhere than their names say: names and places, in the tree of the instance from its root. What
// nobody can tell of is at "?". Undefined: there are none.
async function linksOf(ask, { directory, worktree }) {
  if (ask.permission !== "edit") return undefined
  const root = worktree && worktree !== "/" && inside(worktree, directory) !== undefined ? worktree : directory
  const name = (from, path) => (inside(from, path) ?? path).replaceAll(sep, "/")
  const files = filesOf(ask, directory)
  const look = async () => {
    const place = await placeOf(root)
    const find = async (path) => {
      const at = await placeOf(path).catch(() => undefined)
      const from = inside(root, path)
      const isThere = at === (from === undefined ? path : join(place, from))
      return isThere ? [] : [[name(root, path), at === undefined ? "?" : name(place, at)]]
    }
    return (await Promise.all(files.map(find))).flat()
  }
  const found = await within(LINKS_WAIT, look(), "no look at the files").catch(() => files.map((path) => [name(root, path), "?"]))
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

// withLinks adds them to the asks of a list.
function withLinks(reduce) {
  return async (value, input) => {
    const reduced = reduce(value)
    const asks = [reduced].flat().filter(Boolean)
    await Promise.all(asks.map(async (ask) => Object.assign(ask, { links: await linksOf(ask, input) })))
    return reduced
  }
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

// OpenCode is the plugin's way to OpenCode, for one directory: the in-process client, or the server's address where that speaks with
// another server.
class OpenCode {
  constructor(input) {
    this.inputs = [input] // what each instance of the directory was given; see Link.join
    this.directory = input.directory
    this.version = ""
    this.driven = false // hermes may drive the sessions: it says so whenever it takes the link
    this.client() // throws where there is none
  }

  client() {
    return this.inputs.at(-1).client._client
  }

  // isApart says whether a server of this version is two: what listens, and what the client given to plugins speaks with, each with
  // instances and asks of its own. A question that the one asks the other does not list, and cannot answer. It is so from 1.14.48 to
  // 1.17.0, not in 1.14.41 and not from 1.17.9 on (measured; versions between those could not be had, and are taken to be so). A terminal
  // listens nowhere, and speaks with what the client speaks with. See docs/design/proof.md.
  isApart() {
    const [major, minor, patch] = this.version.split(".").map(Number)
    const is = major === 1 && (minor === 15 || minor === 16 || (minor === 14 && patch > 41) || (minor === 17 && patch < 9))
    return is && addressOf(this.inputs[0]) !== undefined
  }

  // ask makes a request to OpenCode and resolves to {status, type, text}.
  async ask(method, url, body, ms = OWN_WAIT, query = {}) {
    const directory = this.directory.replaceAll("%", "%25") // it is decoded twice (measured on 1.1.53 and 1.18.33)
    query = { ...query, directory }
    const headers = body === undefined ? {} : { "Content-Type": "application/json" }
    const { OPENCODE_SERVER_USERNAME: user, OPENCODE_SERVER_PASSWORD: password } = process.env
    // On 1.1.53 the client given to plugins carries neither the directory nor the password.
    if (password) headers.Authorization = "Basic " + Buffer.from(`${user || "opencode"}:${password}`).toString("base64")
    if (this.isApart()) {
      const to = new URL(`${url}?${new URLSearchParams(query)}`, addressOf(this.inputs[0]))
      return exchange(to, { method, headers, agent: false }, body === undefined ? undefined : JSON.stringify(body), ms, "OpenCode")
    }
    const options = { url, query, headers, parseAs: "text", throwOnError: false, ...(body === undefined ? {} : { body }) }
    const call = async () => (method === "POST" ? this.client().post(options) : this.client().get(options))
    const got = await within(ms, call(), "no answer from OpenCode")
    if (!got?.response) throw got?.error ?? new Error("no answer from OpenCode")
    const { ok, status, headers: answered } = got.response
    const value = ok ? got.data : got.error
    const text = status === 204 ? "" : typeof value === "string" ? value : JSON.stringify(value ?? null)
    return { status, type: answered?.get?.("content-type") ?? "", text }
  }

  async learnVersion() {
    this.version = await this.ask("GET", "/global/health").then((got) => String(parsed(got.text).version ?? ""), () => this.version)
    return this.version
  }

  // tell says something to whoever uses this OpenCode: in its log, and on the screen of a terminal. Nothing else is there to show it.
  async tell(message) {
    await this.ask("POST", "/log", { service: "hermes", level: "warn", message }).catch(() => {})
    await this.show(message)
  }

  async show(message) {
    await this.ask("POST", "/tui/show-toast", { title: "hermes", message, variant: "warning", duration: TOAST }).catch(() => {})
  }

  // refusal says why a call of hermes is not made, undefined if it may be.
  async refusal(call, route) {
    if (!route || (route.drives && !this.driven)) return "the hermes plugin does not allow this call"
    if (!route.body(call.body)) return "the hermes plugin does not allow this call's content"
    const forms = { limit: /^[0-9]{1,3}$/, roots: /^true$/ }
    for (const [name, value] of Object.entries(call.query ?? {})) {
      const fits = name === "directory" ? value === this.directory : route.query.includes(name) && like(forms[name])(value)
      if (!fits) return `the hermes plugin does not allow this value of ${name.slice(0, 40)}`
    }
    return route.body === COMMAND ? this.refusalOfCommand(call.body) : undefined
  }

  // refusalOfCommand says why a command is not run with its text.
  async refusalOfCommand(body) {
    if (SIGNS.test(body.arguments)) return "the hermes plugin gives commands no text with ` ! @ or $: OpenCode may run or read what stands there"
    const got = await this.ask("GET", "/command")
    const command = got.status === 200 ? JSON.parse(got.text).find((one) => one?.name === body.command) : undefined
    if (!command) return "this OpenCode does not have this command"
    if (body.arguments.trim() === "" || takesText(command.template)) return undefined
    return "the hermes plugin gives this command no text: OpenCode would run it, or read the file that it names"
  }

  async carryOut(call) {
    const route = ROUTES.find((one) => one.method === call.method && like(one.path)(call.path))
    const refused = await this.refusal(call, route).catch(() => "the hermes plugin does not understand this call")
    if (refused) return { error: refused, refused: true }
    try {
      const got = await this.ask(call.method, call.path, call.body ?? undefined, route.body === COMMAND ? COMMAND_WAIT : CALL_WAIT, call.query)
      return { status: got.status, type: got.type, body: await this.reduced(got, route) }
    } catch (err) {
      return { error: String(err?.message ?? err).slice(0, 300) }
    }
  }

  // reduced is what of an answer's body crosses. Of one that is no success hermes reads the status alone; one that is no JSON is the
  // web page that OpenCode gives for a path that it does not have.
  async reduced(got, route) {
    if (got.status >= 300 || got.text === "" || !/^application\/json\b/i.test(got.type)) return ""
    const value = await route.reduce(JSON.parse(got.text), this.inputs.at(-1))
    if (value === undefined) throw new Error("OpenCode's answer is not of the expected form")
    return JSON.stringify(value)
  }
}

// shared is one per OpenCode process: its name, and the link that is alive for each directory.
function shared() {
  return (globalThis[Symbol.for("hermes.opencode.plugin")] ??= { process: randomUUID(), links: new Map() })
}

// Link keeps one connection to hermes for one directory, for as long as OpenCode has an instance of it.
class Link {
  constructor(input) {
    this.opencode = new OpenCode(input)
    this.cancels = new Set() // of the requests to hermes
    this.queue = [] // events, as {type, json}
    this.pushed = Promise.resolve() // when all that was heard is in the queue
    this.speech = new Speech(() => this.flush())
    this.open = undefined // {to, id, seen} while hermes knows this link
    this.told = undefined // what was said of a refusal, until hermes takes the link
    this.reminded = undefined // what of it was shown again
    this.sending = false
    this.stopped = false
    this.several = false // addresses of hermes
    this.attempt = 0 // to open the link; those of a row go to one address after the other
    this.calls = new Set() // that run now
    later(0, () => this.run().catch(() => {}))
  }

  // join takes another instance of the directory. It is a reload, or a second copy of this file, and the end of an instance is not always
  // told: so the newest one counts, and hermes lists what waits there anew. But where OpenCode is two servers, either may have an instance:
  // all of them are heard.
  join(input) {
    this.opencode.inputs.push(input)
    if (!this.opencode.isApart()) this.push(FAREWELL)
  }

  // leave takes an instance away. Its asks have ended with it.
  leave(input) {
    const { inputs } = this.opencode
    const place = inputs.indexOf(input)
    if (place < 0 || this.stopped) return
    const isApart = this.opencode.isApart()
    const counts = place === (isApart ? 0 : inputs.length - 1)
    if (counts && (!isApart || inputs.length === 1)) return this.stop()
    inputs.splice(place, 1)
    if (counts) this.push(FAREWELL)
  }

  // push queues an event; it returns at once. While links are being looked for, it waits, and those behind it too. Without hermes only what
  // a listing does not tell is kept.
  push(type, properties = {}, id, links) {
    links = links?.catch(() => undefined)
    this.pushed = this.pushed.then(async () => {
      if (links) properties.links = await links
      if (!this.open && !outlasts(type)) return
      this.queue.push({ type, json: JSON.stringify({ id, type, properties }) })
      if (this.queue.length > QUEUE_MAX) {
        this.queue.shift()
        this.drop()
      }
      this.flush()
    }).catch(() => {})
  }

  event(input, event) {
    const { inputs } = this.opencode
    if (this.stopped || !inputs.includes(input)) return
    const { type, properties: p = {} } = event
    const isEnd = type === "server.instance.disposed"
    if (isEnd && inputs.length > 1) return this.leave(input)
    this.speech.event(type, p)
    if (type === "session.status" && p.status?.type === "busy") this.remind()
    const properties = Object.hasOwn(EVENTS, type) ? EVENTS[type](p) : undefined
    if (properties === undefined) return
    if (type === "question.asked" || type === "permission.asked") properties.said = this.speech.said(p.sessionID)
    this.push(type, properties, event.id, EVENTS[type] === wanted ? linksOf(properties, input) : undefined)
    if (isEnd) this.leave(input)
  }

  // flush sends what is queued, in order, one batch at a time. A batch that fails is given up: the link is opened anew, and hermes lists what
  // waits.
  async flush() {
    const { open } = this
    if (this.sending || !open || !this.waits()) return
    this.sending = true
    try {
      await sleep(0)
      while (this.open === open && this.waits()) await this.post(open, "events", `{"events":[${this.batch()}]}`)
    } catch {
      this.drop(open)
    }
    this.sending = false
    this.flush()
  }

  waits() {
    return this.queue.length > 0 || this.speech.due
  }

  batch() {
    const batch = []
    for (let size = 0; this.queue.length > 0 && batch.length < BATCH_MAX && size < BATCH_BYTES; ) {
      const { json } = this.queue.shift()
      if (json.length <= BATCH_BYTES) batch.push(json)
      size += json.length
    }
    if (this.queue.length === 0) batch.push(...this.speech.take())
    return batch.join(",")
  }

  send(to, method, path, payload, ms) {
    return send(to, this.cancels, method, path, payload, ms)
  }

  async post(open, what, payload) {
    const got = await this.send(open.to, "POST", `v1/link/${open.id}/${what}`, payload, SEND_WAIT)
    if (got.status !== 200 && got.status !== 204) throw unexpected(got)
  }

  // drop ends the connection, so that run opens it again.
  drop(open = this.open) {
    if (!open || this.open !== open) return
    this.open = undefined
    this.queue = this.queue.filter((event) => outlasts(event.type))
    for (const cancel of [...this.cancels]) cancel()
  }

  // run opens the link, again and again, until the last instance has ended. A link that stood longer than the wait before it lets the
  // next one follow soon: hermes was restarted.
  async run() {
    for (let wait = RETRY_MIN; !this.stopped; ) {
      const since = Date.now()
      let most = RETRY_MAX
      try {
        await this.serve(await this.dial())
      } catch (err) {
        this.tell(refusal(err))
        if (isStandby(err) || (this.several && !err?.status)) most = SEEK_MAX
      }
      this.drop()
      this.attempt++
      if (Date.now() - since > wait) wait = this.several ? SEEK_MIN : RETRY_MIN
      await sleep(Math.min(wait, most) * (0.5 + Math.random() / 2))
      wait = Math.min(wait * 2, most)
    }
  }

  // watch ends the link when the hermes there leaves a ping without an answer, or does not act any more, and there are other addresses.
  // A process that was stopped keeps its connections: a poll would notice after half a minute only.
  async watch(open) {
    while (this.several) {
      await sleep(PING_EVERY)
      if (this.open !== open) return
      const since = Date.now()
      const got = await this.send(open.to, "GET", "v1/link", undefined, PING_WAIT).catch(() => undefined)
      const late = Date.now() - since > PING_WAIT + SECOND / 4 // this process was held up, or the machine slept
      if (got ? got.status >= 500 : !late) this.drop(open)
    }
  }

  // tell says once why hermes refuses the link, and again only after it took one, or refuses it for another reason.
  async tell(why) {
    if (why === undefined || why === this.told) return
    this.told = why
    await sleep(TELL_AFTER)
    if (!this.stopped && this.told === why) await this.opencode.tell(why)
  }

  // remind shows it once more when the agent begins to work, since somebody looks then: OpenCode answers true and shows nothing while
  // its terminal still starts (seen with 1.18.34 on a busy machine).
  remind() {
    if (this.told === undefined || this.told === this.reminded) return
    this.reminded = this.told
    later(0, () => this.opencode.show(this.reminded))
  }

  // dial opens the link. hermes lists then what waits.
  async dial() {
    const { urls, token } = await settings()
    this.several = urls.length > 1
    const to = { url: urls[this.attempt % urls.length], token }
    const { opencode } = this
    const version = await opencode.learnVersion()
    if (!opencode.isApart()) opencode.inputs.splice(0, opencode.inputs.length - 1)
    const resolved = await realpath(opencode.directory).catch(() => "?") // it may come to be anything
    if (this.stopped) throw new Error("stopped")
    const hello = {
      protocol: HERMES_PROTOCOL,
      plugin: HERMES_PLUGIN_VERSION,
      instance: randomUUID(),
      process: shared().process,
      pid: process.pid,
      url: addressOf(opencode.inputs[0])?.href,
      host: os.hostname(),
      directory: opencode.directory,
      resolved,
      version,
      time: Date.now(),
    }
    const got = await this.send(to, "POST", "v1/link", JSON.stringify(hello), this.several ? PING_WAIT : SEND_WAIT)
    const { link, remote, poll } = got.status === 200 ? parsed(got.text) : {}
    if (!like(/^[A-Za-z0-9_-]{1,64}$/)(link)) throw unexpected(got)
    this.told = this.reminded = undefined
    opencode.driven = remote === true
    this.speech.reset()
    return { to, id: link, poll: Math.min(Math.max(Number(poll) || 25, 1), 60), seen: 0 }
  }

  // serve polls for calls until hermes no longer knows the link, or cannot be reached a third time in a row.
  async serve(open) {
    this.open = open
    if (this.stopped) this.push(FAREWELL)
    this.flush()
    this.watch(open)
    for (let failed = 0; this.open === open; ) {
      const since = Date.now()
      const { rev } = this.speech
      const calls = await this.poll(open).catch((err) => {
        if (err?.status || ++failed === 3) throw err
      })
      if (calls) failed = 0
      else await sleep(SECOND / 2)
      const until = Date.now() + CALL_QUEUED
      for (const call of calls ?? []) await this.begin(open, call, until)
      if (calls?.length === 0 && Date.now() - since < SECOND) await sleep(rev === this.speech.rev ? SECOND : SECOND / 20)
    }
  }

  // poll waits for calls. "after" tells hermes which calls have arrived: an answer that was lost on the way is given again. "follow"
  // tells which list of followed sessions the plugin has.
  async poll(open) {
    const path = `v1/link/${open.id}/calls?after=${open.seen}&follow=${this.speech.rev}`
    const got = await this.send(open.to, "GET", path, undefined, (open.poll + 10) * SECOND)
    if (got.status === 204) return []
    if (got.status !== 200) throw unexpected(got)
    const { calls, follow } = JSON.parse(got.text)
    if (follow && this.opencode.driven) this.speech.follow(follow)
    const fresh = calls.filter(({ id }) => like(/^[0-9]{1,15}$/)(id) && Number(id) > open.seen).slice(0, CALLS_PER_POLL)
    for (const call of fresh) open.seen = Math.max(open.seen, Number(call.id))
    return fresh
  }

  // begin carries out a call, as soon as few others run, or tells hermes that it is not: OpenCode does not answer those before it. Until then
  // hermes is not polled: what it wants besides waits there.
  async begin(open, call, until) {
    const isFull = () => this.calls.size >= CALLS_AT_ONCE
    while (this.open === open && isFull() && Date.now() < until) await Promise.race([...this.calls, sleep(SECOND)])
    if (this.open !== open) return // hermes has given it up
    if (isFull()) return void this.answer(open, call, { error: "OpenCode is busy with other calls", unsent: true })
    const run = this.opencode.carryOut(call).then((result) => this.answer(open, call, result))
    this.calls.add(run)
    run.catch(() => {}).finally(() => this.calls.delete(run))
  }

  // answer gives hermes the result of a call. If that fails the link ends, and hermes looks what has come of the call.
  async answer(open, call, result) {
    const payload = JSON.stringify({ id: call.id, ...result })
    const isLarge = Buffer.byteLength(payload) > BODY_MAX
    const short = JSON.stringify({ id: call.id, error: `OpenCode's answer is larger than ${BODY_MAX >> 20} MiB` })
    await this.post(open, "results", isLarge ? short : payload).catch(() => this.drop(open))
  }

  // stop says goodbye, without waiting, and ends everything.
  stop() {
    this.push(FAREWELL)
    this.stopped = true
    const { links } = shared()
    if (links.get(this.opencode.directory) === this) links.delete(this.opencode.directory)
    later(SECOND, () => this.drop())
  }
}

// start hands an instance to the link of its directory. That of another copy of this file ends.
function start(input) {
  const { links } = shared()
  const before = links.get(input.directory)
  if (before instanceof Link) {
    before.join(input)
    return before
  }
  const link = new Link(input)
  before?.stop()
  links.set(input.directory, link)
  return link
}

// The one export: OpenCode calls every export of this file as a plugin.
export const Hermes = async (input) => {
  const quietly = (run) => {
    try {
      return run()
    } catch {}
  }
  const link = quietly(() => start(input))
  if (!link) return {}
  return {
    event: async (given) => quietly(() => link.event(input, given.event)),
    dispose: async () => quietly(() => link.leave(input)),
  }
}
