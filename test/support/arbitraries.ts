import * as fc from 'fast-check'
import { type Agent, agentStates } from '../../src/contract/agent.ts'
import { signatures } from '../../src/contract/channel.ts'
import { adviceKinds, adviceMoments, commandSources } from '../../src/contract/command.ts'
import { outcomes } from '../../src/contract/outcome.ts'
import { priorities } from '../../src/contract/directive.ts'
import type { Evidence } from '../../src/contract/identity.ts'
import { aliasKinds } from '../../src/contract/project.ts'
import { movedParts, moveKinds, snapshotCauses } from '../../src/contract/session.ts'
import { taskStates } from '../../src/contract/task.ts'
import { eventPriorities, mentionKinds } from '../../src/contract/team.ts'
import { manifest } from '../../src/contract/manifest.ts'
import type { AnyNewRecord, RecordBody, RecordType } from '../../src/contract/record.ts'
import { anyText } from './any-text.ts'
import { aDirective, agentRef, anAgent, aRecord, now } from './builders.ts'
import { fromSchema } from './from-schema.ts'

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

/** Where ids must meet, so that records tell of the same things. */
const meeting: { [T in RecordType]?: fc.Arbitrary<RecordBody<T>> } = {
  'directive.accepted': fc.record({ directive: anyDirective }),
  'agent.created': fc.record({ agent: anyAgent }),
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
  'command.ran': fc.record({ commands: fc.array(aCommand, { maxLength: 3 }) }),
  'command.forgotten': fc.record({ commands: fc.array(anId('cmd'), { maxLength: 3 }), isPrivate: fc.boolean() }),
  'command.session': fc.record({
    session: fc.record({
      id: aSession,
      author: anAuthor,
      cwd: fc.option(anyText),
      event: fc.constantFrom('start' as const, 'end' as const),
    }),
  }),
  'advice.decided': fc.record({ advice: anAdvice, next: fc.option(anId('cmd')) }),
}

export const recordTypes = Object.keys(manifest) as RecordType[]

/** A body of every kind of record there is. */
export const bodies = Object.fromEntries(
  recordTypes.map((type) => [type, meeting[type] ?? fromSchema(manifest[type].body)]),
) as { [T in RecordType]: fc.Arbitrary<RecordBody<T>> }

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
