#!/usr/bin/env node
// An agent CLI in small: prompts come as JSON lines on stdin, a model and one shell tool do the work, hooks are called
// as `<hook> tiny <Event>`, and ~/.tiny/<session>.jsonl keeps the conversation.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { version: { type: 'boolean' }, session: { type: 'string' }, hook: { type: 'string' } },
})
const session = values.session ?? randomUUID()
const directory = path.join(homedir(), '.tiny')
const shellTool = { name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } }
const messages = []
let last = null
let running = new AbortController()

const say = (line) => console.log(JSON.stringify(line))

/** What goes to the model is written down first. */
function add(kind, message, more = {}) {
  const entry = { id: randomUUID(), parent: last, at: Date.now(), kind, text: message.content ?? '', ...more }
  appendFileSync(path.join(directory, `${session}.jsonl`), `${JSON.stringify(entry)}\n`)
  last = entry.id
  messages.push(message)
}

const addContext = (context, event) =>
  context === undefined ||
  add('context', { role: 'user', content: `Additional context from ${event} hook:\n${context}` }, { event })

/** Resolves with what the program printed, however it ended. */
function output(program, args, input, options = {}) {
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (_, stdout, stderr) => resolve(`${stdout}${stderr}`))
    child.stdin.on('error', () => {}).end(input)
  })
}

async function hook(event, more = {}) {
  if (values.hook === undefined) return {}
  const said = await output(values.hook, ['tiny', event], JSON.stringify({ session, cwd: process.cwd(), ...more }))
  return said.trim() === '' ? {} : JSON.parse(said)
}

async function askModel() {
  const response = await fetch(`${process.env.TINY_MODEL_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': session },
    body: JSON.stringify({ model: 'scripted', messages, tools: [{ type: 'function', function: shellTool }] }),
    signal: running.signal,
  })
  const { choices } = await response.json()
  return choices[0].message
}

const toolOf = ({ id, function: { name, arguments: input } }) => ({ id, name, input: JSON.parse(input) })

/** Returns what the hook after the tool wants to be added. */
async function useTool(call) {
  const tool = toolOf(call)
  const { deny } = await hook('BeforeTool', { tool })
  const content = deny ?? (await output('sh', ['-c', tool.input.command], '', { signal: running.signal }))
  add('tool_result', { role: 'tool', tool_call_id: tool.id, content }, { call: tool.id })
  return deny === undefined ? (await hook('AfterTool', { tool: { ...tool, output: content } })).context : undefined
}

/** One reply of the model and what it leads to; false when the turn is over. */
async function step() {
  const reply = await askModel()
  const calls = reply.tool_calls ?? []
  add('assistant', reply, { calls: calls.map(toolOf) })
  const contexts = []
  for (const call of calls) contexts.push(await useTool(call))
  for (const context of contexts) addContext(context, 'AfterTool')
  if (calls.length > 0) return true
  const { goOn } = await hook('Stop')
  if (goOn !== undefined) add('feedback', { role: 'user', content: goOn })
  return goOn !== undefined
}

async function turn(prompt) {
  running = new AbortController()
  say({ type: 'working' })
  add('prompt', { role: 'user', content: prompt })
  addContext((await hook('Prompt', { prompt })).context, 'Prompt')
  while (await step());
}

async function main() {
  mkdirSync(directory, { recursive: true })
  say({ type: 'session', session })
  addContext((await hook('SessionStart')).context, 'SessionStart')
  let turns = Promise.resolve()
  const idle = (error) => say({ type: 'idle', ...(error === undefined ? {} : { error: String(error) }) })
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { type, text } = JSON.parse(line)
    if (type === 'interrupt') running.abort()
    if (type === 'prompt') turns = turns.then(() => turn(text)).then(() => idle(), idle)
  })
}

if (values.version) console.log('tiny 1.0.0')
else await main()
