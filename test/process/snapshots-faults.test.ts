import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Restored, Snapshot } from '../../src/features/sessions/snapshots/shadow.ts'
import { killProcess } from '../support/kill.ts'
import { seeded, testSeed } from '../support/seeded.ts'
import { createSnapshotBox, rewind, type SnapshotBox } from '../support/snapshot-box.ts'
import {
  bothStates,
  bundleWorker,
  killInPlace,
  killRestores,
  killSnapshots,
  lines,
  makeFirst,
  work,
} from './snapshot-states.ts'
import { canRunUnprivileged, isRoot } from '../support/abilities.ts'

beforeAll(bundleWorker)

describe('kill -9', () => {
  test('in the middle of a restore leaves old and new files, and both states can be reached', async () => {
    expect(await killRestores({ count: 2, seed: testSeed })).toBe(2)
  })

  test('would be noticed if files were written in place', async () => {
    expect(await killInPlace({ count: 2, seed: testSeed })).not.toEqual([])
  })

  test('in the middle of a snapshot leaves snapshots that work, the first one included', async () => {
    expect(await killSnapshots({ count: 2, seed: testSeed })).toBe(2)
  })
})

describe('what is known of a tree', () => {
  const many = (box: SnapshotBox, text: string): void => {
    for (let n = 0; n < 510; n += 1) box.write(`many/${n}`, `${text} ${n}\n`)
  }

  test('may have been learned by somebody else in the meantime', async () => {
    const box = createSnapshotBox()
    many(box, 'first')
    const [one, other] = [await box.open(), await box.open()]
    await one.snapshot()
    many(box, 'second')
    await other.snapshot()
    rmSync(box.at('many/7'))
    const before = box.state()
    const { id } = await one.snapshot()
    expect(await one.read(id, 'many/7')).toBeNull()
    rmSync(box.at('many'), { recursive: true })
    await rewind(one, id)
    expect(box.state()).toEqual(before)
  })

  const damages: [string, (layer: string, objects: string) => void][] = [
    ['the index', (layer) => writeFileSync(path.join(layer, indexIn(layer)), 'nonsense')],
    ['the index, which is gone', (layer) => rmSync(path.join(layer, indexIn(layer)))],
    ['what it stands for', (layer) => writeFileSync(path.join(layer, 'state.json'), '{"index":')],
    ['objects', (_, objects) => emptyObjects(objects)],
  ]
  const indexIn = (layer: string): string => readdirSync(layer).find((name) => name.startsWith('index-')) ?? ''
  const emptyObjects = (objects: string): void => {
    for (const dir of readdirSync(objects).filter((name) => name.length === 2))
      for (const name of readdirSync(path.join(objects, dir))) {
        chmodSync(path.join(objects, dir, name), 0o644)
        writeFileSync(path.join(objects, dir, name), '')
      }
  }

  test.each(damages)('may be damaged by a power cut: %s', async (_, damage) => {
    const box = createSnapshotBox()
    many(box, 'first')
    await (await box.open()).snapshot()
    const dir = path.join(box.shadows, readdirSync(box.shadows)[0] ?? '')
    damage(path.join(dir, 'layers/top'), path.join(dir, 'objects'))
    rmSync(box.at('many/7'))
    box.write('new', 'new\n')
    const before = box.state()
    const shadow = await box.open()
    const { id } = await shadow.snapshot()
    rmSync(box.at('many'), { recursive: true })
    await rewind(shadow, id)
    expect(box.state()).toEqual(before)
  })
})

describe('two processes', () => {
  test('take and restore snapshots at once: none ever holds half of a restore', async () => {
    const { box, ids } = await bothStates()
    const known = await box.open()
    const trees = new Set<string>()
    for (const id of ids) trees.add((await rewind(known, id)).after.tree)
    const restores = Array.from({ length: 6 }, (_, at) => `restore ${ids[at % 2]}`)
    const snapshots = Array.from({ length: 25 }, () => 'snapshot')
    const [restored, taken] = await Promise.all([work(box, restores), work(box, snapshots)])
    expect(lines<Restored>(restored).map(({ written }) => written > 0)).toEqual(restores.map(() => true))
    const found = lines<Snapshot>(taken).map(({ tree }) => tree)
    expect(found).toHaveLength(snapshots.length)
    expect(found.filter((tree) => !trees.has(tree))).toEqual([])
  })
})

