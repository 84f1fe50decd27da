import { join } from 'node:path'
import type { Supervisor } from '../agents/supervisor.ts'
import type { HookCall, Responder } from '../contract/hooks.ts'
import { type AnyNewRecord, type AnyRecord, type LogRecord, newRecord } from '../contract/record.ts'
import { findDriver } from '../drivers/registry.ts'
import type { OfferPoint } from '../features/inbox/decide.ts'
import { Hearing } from '../features/loops/hearing.ts'
import { Library } from '../features/notes/library.ts'
import { Quarantine } from '../features/notes/quarantine.ts'
import { type Failure, type NotePorts, noteResponder } from '../features/notes/responder.ts'
import type { AgentWatcher } from '../agents/agent-watcher.ts'
import type { ServiceParts } from './services.ts'

interface NoteParts extends ServiceParts {
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  takesAt: (agent: string, point: OfferPoint) => boolean
  catchUp: (agent: string) => Promise<void>
}

export interface NoteServices {
  library: Library
  quarantine: Quarantine
  noteWatcher: AgentWatcher
  noteResponders: Responder[]
}

/** How far back it is looked for what an agent was told. */
const newestRecords = 500
const points = { prompt: 'prompt', failure: 'batch' } as const

/** Puts notes together: files of projects come in, what fits goes out. */
export const composeNotes = (parts: NoteParts): NoteServices => {
  const library = new Library(parts.now)
  const hearing = new Hearing({ driver: findDriver, catchUp: parts.catchUp, now: parts.now })
  const isOn = parts.settings['notes.enabled']
  return {
    library,
    quarantine: new Quarantine(join(parts.paths.state, 'notes')),
    noteWatcher: isOn ? { onEntry: (agent, entry) => hearing.read(agent, entry) } : {},
    noteResponders: isOn ? [noteResponder({ library, ...ports(parts, hearing) })] : [],
  }
}

const ports = (
  { supervisor, takesAt, log, append, now, newId, journal }: NoteParts,
  hearing: Hearing,
): Omit<NotePorts, 'library'> => ({
  cwd: (id) => supervisor.get(id)?.cwd ?? null,
  canHear: (id, moment) => takesAt(id, points[moment]),
  failures: (call) => failuresIn(hearing, call),
  toldBefore: (id) =>
    log
      .readNewest('notes', id, newestRecords)
      .filter(isTold)
      .map(({ body }) => body),
  record: (id, told) => {
    const project = supervisor.get(id)?.project ?? null
    const context = { id: newId('rec'), at: now(), actor: { kind: 'daemon' as const }, agent: id, project }
    void append([newRecord('note.told', told, context)]).catch((cause) =>
      journal.write('trouble', { where: 'notes', reason: String(cause) }),
    )
  },
})

const isTold = (record: AnyRecord): record is LogRecord<'note.told'> & AnyRecord => record.type === 'note.told'

const failuresIn = async (hearing: Hearing, call: HookCall): Promise<Failure[]> => {
  const failures: Failure[] = []
  for (const tool of call.tools) {
    const end = await hearing.endOf({ id: call.agent ?? '' }, call, tool)
    const command = findDriver(call.driver).shell.call(tool.name, tool.input)?.command ?? ''
    if (end?.outcome === 'failed') failures.push({ command, output: end.output })
  }
  return failures
}
