import * as fc from 'fast-check'
import { type Agent, agentStates } from '../../src/contract/agent.ts'
import { signatures } from '../../src/contract/channel.ts'
import { adviceKinds, adviceMoments, commandSources } from '../../src/contract/command.ts'
import { loopKinds } from '../../src/contract/loop.ts'
import { outcomes } from '../../src/contract/outcome.ts'
import { priorities } from '../../src/contract/directive.ts'
import type { Evidence } from '../../src/contract/identity.ts'
import { aliasKinds } from '../../src/contract/project.ts'
import { movedParts, moveKinds, snapshotCauses } from '../../src/contract/session.ts'
import { taskStates } from '../../src/contract/task.ts'
import { eventPriorities, mentionKinds } from '../../src/contract/team.ts'
import { type AnyNewRecord, manifest, type RecordBody, type RecordType } from '../../src/contract/record.ts'
import { aDirective, agentRef, anAgent, aRecord, now } from './builders.ts'

/** Text of the kinds that break things: any Unicode, controls, directions, line ends of all sorts, astral pairs. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '|',
      '"',
      '<',
      '>',
      '\\',
      '\t',
      '\n',
      '\r',
      '\r\n',
      '\u0000',
      '\u001b',
      '\u0085',
      '\u200b',
      '\u2028',
      '\u2029',
      '\u202e',
      '\u2066',
      '\ufeff',
      '\u{e0041}',
      '😀',
      '👩‍💻',
      'ä',
    ),
    maxLength: 60,
  }),
)

export const anEvidence: fc.Arbitrary<Evidence> = fc.record(
  {
    source: fc.constantFrom('stream', 'hook', 'transcript', 'screen', 'process', 'command'),
    conversation: fc.uuid(),
    entry: fc.uuid(),
    descendant: fc.uuid(),
    detail: anyText,
  },
  { requiredKeys: ['source'] },
)

const aQuestion = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom('permission' as const, 'question' as const, 'plan' as const),
  tool: fc.constantFrom('Bash', 'AskUserQuestion'),
  input: fc.constant({ command: 'ls' }),
  summary: anyText,
})

const aProcess = fc.record({ pid: fc.integer({ min: 1, max: 99_999 }), startTime: fc.string({ maxLength: 8 }) })
const aTurnRef = { conversation: fc.uuid(), turn: fc.uuid() }
const aUsage = fc.record(
  { inputTokens: fc.nat(), cacheTokens: fc.nat(), outputTokens: fc.nat(), model: fc.option(anyText), window: fc.nat() },
  { requiredKeys: ['inputTokens', 'outputTokens', 'model'] },
)
const aCount = fc.nat({ max: 9 })

const anyAgent: fc.Arbitrary<Agent> = fc
  .record({ state: fc.constantFrom(...agentStates), since: fc.nat(), stopBlocks: aCount })
  .map((given) => anAgent(given))

const anyDirective = fc
  .record({ priority: fc.constantFrom(...priorities), text: anyText, from: fc.string({ minLength: 1, maxLength: 9 }) })
  .map((given) => aDirective(given))

const agentIds = ['agt_a', 'agt_b']
const anId = (prefix: string): fc.Arbitrary<string> =>
  fc.constantFrom(...['a', 'b', 'c'].map((end) => `${prefix}_${end}`))
const aChannelName = fc.constantFrom('telegram', 'timer', 'out-1')
const aRoute = fc.oneof(
  fc.record({ agent: fc.constant(agentRef), allowsBypass: fc.boolean() }),
  fc.record({ room: fc.constant('project/build'), allowsBypass: fc.boolean() }),
)
const aChannel = fc.record({
  name: aChannelName,
  isHuman: fc.boolean(),
  isKept: fc.boolean(),
  senders: fc.option(fc.array(anyText, { maxLength: 2 })),
  route: fc.option(aRoute),
  signature: fc.option(fc.constantFrom(...signatures)),
  tokenVersion: fc.integer({ min: 1, max: 9 }),
})
const aMessage = fc.record({
  id: anId('msg'),
  channel: aChannelName,
  text: anyText,
  sender: fc.option(anyText),
  via: fc.constantFrom('fifo', 'http', 'socket'),
  at: fc.nat(),
  claimedAt: fc.option(fc.nat()),
  meta: fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), fc.nat(), { noNullPrototype: true, maxKeys: 2 }),
})
const anOutgoing = fc.record({
  id: anId('out'),
  channel: aChannelName,
  text: anyText,
  from: fc.option(fc.constant(agentRef)),
  at: fc.nat(),
  replyTo: fc.option(aMessage.map(({ id, sender, meta }) => ({ id, sender, meta }))),
})

const aRoomKey = fc.constantFrom('project/build', 'project/ops')
const anActor = fc.oneof(
  fc.constant({ kind: 'user' as const, name: 'user' }),
  fc.constantFrom(...agentIds).map((id) => ({ kind: 'agent' as const, id, handle: id.replace('_', '-') })),
  fc.constant({ kind: 'channel' as const, name: 'phone', sender: 'ada' }),
  fc.constant({ kind: 'daemon' as const }),
)
const aMember = fc.constantFrom('user', ...agentIds)
const anAgentRef = fc
  .constantFrom(...agentIds)
  .map((id) => ({ ...agentRef, id, project: 'project', handle: id.replace('_', '-') }))
const aPost = fc.record({
  id: anId('post'),
  room: aRoomKey,
  author: anActor,
  text: anyText,
  at: fc.nat(),
  mentions: fc.array(fc.record({ agent: anAgentRef, kind: fc.constantFrom(...mentionKinds) }), { maxLength: 2 }),
  kind: fc.constantFrom('message' as const, 'answer' as const, 'checkin' as const),
})
const aBusEvent = fc.record({
  id: anId('evt'),
  project: fc.constant('project'),
  type: fc.constantFrom('task-complete', 'own-type'),
  v: fc.nat({ max: 1 }),
  priority: fc.constantFrom(...eventPriorities),
  payload: anyText,
  from: anActor,
  to: fc.option(anAgentRef),
  delivery: fc.constantFrom('each' as const, 'once' as const),
  dedup: fc.option(fc.constantFrom('a', 'b')),
  at: fc.nat(),
  due: fc.option(fc.nat()),
})
const aSubject = fc.constantFrom('room:build', 'room:*', 'bus:task-*', 'hub:backend')

const aSnapshotRef = fc.record({
  id: anId('snap'),
  tree: fc.constantFrom('tree_a', 'tree_b'),
  head: fc.option(fc.constant('commit')),
  branch: fc.option(fc.constant('main')),
})
const aConversation = fc.constantFrom('conversation_a', 'conversation_b')
const aPlace = fc.record({ conversation: aConversation, turn: fc.option(anId('turn')) })

const aSession = fc.constantFrom('conversation_a', 'shell_b')
const anAuthor = fc.constantFrom('person', 'claude')
const aCommand = fc.record({
  id: anId('cmd'),
  command: anyText,
  at: fc.option(fc.nat()),
  cwd: fc.option(anyText),
  exit: fc.option(fc.nat()),
  durationMs: fc.option(fc.nat()),
  outcome: fc.constantFrom(...outcomes),
  session: aSession,
  author: anAuthor,
  output: fc.option(anyText),
  branch: fc.option(anyText),
  isDirty: fc.option(fc.boolean()),
  tools: fc.array(anyText, { maxLength: 2 }),
  edited: fc.array(anyText, { maxLength: 2 }),
  source: fc.constantFrom(...commandSources),
  secrets: fc.nat({ max: 3 }),
})
const anAdvice = fc.record({
  id: anId('adv'),
  session: aSession,
  author: anAuthor,
  moment: fc.constantFrom(...adviceMoments),
  kind: fc.constantFrom(...adviceKinds),
  isShown: fc.boolean(),
  why: anyText,
  text: fc.option(anyText),
  about: fc.option(anyText),
  suggestions: fc.array(fc.record({ command: anyText, score: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 2,
  }),
})

const aNoticed = {
  loop: fc.record({
    kind: fc.constantFrom(...loopKinds),
    calls: fc.array(anyText, { maxLength: 2 }),
    count: aCount,
    result: anyText,
  }),
  conversation: fc.option(anyText),
  subagent: fc.option(anyText),
}

const aTaskMember = fc.record({
  agent: fc.constant(agentRef),
  role: fc.constantFrom('lead', 'member'),
  worktree: fc.option(anyText),
  branch: fc.option(anyText),
})

/** A project has one task of a name, so each id has its own. */
const taskNames: Record<string, string> = { task_a: 'parser', task_b: 'Docs_2', task_c: 'page' }

