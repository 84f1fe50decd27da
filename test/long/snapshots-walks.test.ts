import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Kept } from '../../src/features/sessions/snapshots/plan.ts'
import type { Shadow } from '../../src/features/sessions/snapshots/shadow.ts'
import { createSnapshotBox, rewind, type SnapshotBox, type TreeState } from '../support/snapshot-box.ts'

/** For a campaign: `REIN_SNAPSHOT_WALKS=500 npm run test:full -- test/long/snapshots`. */
const walks = Number(process.env['REIN_SNAPSHOT_WALKS'] ?? 10)

/** `.ign` files are ignored for as long as there is a `.gitignore`, all of `venv` while it has one that says so. */
const names = [
  'a',
  'b.txt',
  'c.ign',
  'dir',
  'dir/a',
  'dir/e.ign',
  'dir/sub',
  'dir/sub/x',
  'nest/a',
  'nest/f.ign',
  'venv/x',
  '.gitignore',
] as const
const texts = ['', 'one\n', 'two\n', 'one\r\ntwo\n', '$Id$\n', '\0\u0001']

interface Edit {
  kind: 'write' | 'delete' | 'mkdir' | 'link' | 'close' | 'run' | 'move' | 'git'
  name: string
  /** What is written, where it is moved to, or what git is to do. */
  more: string
}

const name = fc.constantFrom(...names)
const editOf = (kind: Edit['kind'], more: fc.Arbitrary<string>): fc.Arbitrary<Edit> =>
  fc.record({ kind: fc.constant(kind), name, more })
const commands = ['add -A -- b.txt', 'commit -qm step --allow-empty', 'reset -q --hard', 'gc -q --prune=now']
const edit = fc.oneof(
  { weight: 6, arbitrary: editOf('write', fc.constantFrom(...texts)) },
  ...(['delete', 'mkdir', 'link', 'close', 'run'] as const).map((kind) => editOf(kind, fc.constant(''))),
  editOf('move', name),
  editOf('git', fc.constantFrom(...commands)),
  fc.constant<Edit>({ kind: 'write', name: '.gitignore', more: '*.ign\n' }),
  fc.constant<Edit>({ kind: 'write', name: 'venv/.gitignore', more: '*\n' }),
  fc.constant<Edit>({ kind: 'delete', name: 'venv/.gitignore', more: '' }),
)
/** Some edits, then a snapshot, the way back to one, or a fork of one; `which` says of which. */
const stretch = fc.record({
  edits: fc.array(edit, { maxLength: 5 }),
  next: fc.constantFrom('snapshot', 'snapshot', 'back', 'back', 'fork', 'gc', 'reopen'),
  which: fc.nat({ max: 5 }),
})

const make = (): SnapshotBox => {
  const box = createSnapshotBox()
  box.git('init', '-q')
  box.write('.gitattributes', '* text=auto\nb.txt ident\n')
  box.write('.gitignore', '*.ign\n')
  box.write('b.txt', 'one\r\ntwo\n')
  box.git('add', '-A')
  box.git('commit', '-qm', 'base')
  box.git('init', '-q', path.join(box.tree, 'nest'))
  return box
}

/** What cannot be done, as a file in a file, is left. */
const carryOut = (box: SnapshotBox, step: Edit): void => {
  const at = (file: string): string => path.join(box.tree, file)
  const clear = (file: string): void => {
    rmSync(at(file), { recursive: true, force: true })
    mkdirSync(path.dirname(at(file)), { recursive: true })
  }
  try {
    if (step.kind === 'git') return void box.git(...step.more.split(' '))
    if (step.kind === 'delete') return rmSync(at(step.name), { recursive: true })
    if (step.kind === 'close') return chmodSync(at(step.name), lstatSync(at(step.name)).isFile() ? 0o600 : 0o700)
    if (step.kind === 'run') return chmodSync(at(step.name), 0o755)
    if (step.kind === 'move') return renameSync(at(step.name), at(step.more))
    clear(step.name)
    if (step.kind === 'mkdir') mkdirSync(at(step.name))
    else if (step.kind === 'link') symlinkSync('b.txt', at(step.name))
    else box.write(step.name, step.more)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined && (cause as { status?: number }).status === undefined)
      throw cause
  }
}

interface Seen {
  id: string
  state: TreeState
}

const hashed = (text: string): string => `file 644 ${createHash('sha1').update(text).digest('hex')}`
/** The repository in the tree has rules of its own, and they ignore nothing. */
const isIgnorable = (file: string): boolean => /(\.ign(\/|$)|^venv\/)/.test(file) && !file.startsWith('nest/')
const isIgnored = (state: TreeState, file: string): boolean =>
  (/\.ign(\/|$)/.test(file) && isIgnorable(file) && state['.gitignore'] === hashed('*.ign\n')) ||
  (file.startsWith('venv/') && state['venv/.gitignore'] === hashed('*\n'))

