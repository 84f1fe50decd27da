import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { seeded } from '../seeded.ts'
import { RestartingDaemon } from './daemon.ts'
import type { Options } from './options.ts'
import { readReceipts } from './receipts.ts'
import { createStage, type Stage, writeStandIn } from './stage.ts'
import type { Tally } from './tally.ts'
import { directiveOf, noteText } from './truth.ts'

const senders = 8
const megabytes = 256
/** FS_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from now on nothing reaches the device, the journal included. */
const cutScript = 'open(F, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl(F, 0x8004587d, $how) or die $!'

/** A file system of its own whose power can be cut. */
interface Disk {
  mountpoint: string
  mount(): void
  unmount(): void
  cut(): void
  remove(): void
}

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const createDisk = (): Disk => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-power-'))
  const [image, mountpoint] = [join(dir, 'image'), join(dir, 'disk')]
  mkdirSync(mountpoint)
  run('truncate', '-s', `${megabytes}M`, image)
  run('mkfs.ext4', '-q', '-F', image)
  return {
    mountpoint,
    mount: () => void run('mount', '-o', 'loop', image, mountpoint),
    unmount: () => void run('umount', mountpoint),
    cut: () => void run('perl', '-e', cutScript, mountpoint),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Cuts the power while directives are told, brings the disk back, and looks for what had been answered for. */
export const runPowerCuts = async (options: Options): Promise<Tally> => {
  const mode = options.isControl ? 'power cuts, synchronous=NORMAL' : 'power cuts, synchronous=FULL'
  const seed = options.seed
  let disk: Disk
  try {
    disk = createDisk()
    disk.mount()
  } catch (cause) {
    process.stdout.write(`Not run: this machine allows no loop mount (${String(cause).split('\n')[0]}).\n`)
    return { mode, seed, counts: { 'power cuts': 0 }, failures: [] }
  }
  try {
    const { accepted, lost, worst } = await cutOften(disk, options)
    const counts = { 'power cuts': options.kills, accepted, lost, 'most lost in one cut': worst }
    const isRight = options.isControl ? lost > 0 : lost === 0
    return { mode, seed, counts, failures: isRight ? [] : [`lost: ${lost}`] }
  } finally {
    disk.unmount()
    disk.remove()
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
  writeFileSync(join(root, 'settled'), '')
  run('sync')
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
