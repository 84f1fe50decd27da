import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asReinError, type ErrorCode } from '../../src/contract/errors.ts'
import { mayMount } from '../support/abilities.ts'
import { lookUntil } from '../e2e/look.ts'
import { acceptedIds, type Box, createBox, type OwnDaemon } from './harness.ts'

const must = (command: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

/** A file system of its own for a directory; gone before the directory is. */
const mountAt = (dir: string, size: string): void => {
  mkdirSync(dir, { mode: 0o700 })
  must('mount', '-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', dir)
  onTestFinished(() => must('umount', '-l', dir))
}

/** Ways to take the room away from a daemon that runs, and to give it back. */
interface Disk {
  kind: 'tmpfs' | 'file size limit'
  fill(daemon: OwnDaemon): void
  free(daemon: OwnDaemon): void
}

const tmpfs = ({ paths }: Box): Disk => {
  mountAt(paths.state, '4m')
  const filler = join(paths.state, 'filler')
  return { kind: 'tmpfs', fill: () => fillUp(filler), free: () => rmSync(filler) }
}

const fillUp = (file: string): void => {
  for (const size of [64 * 1024, 4096, 512]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'ENOSPC' })
    }
  }
}

const fileSizeLimit = ({ paths }: Box): Disk => ({
  kind: 'file size limit',
  fill: ({ pid }) => must('prlimit', `--pid=${pid}`, `--fsize=${statSync(`${paths.database}-wal`).size}:unlimited`),
  free: ({ pid }) => must('prlimit', `--pid=${pid}`, '--fsize=unlimited:unlimited'),
})

const tell = (box: Box, text: string): Promise<{ id: string }> =>
  box.client({ start: false }).tell({ target: 'worker', cwd: box.cwd, text, from: 'tester' })

/** Tells until it is refused; returns what was accepted and the refusal. */
const tellUntilRefused = async (box: Box): Promise<{ accepted: string[]; code: ErrorCode }> => {
  const accepted: string[] = []
  try {
    for (;;) accepted.push((await tell(box, 'x'.repeat(20_000))).id)
  } catch (cause) {
    return { accepted, code: asReinError(cause).code }
  }
}

describe('without room', () => {
  const disks = [fileSizeLimit, ...(mayMount ? [tmpfs] : [])]

  test('is tried with a real file system wherever that may be mounted', () => {
    expect(disks.length).toBe(mayMount ? 2 : 1)
  })

  test.each(disks)('nothing is accepted, nothing accepted is lost, and it goes on by itself: %o', async (limited) => {
    const box = createBox()
    const disk = limited(box)
    const daemon = await box.daemon()
    // It looks after its database once it is up, which gives room back.
    await lookUntil(
      () => statSync(`${box.paths.database}-wal`).size,
      (size) => size === 0,
    )
    await box.stoppedAgent()
    const before = await tell(box, 'while there is room')
    disk.fill(daemon)
    const { accepted, code } = await tellUntilRefused(box)
    expect(code).toBe('storage_full')
    // So many that the log file runs out of room too.
    const refusals = await Promise.allSettled([...Array(60).keys()].map(() => tell(box, 'x'.repeat(20_000))))
    expect(refusals.filter(({ status }) => status === 'fulfilled')).toEqual([])
    const refused = await box.rein(['tell', 'worker', 'y'.repeat(20_000)])
    expect(refused).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('no room') })
    expect(await box.rein(['receipt', before.id])).toMatchObject({ code: 0 })
    disk.free(daemon)
    const after = await tell(box, 'room again')
    expect(acceptedIds(box.paths)).toEqual([before.id, ...accepted, after.id])
    expect(await box.rein(['ps', '--all'])).toMatchObject({ code: 0, stdout: expect.stringContaining('worker') })
    expect(box.registered()?.pid).toBe(daemon.pid)
    await box.client().stop()
    expect(await daemon.ended).toBe(0)
    await expect(box.client().receipt({ id: after.id })).resolves.toMatchObject({ id: after.id })
    for (const entry of box.log()) expect(entry).toHaveProperty('msg')
  })

  test('a daemon does not start, and says why', async () => {
    const box = createBox()
    const limit = ['prlimit', '--fsize=0', '--']
    const { code, stderr } = await box.rein(['ps'], { through: limit })
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringMatching(/no room/) })
    expect(await box.rein(['ps'])).toMatchObject({ code: 0 })
  })
})

describe('where nothing may be written', () => {
  /** Makes a directory read-only, for root too where that is possible. */
  const protect = (dir: string): (() => void) => {
    if (!mayMount) {
      chmodSync(dir, 0o500)
      return () => chmodSync(dir, 0o700)
    }
    must('mount', '-o', 'remount,ro', dir)
    return () => must('mount', '-o', 'remount,rw', dir)
  }
  const makeDir = (dir: string): void => {
    if (mayMount) mountAt(dir, '8m')
    else mkdirSync(dir, { mode: 0o700 })
  }

  test('the state directory is named, and what was accepted is there when it can be written again', async () => {
    const box = createBox()
    makeDir(box.paths.state)
    await box.stoppedAgent()
    const { id } = await tell(box, 'kept')
    await box.client().stop()
    const release = protect(box.paths.state)
    const refused = await box.rein(['tell', 'worker', 'too late'])
    expect(refused).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('cannot be written') })
    expect(refused.stderr).toContain(box.paths.state)
    release()
    await expect(box.client().receipt({ id })).resolves.toMatchObject({ id })
  })

  test('the runtime directory is named', async () => {
    const box = createBox()
    const runtime = join(box.root, 'runtime')
    makeDir(runtime)
    const release = protect(runtime)
    const env = { REIN_HOME: '', XDG_RUNTIME_DIR: runtime }
    const refused = await box.rein(['ps'], { env })
    expect(refused).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining(runtime) })
    release()
    expect(await box.rein(['ps'], { env })).toMatchObject({ code: 0 })
    expect(await box.rein(['daemon', 'stop'], { env })).toMatchObject({ code: 0 })
  })
})
