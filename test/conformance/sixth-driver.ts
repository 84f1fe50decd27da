/** A driver for an agent CLI that Rein does not know: all that one more CLI takes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchRequest } from '../../src/contract/agent.ts'
import type { ConversationEntry, EntryKind } from '../../src/contract/conversation.ts'
import { ReinError } from '../../src/contract/errors.ts'
import { contextSeparator, type HookCall, type HookEvent, type HookReply } from '../../src/contract/hooks.ts'
import type { LaunchPlan } from '../../src/contract/host.ts'
import type { TurnBlock } from '../../src/contract/turn.ts'
import type { Capability, Driver, HookMeta, LaunchContext, ShellTool, StreamEvent } from '../../src/drivers/contract.ts'
import { endedWith } from '../../src/drivers/shell-end.ts'
import { readTools } from '../../src/drivers/tool-actions.ts'
import { isObject, parseObject, textOf } from '../../src/base/util/json.ts'

const events: Record<string, HookEvent> = {
  SessionStart: 'session_start',
  Prompt: 'prompt',
  BeforeTool: 'before_tool',
  AfterTool: 'after_tool',
  Stop: 'stop',
}

const all = <T extends Capability>(can: boolean, ...names: T[]) =>
  Object.fromEntries(names.map((name) => [name, can])) as Record<T, boolean>

const able = {
  ...all(true, 'beforeTool', 'afterTool', 'onPrompt', 'onStart', 'onStop', 'deny'),
  ...all(true, 'wakeIdle', 'headless', 'writesContext'),
}
const unable = {
  ...all(false, 'afterBatch', 'ask', 'rewrite', 'answerPermission', 'resume', 'fork'),
  ...all(false, 'cut', 'skills', 'mcp', 'acp', 'tellsSubagents'),
}

const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  if (request.resume !== undefined || request.fork !== undefined || request.continue === true)
    throw new ReinError('unsupported_option', 'Tiny begins every conversation anew.')
  const conversation = request.session ?? context.newConversation
  return {
    command: context.installed.path,
    args: ['--session', conversation, '--hook', join(context.assets, 'rein-hook'), ...request.args],
    env: { ...context.env, ...request.env },
    cwd: request.cwd,
    conversation,
    firstPrompt: request.prompt ?? null,
    files: [],
  }
}

const neverSaid = { driver: 'tiny', transcript: null, subagent: null, source: null, question: null }

const decode = (payload: unknown, meta: HookMeta): HookCall => {
  const raw = isObject(payload) ? payload : {}
  return {
    ...neverSaid,
    ...meta,
    event: events[meta.native] ?? 'other',
    conversation: textOf(raw.session) ?? meta.conversation,
    cwd: textOf(raw.cwd),
    tools: isObject(raw.tool) ? [toolOf(raw.tool)] : [],
    prompt: textOf(raw.prompt),
    raw: payload,
  }
}

const toolOf = ({ id, name, input, output }: Record<string, unknown>) => ({
  id: String(id),
  name: String(name),
  input: isObject(input) ? input : {},
  ...(output === undefined ? {} : { response: output }),
})

const encode = ({ event }: HookCall, { decision, context, goOn }: HookReply): unknown => {
  if (event === 'before_tool') return decision?.kind === 'deny' ? { deny: decision.reason } : null
  const text = (event === 'stop' ? goOn : context).map((part) => part.text).join(contextSeparator)
  return text === '' ? null : { [event === 'stop' ? 'goOn' : 'context']: text }
}

const received = (line: string): StreamEvent[] => {
  const { type, session } = parseObject(line) ?? {}
  const evidence = { source: 'stream' as const, detail: String(type) }
  if (type === 'session') return [{ kind: 'conversation', conversation: String(session), evidence }]
  return type === 'working' || type === 'idle'
    ? [{ kind: 'state', state: type, evidence, question: null }]
    : [{ kind: 'activity' }]
}

const chained = { link: 'chain', message: null, calledBy: null, usage: null } as const

const entryOf = (raw: Record<string, unknown>): ConversationEntry => {
  const kind = raw.kind === 'context' ? 'hook_context' : (raw.kind as EntryKind)
  const text = textOf(raw.text) ?? ''
  const place = { id: String(raw.id), parent: textOf(raw.parent), at: Number(raw.at) }
  return { ...chained, ...place, kind, isReply: kind === 'assistant', text, blocks: blocksOf(raw, text), raw }
}

const blocksOf = ({ kind, call, calls, event }: Record<string, unknown>, text: string): TurnBlock[] => {
  if (kind === 'tool_result') return [{ type: 'tool_result', id: String(call), text, isError: false }]
  if (kind === 'context') return [{ type: 'context', source: String(event), text }]
  const used = Array.isArray(calls) ? calls.filter(isObject).map(toolOf) : []
  return [{ type: 'text', text }, ...used.map((tool) => ({ type: 'tool_use' as const, ...tool }))]
}

const shell: ShellTool = {
  call: (name, { command }) => (name === 'bash' ? { command: String(command), cwd: null } : null),
  end: ({ text }) => endedWith(null, text),
  heard: (response) => endedWith(null, String(response)),
}

export const tiny: Driver = {
  name: 'tiny',
  title: 'Tiny',
  program: 'tiny-agent',
  npmPackage: 'tiny-agent',
  minVersion: '1.0.0',
  login: { variables: [], files: () => [], mayBeElsewhere: () => true, command: 'tiny-agent login' },
  hosts: ['stream'],
  capabilities: (version) => ({ ...able, ...unable, proven: version === '1.0.0' }),
  reasons: () => Object.fromEntries(Object.keys(unable).map((name) => [name, `Tiny has no ${name}.`])),
  assets: ({ programs }) => [
    { path: 'rein-hook', content: readFileSync(join(programs, 'rein-hook'), 'utf8'), executable: true },
  ],
  launch,
  foreign: { items: () => [], isTrusted: () => false, asks: () => false, weakens: () => [] },
  hooks: { atStart: () => true, decode, encode, tellsRewrite: false },
  transcript: {
    format: { kind: 'lines', reader: () => (line) => [entryOf(parseObject(line) ?? {})] },
    locate: (conversation, _, env) => join(env['HOME'] ?? '', '.tiny', `${conversation}.jsonl`),
  },
  cut: null,
  carry: null,
  compact: null,
  offline: null,
  shell,
  ...readTools(shell, { own: { bash: 'shell' }, mcp: null }),
  fileTools: () => ({ read: null, edit: null, write: null, search: null, find: null }),
  stream: (send) => ({
    begin: () => Promise.resolve(),
    prompt: (text) => send(`${JSON.stringify({ type: 'prompt', text })}\n`),
    interrupt: () => send(`${JSON.stringify({ type: 'interrupt' })}\n`),
    answer: () => Promise.reject(new Error('Tiny asks nothing.')),
    receive: received,
    live: () => [],
  }),
  terminal: { read: () => ({ kind: 'unknown' }), interrupt: { keys: [], pauseMs: 0 }, enterDelayMs: 0 },
  wake: () => ({ kind: 'paste' }),
  deployment: () => [],
}
