import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { seeded } from '../support/seeded.ts'
import { RestartingDaemon } from './daemon.ts'
import { createDisk, type Disk } from './loop-disk.ts'
import type { Options } from './options.ts'
import { readReceipts } from './receipts.ts'
import { createStage, endProcesses, type Stage, whenBrokenOff, writeStandIn } from './stage.ts'
import type { Tally } from './tally.ts'
import { directiveOf, noteText } from './truth.ts'

const senders = 8
/** Cuts the power while directives are told, brings the disk back, and looks for what had been answered for. */
export const runPowerCuts = async (options: Options): Promise<Tally> => {
  const mode = options.isControl ? 'power cuts, synchronous=NORMAL' : 'power cuts, synchronous=FULL'
  const seed = options.seed
  const disk = tryDisk()
  if (typeof disk === 'string') return { mode: `Not run: ${disk}`, seed, counts: {}, failures: [] }
  const clean = (): void => {
    endProcesses(disk.mountpoint)
    disk.unmount()
    disk.remove()
  }
  whenBrokenOff(clean)
  try {
    const { accepted, lost, worst } = await cutOften(disk, options)
    const counts = { 'power cuts': options.kills, accepted, lost, 'most lost in one cut': worst }
    const isRight = options.isControl ? lost > 0 : lost === 0
    return { mode, seed, counts, failures: isRight ? [] : [`lost: ${lost}`] }
  } finally {
    clean()
  }
}

/** A disk, or why this machine has none to give. */
const tryDisk = (): Disk | string => {
  try {
    return createDisk()
  } catch (cause) {
    return `this machine allows no loop mount (${String(cause).split('\n')[0]}).`
  }
}

const cutOften = async (disk: Disk, options: Options) => {
  const random = seeded(options.seed)
  const total = { accepted: 0, lost: 0, worst: 0 }
  for (let cut = 0; cut < options.kills; cut += 1) {
    const stage = await settled(disk, options, `box-${cut}`)
    const accepted = await tellUntilCut(stage, disk, options, 500 + random() * 5_000)
    const kept = readReceipts(stage.paths)
    const lost = accepted.filter((note) => !kept.has(note)).length
    total.accepted += accepted.length
    total.lost += lost
    total.worst = Math.max(total.worst, lost)
  }
  return total
}

/** An agent that is known and not running: what it is told stays in the store. All of that is on the disk. */
const settled = async (disk: Disk, options: Options, name: string): Promise<Stage> => {
  const root = join(disk.mountpoint, name)
  mkdirSync(root)
  const stage = createStage(writeStandIn(root, options.standIn), root)
  const daemon = new RestartingDaemon(stage.env, () => null)
  await daemon.start()
  const truth = { CAMPAIGN_TRUTH: join(root, 'truth'), CAMPAIGN_SEED: '1' }
  const request = { cwd: stage.cwd, env: {}, args: [] }
  await stage.client.up({
    handle: 'worker',
    driver: 'claude',
    host: 'stream',
    request,
    env: { ...stage.env, ...truth },
  })
  await stage.client.down({ target: 'worker', cwd: stage.cwd })
  await daemon.stop()
  disk.sync()
  return stage
}

const tellUntilCut = async (stage: Stage, disk: Disk, { isControl }: Options, ms: number): Promise<string[]> => {
  const daemon = new RestartingDaemon(stage.env, () => (isControl ? 'synchronous_normal' : null))
  await daemon.start()
  const accepted: string[] = []
  const tellOn = async (): Promise<void> => {
    for (;;) {
      const note = uuid()
      const told = { id: directiveOf(note), target: 'worker', cwd: stage.cwd, text: noteText(note), from: 'campaign' }
      await stage.client.tell(told)
      accepted.push(note)
    }
  }
  const telling = Array.from({ length: senders }, () => tellOn().catch(() => undefined))
  await delay(ms)
  disk.cut()
  await daemon.stop()
  await Promise.all(telling)
  disk.unmount()
  disk.mount()
  return accepted
}