describe('no room', () => {
  const random = seeded(testSeed)
  const noise = Buffer.from(Array.from({ length: 300_000 }, () => Math.floor(random() * 256)))

  test('for a snapshot is said, and those before it are as they were', async () => {
    const { box, ids, states } = await bothStates()
    box.write('noise', noise)
    const limited = await work(box, ['snapshot', 'snapshot'], ['prlimit', '--fsize=100000', '--'])
    expect(lines<{ code: string }>(limited).map(({ code }) => code)).toEqual(['storage_full', 'storage_full'])
    const shadow = await box.open()
    expect((await shadow.snapshot()).skipped).toEqual([])
    await rewind(shadow, ids[0])
    expect(box.state()).toEqual(states[0])
  })

  test('for a restore is said before any file is changed', async () => {
    const { box, ids, states } = await bothStates()
    const shadow = await box.open()
    box.write('noise', noise)
    const large = await shadow.snapshot()
    await rewind(shadow, ids[1])
    const limited = await work(box, [`restore ${large.id}`], ['prlimit', '--fsize=100000', '--'])
    expect(lines(limited)).toEqual([expect.objectContaining({ code: 'storage_full' })])
    expect(box.state()).toEqual(states[1])
    await rewind(shadow, large.id)
    expect(readFileSync(box.at('noise'))).toEqual(noise)
  })
})

describe('a file that changes all the time', () => {
  test.each([
    ['few', 1],
    ['many', 600],
  ])('ends in a snapshot or in a clear word, and harms nothing: among %s', async (_, count) => {
    const box = createSnapshotBox()
    for (let n = 0; n < count; n += 1) box.write(`files/${n}`, `${n}\n`)
    const shadow = await box.open()
    const first = await shadow.snapshot()
    for (let n = 0; n < count; n += 1) box.write(`files/${n}`, `${n} again\n`)
    const before = box.state()
    const script = `const fs = require('node:fs'); const all = Buffer.alloc(2e5, 1)
      for (let n = 0; ; n += 1) { fs.writeFileSync('moving', all); if (n === 0) console.log('ready'); fs.truncateSync('moving', 0) }`
    const mover = spawn(process.execPath, ['-e', script], { cwd: box.tree })
    onTestFinished(() => void mover.kill('SIGKILL'))
    await once(mover.stdout, 'data')
    const outcomes: string[] = []
    for (let n = 0; n < 2; n += 1)
      outcomes.push(
        await shadow.snapshot().then(
          () => 'taken',
          (cause: { code: string }) => cause.code,
        ),
      )
    expect(outcomes.filter((outcome) => !['taken', 'unstable'].includes(outcome))).toEqual([])
    killProcess(mover.pid)
    await once(mover, 'close')
    rmSync(box.at('moving'))
    const second = await shadow.snapshot()
    await rewind(shadow, first.id)
    await rewind(shadow, second.id)
    expect(box.state()).toEqual(before)
  })
})

describe.runIf(canRunUnprivileged)('what a user may not do', () => {
  const nobody = 65_534
  const asUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'] : []

  const giveAway = (dir: string): void => {
    if (isRoot && spawnSync('chown', ['-R', `${nobody}:${nobody}`, dir]).status !== 0) throw new Error('chown')
  }

  test('read is named; write to is opened for the restore, and closed again', async () => {
    const box = createSnapshotBox()
    makeFirst(box)
    box.write('closed/file', 'first\n')
    box.write('unreadable', 'nobody may read this\n', 0o000)
    chmodSync(box.at('closed'), 0o555)
    giveAway(box.root)
    const [first] = lines<Snapshot>(await work(box, ['snapshot'], asUser))
    expect(first?.skipped).toEqual([{ path: 'unreadable', reason: 'unreadable', bytes: 21 }])
    const before = box.state()
    chmodSync(box.at('closed'), 0o755)
    box.write('closed/file', 'second\n')
    box.write('closed/new', 'new\n')
    chmodSync(box.at('closed'), 0o555)
    giveAway(box.root)
    const [restored] = lines<Restored>(await work(box, [`restore ${first?.id}`], asUser))
    expect(restored).toMatchObject({ written: 1, removed: 1, kept: [] })
    expect(box.state()).toEqual(before)
  })
})