/** Only what may be ignored, directories with nothing else in them, and what has no place because of it may be different. */
const expectSame = (found: TreeState, wanted: TreeState, kept: readonly Kept[]): void => {
  const blocked = blockedBy(kept)
  const isBlocked = (file: string): boolean =>
    blocked.some((one) => one === file.replace(/\/$/, '') || one.startsWith(file) || file.startsWith(`${one}/`))
  const isCertain = (file: string): boolean =>
    !isIgnorable(file) && !isBlocked(file) && ![found, wanted].some((state) => holdsOnlyIgnorable(state, file))
  const certain = (state: TreeState): TreeState =>
    Object.fromEntries(Object.entries(state).filter(([file]) => isCertain(file)))
  expect(certain(found)).toEqual(certain(wanted))
}

const blockedBy = (kept: readonly Kept[]): string[] =>
  kept.filter(({ reason }) => reason === 'in the way').map((one) => one.path)

const holdsOnlyIgnorable = (state: TreeState, dir: string): boolean => {
  const inside = Object.keys(state).filter((file) => dir.endsWith('/') && file.startsWith(dir) && file !== dir)
  return inside.length > 0 && inside.every((file) => isIgnorable(file) || holdsOnlyIgnorable(state, file))
}

/** What is ignored now or was then stays, unless the snapshot holds another version of it. */
const expectIgnoredKept = (found: TreeState, before: TreeState, target: TreeState): void => {
  for (const [file, what] of filesOf(before))
    if ((isIgnored(before, file) || isIgnored(target, file)) && target[file] === undefined)
      expect({ [file]: found[file] }).toEqual({ [file]: what })
}

const filesOf = (state: TreeState): [string, string][] => Object.entries(state).filter(([file]) => !file.endsWith('/'))

/** A hash of the bytes of a file, or what a link points to. */
const hashIn = async (shadow: Shadow, id: string, file: string): Promise<string> => {
  const { kind, content } = (await shadow.read(id, file)) ?? { kind: 'link', content: 'nothing' }
  return kind === 'link' ? String(content) : createHash('sha1').update(content).digest('hex')
}

/** There, and back again: what was before is there afterwards, to the last byte, or in the snapshot if it has no place. */
const goBack = async (box: SnapshotBox, shadow: Shadow, target: Seen): Promise<void> => {
  const before = box.state()
  const there = await rewind(shadow, target.id)
  expectSame(box.state(), target.state, there.kept)
  expectIgnoredKept(box.state(), before, target.state)
  const back = await rewind(shadow, there.before.id)
  const blocked = blockedBy(back.kept)
  const open = filesOf(before).filter(([file]) => !blocked.includes(file))
  expect(box.state()).toMatchObject(Object.fromEntries(open))
  for (const file of blocked) expect(before[file]).toContain(await hashIn(shadow, there.before.id, file))
  expectSame(box.state(), before, back.kept)
  const again = await rewind(shadow, target.id)
  expectSame(box.state(), target.state, again.kept)
}

const forkOne = async (box: SnapshotBox, shadow: Shadow, { id, state }: Seen): Promise<void> => {
  const dir = path.join(box.root, 'fork')
  const before = box.state()
  await shadow.fork(id, dir)
  expectSame(box.state(dir), state, [])
  expect(box.state()).toEqual(before)
  rmSync(dir, { recursive: true })
  box.git('worktree', 'prune')
}

const walk = async (stretches: { edits: Edit[]; next: string; which: number }[]): Promise<void> => {
  const box = make()
  const ports = { now: Date.now, env: box.env }
  let shadow = await box.open()
  const seen: Seen[] = []
  const see = async (): Promise<void> => void seen.push({ id: (await shadow.snapshot()).id, state: box.state() })
  await see()
  for (const { edits, next, which } of stretches) {
    for (const step of edits) carryOut(box, step)
    const one = seen[which % seen.length] as Seen
    if (next === 'snapshot') await see()
    else if (next === 'back') await goBack(box, shadow, one)
    else if (next === 'fork') await forkOne(box, shadow, one)
    else if (next === 'gc') {
      // An hour later, when nothing is fresh.
      const later = await box.open({ ports: { ...ports, now: () => Date.now() + 2 * 60 * 60_000 } })
      await later.gc({ keep: seen.map(({ id }) => id) })
    } else shadow = await box.open()
  }
  await goBack(box, shadow, seen.at(-1) as Seen)
  rmSync(box.root, { recursive: true, force: true })
}

describe(`random walks (REIN_SNAPSHOT_WALKS=${walks})`, () => {
  test('of edits, snapshots, restores and forks lose not one byte', { timeout: 900_000 + walks * 30_000 }, async () => {
    let walked = 0
    const property = fc.asyncProperty(fc.array(stretch, { minLength: 3, maxLength: 6 }), async (stretches) => {
      await walk(stretches)
      walked += 1
    })
    await fc.assert(property, { numRuns: walks, endOnFailure: true })
    expect(walked).toBe(walks)
  })
})
