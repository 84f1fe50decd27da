import { relative } from 'node:path'
import type { Client } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import type { AnyRecord, LogRecord, RecordType } from '../../contract/record.ts'
import { formatMinute, formatTime } from '../format.ts'
import type { Style } from '../output.ts'

/** Waits until the log has what is looked for, and says it in a line. */
interface Witness {
  told(from: string, to: string, text: string): Promise<void>
  posted(by: string, text: string): Promise<void>
  published(kind: string, by: string): Promise<void>
  took(holder: string): Promise<void>
  denied(handle: string): Promise<void>
  released(holder: string): Promise<void>
  /** It crashed in this conversation, and runs again. */
  cameBack(handle: string, conversation: string | null): Promise<void>
}

/** Longer than any step takes on a slow machine. */
export const stepLimitMs = 120_000

/** A stream that reaches its limit just ends. */
export const inVain = (what: string): ReinError =>
  new ReinError(
    'failed',
    `The demo waited ${stepLimitMs / 1000} s for ${what}, in vain.`,
    'Try again when this machine has less to do.',
  )

type Show = (line: string) => void
type Find = <T extends RecordType>(
  topic: string,
  type: T,
  match: (record: LogRecord<T>) => boolean,
) => Promise<LogRecord<T>>

export const createWitness = (client: Client, show: Show, style: Style): Witness => {
  const find: Find = async (topic, type, match) => {
    for await (const record of client.tail({ topic, after: 0, follow: true }, AbortSignal.timeout(stepLimitMs)))
      if (isOf(record, type) && match(record)) return record
    throw inVain(type)
  }
  const say = ({ at }: { at: number }, line: string): void => show(`  ${style.dim(formatTime(at, at))}  ${line}`)
  const leaseOf = (holder: string) =>
    find('leases', 'lease.taken', ({ body: { lease } }) => lease.holder?.handle === holder)
  return {
    told: async (from, to, text) => {
      const record = await find(
        'directives',
        'directive.accepted',
        ({ body: { directive } }) => directive.agent.handle === to && directive.text === text,
      )
      say(record, `${style.cyan(from)} tells ${style.cyan(to)}: ${text}`)
    },
    posted: async (by, text) => {
      const record = await find('chats', 'chat.posted', ({ body: { post } }) => post.text.startsWith(text))
      say(record, `${style.cyan(by)} in the room: ${record.body.post.text}`)
    },
    published: async (kind, by) => {
      const record = await find(
        'events',
        'event.published',
        ({ actor, body: { event } }) => event.type === kind && actor.kind === 'agent' && actor.handle === by,
      )
      say(record, `${style.cyan(by)}, ${style.yellow(kind)}: ${record.body.event.payload}`)
    },
    took: async (holder) => {
      const record = await leaseOf(holder)
      say(
        record,
        `${style.cyan(holder)} holds ${record.body.lease.glob} (${record.body.lease.mode}) until ${formatMinute(record.body.lease.until, record.body.lease.at)}`,
      )
    },
    denied: async (handle) => {
      const id = await idOf(find, handle)
      const record = await find('leases', 'lease.denied', ({ agent }) => agent === id)
      const { lease, path, tool } = record.body
      const { holder, root, until } = (await find('leases', 'lease.taken', (taken) => taken.body.lease.id === lease))
        .body.lease
      const who = `${holder?.handle} holds it until ${formatMinute(until, record.at)}`
      say(
        record,
        `${style.cyan(handle)} writes ${relative(root, path)} (${tool}): ${style.red('denied')}, because ${who}`,
      )
    },
    released: async (holder) => {
      const { body: taken } = await leaseOf(holder)
      const record = await find('leases', 'lease.ended', ({ body }) => body.lease === taken.lease.id)
      say(record, `${style.cyan(holder)} has ${record.body.why} ${taken.lease.glob}`)
    },
    cameBack: async (handle, conversation) => {
      const id = await idOf(find, handle)
      const isHis = (record: AnyRecord): boolean => record.agent === id
      const crash = await find('agents', 'agent.state', (record) => isHis(record) && record.body.state === 'crashed')
      say(crash, `${style.cyan(handle)} ${style.red('crashed')}`)
      const back = await find('agents', 'agent.launched', (record) => isHis(record) && record.seq > crash.seq)
      const which = back.body.conversation === conversation ? 'the same' : 'another'
      say(back, `${style.cyan(handle)} is ${style.green('back')}: pid ${back.body.process.pid}, ${which} conversation`)
    },
  }
}

const idOf = async (find: Find, handle: string): Promise<string> =>
  (await find('agents', 'agent.created', ({ body }) => body.agent.handle === handle)).body.agent.id

const isOf = <T extends RecordType>(record: AnyRecord, type: T): record is AnyRecord & LogRecord<T> =>
  record.type === type