const aTask = fc
  .record({
    id: anId('task'),
    project: fc.constant('project'),
    root: anyText,
    state: fc.constantFrom(...taskStates),
    reason: fc.option(anyText),
    members: fc.array(aTaskMember, { maxLength: 2 }),
    worktrees: fc.constantFrom('none' as const, 'task' as const, 'agent' as const),
    createdAt: fc.nat(),
    since: fc.nat(),
  })
  .map((task) => ({ ...task, name: taskNames[task.id] ?? '' }))

/** A body of every kind of record there is: a new kind does not compile without one. */
export const bodies: { [T in RecordType]: fc.Arbitrary<RecordBody<T>> } = {
  'run.decided': fc.record(
    {
      action: fc.constantFrom('prompt', 'pause', 'end'),
      reason: anyText,
      detail: anyText,
      turns: aCount,
      costUsd: fc.option(aCount),
    },
    { requiredKeys: ['action', 'reason', 'turns', 'costUsd'] },
  ),
  'directive.accepted': fc.record({ directive: anyDirective }),
  'directive.offered': fc.record({
    attempt: aCount,
    via: fc.constantFrom('context', 'feedback', 'denial', 'read'),
    parts: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    partCount: fc.integer({ min: 1, max: 3 }),
  }),
  'directive.placed': fc.record({ evidence: anEvidence }),
  'directive.seen': fc.record({ evidence: anEvidence }),
  'directive.acked': fc.record({ note: anyText, evidence: anEvidence }, { requiredKeys: ['evidence'] }),
  'directive.requeued': fc.record({ reason: anyText, evidence: anEvidence }, { requiredKeys: ['reason'] }),
  'directive.held': fc.record({ reason: anyText }),
  'directive.expired': fc.constant({}),
  'directive.cancelled': fc.constant({}),
  'directive.failed': fc.record({ reason: anyText }),
  'agent.created': fc.record({ agent: anyAgent }),
  'agent.launched': fc.record({
    process: aProcess,
    launch: fc.option(fc.nat()),
    host: fc.constantFrom('stream' as const, 'tmux' as const),
    version: fc.constant('2.1.197'),
    cwd: anyText,
    program: fc.option(anyText),
    conversation: fc.option(fc.uuid()),
    transcript: fc.option(anyText),
    request: fc.record({
      cwd: anyText,
      env: fc.constant({}),
      args: fc.array(anyText, { maxLength: 2 }),
    }),
  }),
  'agent.state': fc.record({
    state: fc.constantFrom(...agentStates),
    evidence: anEvidence,
    question: fc.option(aQuestion),
    until: fc.option(fc.nat()),
  }),
  'agent.answered': fc.record({
    question: aQuestion,
    answer: anyText,
    by: fc.constantFrom('policy', 'rule', 'person'),
    why: anyText,
  }),
  'rule.decided': fc.record({
    event: fc.constantFrom('before_tool', 'stop'),
    conversation: fc.option(anyText),
    subagent: fc.option(anyText),
    tool: fc.option(anyText),
    call: anyText,
    opinions: fc.array(
      fc.record(
        { by: anyText, kind: fc.constantFrom('deny', 'warn'), reason: anyText },
        { requiredKeys: ['by', 'kind', 'reason'] },
      ),
      { maxLength: 2 },
    ),
    decided: fc.option(fc.constantFrom('deny', 'ask')),
  }),
  'agent.held': fc.record({ held: fc.array(aQuestion, { maxLength: 2 }) }),
  'agent.paused': fc.record({ isPaused: fc.boolean(), isCutOff: fc.boolean(), reason: fc.option(anyText) }),
  'agent.model': fc.record({ model: fc.record({ name: anyText, window: fc.option(aCount) }) }),
  'agent.health': fc.record({
    health: fc.record({ hooks: fc.constantFrom('unknown', 'heard', 'silent'), failures: aCount, healed: aCount }),
    reason: anyText,
  }),
  'agent.context': fc.record({
    step: fc.constantFrom('warn', 'handover', 'rotate', 'emptied'),
    conversation: fc.uuid(),
    used: fc.nat(),
    window: fc.nat(),
  }),
  'agent.conversation': fc.record({ conversation: fc.uuid(), transcript: anyText, evidence: anEvidence }),
  'agent.stop_blocked': fc.record({ count: aCount }),
  'agent.interrupted': fc.record({ evidence: anEvidence }),
  'agent.foreign': fc.record({ conversation: fc.uuid(), pid: fc.option(fc.nat()), event: fc.constant('Stop') }),
  'session.exported': fc.record({
    session: anyText,
    sha256: anyText,
    turns: fc.array(anyText, { maxLength: 3 }),
    isRedacted: fc.boolean(),
  }),
  'session.imported': fc.record({
    session: anyText,
    root: anyText,
    turns: fc.array(anyText, { maxLength: 3 }),
    conversation: fc.option(fc.uuid()),
    agreed: fc.array(fc.record({ class: anyText, count: aCount, paths: fc.array(anyText, { maxLength: 3 }) }), {
      maxLength: 3,
    }),
  }),
  'channel.set': fc.record({ channel: aChannel }),
  'channel.removed': fc.record({ name: aChannelName }),
  'channel.default': fc.record({ route: fc.option(aRoute) }),
  'message.received': fc.record({ message: aMessage }),
  'message.routed': fc.oneof(
    fc.record({ message: anId('msg'), agent: fc.constantFrom(...agentIds) }),
    fc.record({ message: anId('msg'), agent: fc.constant(''), room: fc.constant('project/build') }),
  ),
  'message.answered': fc.record({ message: anId('msg') }),
  'message.dropped': fc.record({ message: anId('msg') }),
  'message.sent': fc.record({ outgoing: anOutgoing }),
  'message.lent': fc.record({ until: fc.nat() }),
  'message.delivered': fc.record({ by: anyText }),
  'message.failed': fc.record({ reason: anyText, attempt: aCount, until: fc.nat() }),
  'message.dead': fc.record({ reason: anyText }),
  'message.retried': fc.constant({}),
  'adapter.set': fc.record({ adapter: fc.record({ name: aChannelName, kind: anyText, config: anyText }) }),
  'adapter.removed': fc.record({ name: aChannelName }),
  'project.known': fc.record({
    project: fc.constantFrom('project', 'other'),
    aliases: fc.array(
      fc.record({ kind: fc.constantFrom(...aliasKinds), key: anId('key'), place: fc.option(anyText) }),
      { maxLength: 3 },
    ),
    gone: fc.array(anId('key'), { maxLength: 2 }),
  }),
  'task.created': fc.record({ task: aTask }),
  'task.state': fc.record({ task: anId('task'), state: fc.constantFrom(...taskStates), reason: fc.option(anyText) }),
  'task.joined': fc.record({ task: anId('task'), member: aTaskMember }),
  'task.left': fc.record({ task: anId('task'), agent: anId('agt'), reason: anyText }),
  'lease.taken': fc.record({
    lease: fc.record({
      id: anId('lease'),
      project: fc.constant('project'),
      root: fc.constantFrom('/p', '/p-worktrees/a'),
      glob: fc.constantFrom('src/**', 'docs/*.md'),
      mode: fc.constantFrom('exclusive', 'shared'),
      holder: fc.option(fc.constant(agentRef)),
      why: fc.option(fc.constantFrom('', 'the parser')),
      at: fc.nat(),
      until: fc.nat(),
    }),
  }),
  'lease.renewed': fc.record(
    { lease: anId('lease'), until: fc.nat(), why: fc.option(fc.constantFrom('', 'the lexer')) },
    { requiredKeys: ['lease', 'until'] },
  ),
  'lease.ended': fc.record({ lease: anId('lease'), why: fc.constantFrom('released', 'expired', 'taken away') }),
  'lease.denied': fc.record({ lease: anId('lease'), path: anyText, tool: anyText }),
  'room.created': fc.record({
    room: fc.record({
      project: fc.constant('project'),
      name: fc.constantFrom('build', 'ops'),
      about: anyText,
      createdAt: fc.nat(),
    }),
  }),
  'room.paused': fc.record({ room: aRoomKey, isPaused: fc.boolean(), until: fc.option(fc.nat()) }),
  'room.archived': fc.record({ room: aRoomKey, upTo: aCount, file: anyText }),
  'chat.posted': fc.record({ post: aPost }),
  'chat.read': fc.record({ room: aRoomKey, member: aMember, upTo: aCount }),
  'checkin.asked': fc.record({ room: aRoomKey, slot: aCount, asked: fc.array(fc.constantFrom(...agentIds)) }),
  'event.published': fc.record({ event: aBusEvent, recipients: fc.uniqueArray(aMember, { maxLength: 3 }) }),
  'event.leased': fc.record({ event: anId('evt'), member: aMember, until: fc.nat() }),
  'event.acked': fc.record({ event: anId('evt'), member: aMember }),
  'event.escalated': fc.record({ event: anId('evt'), level: fc.constantFrom(1, 2) }),
  'event.pruned': fc.record({ events: fc.array(anId('evt'), { maxLength: 3 }) }),
  'watch.set': fc.record({
    watch: fc.record({
      subjects: fc.array(aSubject, { maxLength: 2 }),
      except: fc.array(aSubject, { maxLength: 2 }),
      intervalS: fc.option(fc.nat()),
    }),
  }),
  'control.line': fc.record({ line: anyText, error: fc.option(anyText) }),
  'decision.logged': fc.record({
    decision: fc.record({
      id: anId('dec'),
      project: fc.constant('project'),
      text: anyText,
      by: anActor,
      at: fc.nat(),
    }),
  }),
  'checkpoint.due': fc.record({ decisions: fc.nat(), bucket: aCount, event: anId('evt') }),
  'checkpoint.handled': fc.record({ event: anId('evt'), exit: fc.option(fc.nat()), output: anyText }),
  'session.snapshot': fc.record({
    conversation: aConversation,
    cause: fc.constantFrom(...snapshotCauses),
    at: fc.nat(),
    isClean: fc.boolean(),
    root: anyText,
    snapshot: aSnapshotRef,
    skipped: fc.array(fc.record({ path: anyText, reason: anyText, bytes: fc.option(fc.nat()) }), { maxLength: 2 }),
  }),
  'session.continued': fc.record({ session: anId('ses'), conversation: aConversation, from: aPlace }),
  'session.moving': fc.record({
    move: fc.record({
      id: anId('mov'),
      kind: fc.constantFrom(...moveKinds),
      of: fc.option(anId('mov')),
      agent: anAgentRef,
      session: anId('ses'),
      part: fc.constantFrom(...movedParts),
      from: aPlace,
      to: aPlace,
      files: fc.option(fc.record({ root: anyText, safety: aSnapshotRef, target: aSnapshotRef })),
      wasRunning: fc.boolean(),
    }),
  }),
  'session.moved': fc.record({ move: anId('mov'), conversation: fc.option(aConversation) }),
  'session.failed': fc.record({
    move: anId('mov'),
    reason: anyText,
    found: fc.option(anyText),
    filesStay: fc.boolean(),
  }),
  'session.dropped': fc.record({
    root: anyText,
    snapshots: fc.array(fc.constantFrom('snapshot_a', 'snapshot_b'), { maxLength: 2 }),
  }),
  'command.ran': fc.record({ commands: fc.array(aCommand, { maxLength: 3 }) }),
  'command.forgotten': fc.record({ commands: fc.array(anId('cmd'), { maxLength: 3 }), isPrivate: fc.boolean() }),
  'loop.noted': fc.record({ ...aNoticed, text: anyText }),
  'loop.asked': fc.record({ ...aNoticed, isDenied: fc.boolean() }),
  'loop.stopped': fc.record({ ...aNoticed, reason: anyText }),
  'note.told': fc.record({
    conversation: anyText,
    notes: fc.array(anyText, { maxLength: 3 }),
    moment: fc.constantFrom('prompt' as const, 'failure' as const),
  }),
  'command.session': fc.record({
    session: fc.record({
      id: aSession,
      author: anAuthor,
      cwd: fc.option(anyText),
      event: fc.constantFrom('start' as const, 'end' as const),
    }),
  }),
  'advice.decided': fc.record({ advice: anAdvice, next: fc.option(anId('cmd')) }),
  'turn.started': fc.record({ ...aTurnRef, prompt: anyText, entry: fc.uuid() }),
  'turn.entry': fc.record({
    ...aTurnRef,
    entry: fc.uuid(),
    role: fc.constantFrom('user', 'assistant', 'system'),
    blocks: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: anyText }),
        fc.record({ type: fc.constant('thinking' as const), thinking: anyText }),
        fc.record({
          type: fc.constant('tool_use' as const),
          id: fc.uuid(),
          name: anyText,
          input: fc.constant({ a: 1 }),
        }),
        fc.record({ type: fc.constant('tool_result' as const), id: fc.uuid(), text: anyText, isError: fc.boolean() }),
        fc.record({ type: fc.constant('context' as const), source: anyText, text: anyText }),
        fc.record({ type: fc.constant('other' as const), raw: fc.jsonValue() }),
      ),
      { maxLength: 3 },
    ),
    usage: aUsage,
  }),
  'turn.ended': fc.record({
    ...aTurnRef,
    leaf: fc.uuid(),
    reason: anyText,
    entries: fc.nat(),
    usage: fc.option(aUsage),
  }),
  'turn.subagent_started': fc.record({ ...aTurnRef, subagent: fc.uuid(), kind: anyText, description: anyText }),
  'turn.subagent_stopped': fc.record({ ...aTurnRef, subagent: fc.uuid(), result: anyText }),
}

