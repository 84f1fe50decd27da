import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPlaceFacts } from '../src/agents/projects/place-facts.ts'
import { type AnyNewRecord, newRecord } from '../src/contract/record.ts'
import { snapshotCauses } from '../src/contract/session.ts'
import { migrations, projectors } from '../src/daemon/schema.ts'
import { LogWriter } from '../src/base/log/writer.ts'
import { openShadow, type Snapshot } from '../src/features/sessions/snapshots/shadow.ts'
import { migrate } from '../src/base/store/migrate.ts'
import { openForWriting } from '../src/base/store/sqlite.ts'
import { ensurePrivateDir } from '../src/base/util/private-dir.ts'
import { anAgent } from '../test/support/builders.ts'
import { type Box, repository } from '../test/process/harness.ts'
import { turnRecords } from '../test/support/turn-records.ts'
import { withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, times } from './measure.ts'

const turnCount = 10_000
const turnMs = 60_000
const rounds = 15
const agent = 'agt_bench'
const conversation = 'c0ffee00-0000-4000-8000-000000000001'
const program = join(repository, 'bin/rein.cjs')

const commands = {
  ps: ['ps'],
  list: ['session', 'list'],
  turn: ['session', 'show', 'worker', String(turnCount / 2)],
  show: ['session', 'show', 'worker'],
  search: ['session', 'search', `reply turn-${turnCount / 2}`],
} as const
type Name = keyof typeof commands

/** How long it takes to look at a session of 10,000 turns, beside the list of agents. */
export const lists = (): Promise<Omit<Findings, 'head'>> =>
  withBox(async (box) => {
    await fill(box)
    const variants = Object.fromEntries(
      Object.keys(commands).map((name) => [name, async () => timeOf(box, name as Name)]),
    ) as Record<Name, () => Promise<number>>
    await interleave(variants, 2)
    return toFindings(await interleave(variants, rounds))
  })

const timeOf = (box: Box, name: Name): number => {
  const started = performance.now()
  const { cwd, env } = box
  const { status, stderr } = spawnSync(process.execPath, [program, ...commands[name]], { cwd, env, maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`rein ${commands[name].join(' ')} ended with ${status}: ${stderr.toString()}`)
  return performance.now() - started
}

/** Through the daemon's own writer and tables, before it is started. */
const fill = async (box: Box): Promise<void> => {
  const project = (await readPlaceFacts(box.cwd)).makeName(1)
  ensurePrivateDir(box.paths.state)
  const db = openForWriting(box.paths.database)
  migrate(db, migrations)
  const writer = new LogWriter(db, projectors)
  const write = (records: AnyNewRecord[]): void => {
    const [outcome] = writer.write([{ kind: 'append', records, cursors: [] }])
    if (!outcome?.ok) throw outcome?.cause
  }
  const ref = { id: agent, project, handle: 'worker' }
  const known = anAgent({ ...ref, cwd: box.cwd, state: 'stopped', process: null, conversation, transcript: null })
  write([recordOf('agent.created', { agent: known }, project)])
  const session = { project, began: Date.now() - turnCount * turnMs, root: box.cwd, taken: await snapshotsOf(box) }
  for (let from = 0; from < turnCount; from += 1000)
    write(Array.from({ length: 1000 }, (_, n) => recordsOf(session, from + n + 1)).flat())
  db.close()
}

/** Of the files before a turn, and after it. */
const snapshotsOf = async ({ paths, cwd, env }: Box): Promise<Snapshot[]> => {
  const shadow = await openShadow({ dir: join(paths.state, 'snapshots'), tree: cwd, ports: { now: Date.now, env } })
  const before = await shadow.snapshot()
  writeFileSync(join(cwd, 'changed.txt'), 'changed\n')
  return [before, await shadow.snapshot()]
}

interface Filled {
  project: string
  began: number
  root: string
  taken: Snapshot[]
}

/** A turn with three entries, and the files at its prompt, after a tool and at its end. */
const recordsOf = ({ project, began, root, taken }: Filled, n: number): AnyNewRecord[] => {
  const [turn, at] = [`turn-${n}`, began + n * turnMs]
  const text = (what: string) => ({ type: 'text' as const, text: `${what} ${turn}` })
  const blocks = [text('first'), text('then'), text('reply')]
  const turns = turnRecords({ turn, conversation, agent, at, blocks }).map((one) => ({ ...one, project }))
  const snapshots = snapshotCauses.map((cause, index) => {
    const { id = '', tree = '' } = taken[Math.min(index, 1)] ?? {}
    const snapshot = { id, tree, head: null, branch: 'main' }
    const body = { conversation, cause, at: at + index * 1000, isClean: true, root, snapshot, skipped: [] }
    return recordOf('session.snapshot', body, project)
  })
  return [...turns, ...snapshots]
}

let records = 0

const recordOf = <T extends 'agent.created' | 'session.snapshot'>(
  type: T,
  body: Parameters<typeof newRecord<T>>[1],
  project: string,
): AnyNewRecord =>
  newRecord(type, body, {
    id: `rec_${++records}`,
    at: Date.now(),
    actor: { kind: 'daemon' },
    agent,
    project,
  }) as AnyNewRecord

const toFindings = (taken: Record<Name, number[]>): Omit<Findings, 'head'> => {
  const ratio = (name: Name): number => median(taken[name]) / median(taken.ps)
  const row = (name: Name): string[] => [
    `\`rein ${commands[name].join(' ')}\``,
    ms(median(taken[name])),
    ms(percentile(taken[name], 0.95)),
    times(ratio(name)),
  ]
  return {
    rows: (Object.keys(commands) as Name[]).map(row),
    notes: [`The session that is listed, shown and searched has ${turnCount} turns, each with three snapshots.`],
    goals: [
      {
        what: `\`rein session list\` with ${turnCount} turns, compared with \`rein ps\`:`,
        value: ratio('list'),
        limit: 3,
        kind: 'at most',
      },
    ],
  }
}
