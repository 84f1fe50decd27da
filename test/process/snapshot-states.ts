import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { seeded } from '../support/seeded.ts'
import { createSnapshotBox, rewind, type SnapshotBox, type TreeState } from '../support/snapshot-box.ts'
import { repository, type Result, run } from './harness.ts'

const killer = path.join(import.meta.dirname, 'fixtures/kill-at-step.cjs')

let worker = ''
/** Snapshots as a process of its own, which can be killed. */
export const bundleWorker = async (): Promise<void> => {
  const { bundleTs } = (await import(path.join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  worker = await bundleTs('test/process/fixtures/snapshot-worker.ts')
}

export const work = (
  box: SnapshotBox,
  commands: string[],
  through: string[] = [],
  env: Record<string, string> = {},
): Promise<Result> =>
  run([...through, process.execPath, worker, box.shadows, box.tree, ...commands], { env: { ...box.env, ...env } })

export const lines = <T>({ stdout }: Result): T[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)

export const makeFirst = ({ git, write, at }: SnapshotBox): void => {
  git('init', '-q')
  write('.gitignore', '.env\n')
  write('kept', 'kept\n')
  write('changed', 'first\n')
  write('gone', 'first only\n')
  write('becomes-dir', 'file\n')
  write('becomes-file/x', 'x\n')
  git('add', '-A')
  git('commit', '-qm', 'base')
  write('.env', 'TOKEN=1\n')
  write('private', 'first\n', 0o600)
  symlinkSync('kept', at('link'))
  mkdirSync(at('hollow'))
}

const makeSecond = ({ write, at }: SnapshotBox): void => {
  write('changed', 'second, and longer\n')
  for (const name of ['gone', 'becomes-dir', 'becomes-file', 'link', 'hollow']) rmSync(at(name), { recursive: true })
  write('becomes-dir/y', 'y\n')
  write('becomes-file', 'file\n')
  write('private', 'second\n', 0o640)
  write('new/z', 'z\n')
  symlinkSync('changed', at('link'))
}

/** Nothing is half: each path is what it was or what it will be, and nothing else is there but what lies ready. */
const strangers = (found: TreeState, ...known: TreeState[]): string[] =>
  Object.keys(found).filter(
    (name) => !name.startsWith('.rein-restore/') && !known.some((state) => state[name] === found[name]),
  )

export const bothStates = async (): Promise<{
  box: SnapshotBox
  ids: [string, string]
  states: [TreeState, TreeState]
}> => {
  const box = createSnapshotBox()
  makeFirst(box)
  const shadow = await box.open()
  const [first, before] = [(await shadow.snapshot()).id, box.state()]
  makeSecond(box)
  return { box, ids: [first, (await shadow.snapshot()).id], states: [before, box.state()] }
}

const killedAt = (box: SnapshotBox, step: number, command: string): Promise<Result> =>
  work(box, [command], [], { NODE_OPTIONS: `--require ${killer}`, KILL_AT: String(step) })

/** Steps spread over all that a command takes, or all of them. */
const stepsOf = async (box: SnapshotBox, command: string, { count, seed }: Kills): Promise<number[]> => {
  const all = Number(/steps (\d+)/.exec((await killedAt(box, 0, command)).stderr)?.[1])
  if (count >= all) return Array.from({ length: all }, (_, at) => at + 1)
  const random = seeded(seed)
  return Array.from({ length: count }, (_, at) => Math.floor(((at + random()) * all) / count) + 1)
}

export interface Kills {
  count: number
  seed: number
}

/** Kills a restore at steps of it: files are old or new, and both states can be reached. Returns at how many steps. */
export const killRestores = async (kills: Kills): Promise<number> => {
  const { box, ids, states } = await bothStates()
  const steps = await stepsOf(box, `restore ${ids[0]}`, kills)
  for (const step of steps) {
    await rewind(await box.open(), ids[1])
    await killedAt(box, step, `restore ${ids[0]}`)
    expect(strangers(box.state(), ...states), `step ${step}`).toEqual([])
    expect(box.read('.env')).toBe('TOKEN=1\n')
    const shadow = await box.open()
    for (const next of [step % 2, 1 - (step % 2)]) {
      await rewind(shadow, ids[next] ?? '')
      expect(box.state(), `step ${step}`).toEqual(states[next])
    }
  }
  return steps.length
}

/** Kills somebody who writes files in place; returns the files that were found half written. */
export const killInPlace = async (kills: Kills): Promise<string[]> => {
  const { box, ids, states } = await bothStates()
  const found: string[] = []
  for (const step of await stepsOf(box, `write-in-place ${ids[0]}`, kills)) {
    await rewind(await box.open(), ids[1])
    await killedAt(box, step, `write-in-place ${ids[0]}`)
    found.push(...strangers(box.state(), ...states))
  }
  return found
}

/** Kills a snapshot at steps of it: the next one works, the first one included. Returns at how many steps. */
export const killSnapshots = async (kills: Kills): Promise<number> => {
  const counted = createSnapshotBox()
  makeFirst(counted)
  const steps = await stepsOf(counted, 'snapshot', kills)
  for (const step of steps) {
    const box = createSnapshotBox()
    makeFirst(box)
    expect(await killedAt(box, step, 'snapshot')).toMatchObject({ code: -1, stdout: '' })
    const before = box.state()
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    makeSecond(box)
    await rewind(shadow, id)
    expect(box.state(), `step ${step}`).toEqual(before)
  }
  return steps.length
}