export const recordTypes = Object.keys(manifest) as RecordType[]

const directiveIds = ['dir_a', 'dir_b', 'dir_c']

/** Bodies that carry an id must carry that of the record. */
const withIds = (type: RecordType, body: unknown, directive: string, agent: string): unknown => {
  const ref = { ...agentRef, id: agent, handle: agent.replace('_', '-') }
  if (type === 'directive.accepted')
    return { directive: { ...(body as { directive: object }).directive, id: directive, agent: ref } }
  if (type === 'agent.created') return { agent: { ...(body as { agent: object }).agent, ...ref } }
  return body
}

/** Records of directives and agents in any order, whether it makes sense or not; some ids come twice. */
export const history: fc.Arbitrary<AnyNewRecord[]> = fc.array(
  fc
    .record({
      type: fc.constantFrom(...recordTypes),
      directive: fc.constantFrom(...directiveIds),
      agent: fc.constantFrom(...agentIds),
      at: fc.integer({ min: now, max: now + 100_000 }),
      id: fc.integer({ min: 0, max: 60 }),
    })
    .chain(({ type, directive, agent, at, id }) =>
      (bodies[type] as fc.Arbitrary<RecordBody<RecordType>>).map((body) =>
        aRecord(type, withIds(type, body, directive, agent) as RecordBody<RecordType>, {
          id: `rec_${id}`,
          at,
          agent,
          cause: directive,
        }),
      ),
    ),
  { maxLength: 40 },
)
