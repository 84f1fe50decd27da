import { expect, test } from 'vitest'
import type { Agent } from '../../src/contract/agent.ts'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import { allMoves, findConversation, movesOf } from '../../src/features/sessions/store.ts'
import { undoable } from '../../src/features/sessions/moves.ts'
import { Mover, type MoverPorts } from '../../src/features/sessions/mover.ts'
import type { Shadow } from '../../src/features/sessions/snapshots/shadow.ts'
import type { Way } from '../../src/features/sessions/way.ts'
import { anAgent, now, onPhone } from '../support/builders.ts'
import { startLog } from '../support/in-process-log.ts'
import { createSnapshotBox } from '../support/snapshot-box.ts'

const [old, cut] = ['conversation-old', 'conversation-cut']
const options = { actor: onPhone, stop: false, force: false, onProgress: () => undefined }

/** Never comes back: as far as anybody can tell, the daemon is dead. */
const dead = new Promise<never>(() => undefined)

/** A work tree with two states, the log, and an agent that outlives any daemon. */
const startWorld = async () => {
  const box = createSnapshotBox()
  const { log, db } = startLog()
  const shadow = await box.open()
  box.write('stays.txt', 'same')
  box.write('first.txt', 'first')
  box.write('both.txt', 'as it was')
  const target = await shadow.snapshot()
  const wanted = box.state()
  box.write('both.txt', 'as it is', 0o755)
  box.write('second.txt', 'second')
  box.git('init', '-q')
  let agent: Agent = anAgent({ conversation: old, cwd: box.tree })
  let clock = now
  const change = (to: Partial<Agent>): void => void (agent = { ...agent, ...to })
  const ports: MoverPorts = {
    append: (records: AnyNewRecord[]) => log.append(records),
    now: () => (clock += 1),
    newId: (prefix) => `${prefix}_${(clock += 1)}`,
    shadow: async () => shadow,
    settled: async () => undefined,
    agent: () => agent,
    othersAt: () => [],
    stop: async () => change({ state: 'stopped', since: (clock += 1) }),
    start: async () => change({ state: 'idle', since: (clock += 1) }),
    toldSince: () => [],
    forget: async () => undefined,
    checkCut: () => undefined,
    converse: async (_, conversation) => change({ conversation }),
    cut: async () => ({ conversation: cut, transcript: '/t', read: [] }),
    onSettled: () => undefined,
    otherIn: () => null,
    onTrouble: (cause) => {
      throw cause
    },
  }
  const { id, tree, head, branch } = target
  const way: Way = {
    kind: 'rewind',
    of: null,
    part: 'both',
    to: { conversation: old, turn: 'turn' },
    files: { root: box.tree, snapshot: { id, tree, head, branch }, isExact: true },
    chat: { kind: 'cut', conversation: old, transcript: '/s', after: 'e', from: { conversation: old, turn: 'turn' } },
    since: now,
  }
  return { box, db, shadow, ports, way, wanted, was: box.state(), agentNow: () => agent }
}

type World = Awaited<ReturnType<typeof startWorld>>

const plan = { session: 'ses_1', from: { conversation: old, turn: 'last' } }

/** The same ports, but everything ends at the nth thing that is done: before it, after it, or, for a restore, within it. */
const dyingPorts = ({ ports, box }: World, nth: number, when: 'before' | 'after' | 'within') => {
  let count = 0
  let die: () => void = () => undefined
  const died = new Promise<void>((resolve) => (die = resolve))
  const step =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>, halfway: () => void = () => undefined) =>
    async (...args: A): Promise<T> => {
      if (count === nth) return dead
      count += 1
      if (count < nth) return work(...args)
      if (when === 'within') halfway()
      if (when === 'after') await work(...args)
      die()
      return dead
    }
  const shadowOf = async (root: string): Promise<Shadow> => {
    const shadow = await ports.shadow(root)
    const half = (): void => box.write('both.txt', 'as it was')
    const steps = {
      snapshot: step((given: Parameters<Shadow['snapshot']>[0]) => shadow.snapshot(given)),
      restore: step((...given: Parameters<Shadow['restore']>) => shadow.restore(...given), half),
    }
    const looks = { diff: shadow.diff.bind(shadow), same: shadow.same.bind(shadow) }
    return Object.assign(Object.create(shadow), { ...looks, ...steps }) as Shadow
  }
  const dying: MoverPorts = {
    ...ports,
    append: step(ports.append),
    stop: step(ports.stop),
    start: step(ports.start),
    converse: step(ports.converse),
    cut: step(ports.cut),
    shadow: shadowOf,
  }
  return { dying, died, steps: () => count }
}

const conditionOf = ({ box, was, wanted, agentNow }: World) => {
  const { conversation, state } = agentNow()
  const files = JSON.stringify(box.state())
  const isOld = files === JSON.stringify(was) ? 'old' : null
  return { files: isOld ?? (files === JSON.stringify(wanted) ? 'new' : 'half'), conversation, state }
}

const oldCondition = { files: 'old', conversation: old, state: 'idle' }
const newCondition = { files: 'new', conversation: cut, state: 'idle' }

/** What a rewind does, one after the other: so much of it can be seen from outside. */
const things = [
  'say so',
  'stop',
  'save',
  'say what is saved',
  'cut',
  'restore',
  'converse',
  'say that it is done',
  'start',
]

test('a rewind that nothing happens to does so many things, and can be undone', async () => {
  const world = await startWorld()
  const { dying, steps } = dyingPorts(world, Number.POSITIVE_INFINITY, 'before')
  const moved = await new Mover(dying).move(world.agentNow(), world.way, plan, options)
  expect(steps()).toBe(things.length)
  expect(conditionOf(world)).toEqual(newCondition)
  expect(moved.changes.map(({ path }) => path)).toEqual(['both.txt', 'second.txt'])
  await undo(world)
  expect(movesOf(world.db, 'ses_1').map(({ actor }) => actor)).toEqual([onPhone, onPhone])
  expect(conditionOf(world)).toEqual(oldCondition)
})

const undo = async ({ ports, db, way, agentNow }: World): Promise<void> => {
  const move = undoable(allMoves(db))
  if (move?.files == null) throw new Error('There is nothing to undo.')
  const { root, safety } = move.files
  const back: Way = {
    kind: 'undo',
    of: move,
    part: 'both',
    to: move.from,
    files: { root, snapshot: safety, isExact: true },
    chat: { kind: 'whole', conversation: old, transcript: null },
    since: now,
  }
  await new Mover(ports).move(agentNow(), back, { session: 'ses_1', from: way.to }, options)
}

const deaths = [
  ...things.flatMap((what, index) => (['before', 'after'] as const).map((when) => ({ when, what, nth: index + 1 }))),
  { when: 'within', what: 'restore', nth: things.indexOf('restore') + 1 } as const,
]

test.each(deaths)(
  'the daemon dies $when it does this: $what; everything is as it was, or as it was to be',
  async ({ nth, when }) => {
    const world = await startWorld()
    const { dying, died } = dyingPorts(world, nth, when)
    void new Mover(dying).move(world.agentNow(), world.way, plan, options)
    await died
    await new Mover(world.ports).recover(allMoves(world.db))
    const condition = conditionOf(world)
    const isDone = allMoves(world.db)[0]?.state === 'done'
    expect(condition).toEqual(isDone ? newCondition : oldCondition)
    if (isDone) await undo(world)
    expect(conditionOf(world)).toEqual(oldCondition)
    const [again] = [await new Mover(world.ports).move(world.agentNow(), world.way, plan, options)]
    expect(again.conversation).toBe(cut)
    expect(conditionOf(world)).toEqual(newCondition)
    expect(findConversation(world.db, cut)?.session).toBe('ses_1')
  },
)

test('without a recovery there would be a half', async () => {
  const left = []
  for (const { nth, when } of deaths.filter(({ what }) => what === 'restore')) {
    const world = await startWorld()
    const { dying, died } = dyingPorts(world, nth, when)
    void new Mover(dying).move(world.agentNow(), world.way, plan, options)
    await died
    left.push(conditionOf(world))
  }
  const stopped = { conversation: old, state: 'stopped' }
  expect(left).toEqual(['old', 'new', 'half'].map((files) => ({ files, ...stopped })))
})

test('a cut that fails leaves everything as it was, and says why', async () => {
  const world = await startWorld()
  const failing = { ...world.ports, cut: () => Promise.reject(new Error('its transcript is damaged')) }
  const moving = new Mover(failing).move(world.agentNow(), world.way, plan, options)
  await expect(moving).rejects.toThrow('its transcript is damaged')
  expect(conditionOf(world)).toEqual(oldCondition)
  expect(allMoves(world.db)[0]).toMatchObject({ state: 'failed', reason: 'its transcript is damaged' })
})

test('what somebody edits after a daemon has died is not overwritten by the recovery', async () => {
  const world = await startWorld()
  const { dying, died } = dyingPorts(world, things.indexOf('converse') + 1, 'before')
  void new Mover(dying).move(world.agentNow(), world.way, plan, options)
  await died
  world.box.write('both.txt', 'a person was here')
  await new Mover(world.ports).recover(allMoves(world.db))
  expect(world.box.read('both.txt')).toBe('a person was here')
  expect(allMoves(world.db)[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining('both.txt') })
  // The state before it is not lost: an undo brings it back.
  await undo(world)
  expect(world.box.state()).toEqual(world.was)
})

test('a file that is ignored by now is no reason to leave a half', async () => {
  const world = await startWorld()
  world.box.write('.gitignore', 'first.txt\n')
  const was = world.box.state()
  const { dying, died } = dyingPorts(world, things.indexOf('restore') + 1, 'within')
  void new Mover(dying).move(world.agentNow(), world.way, plan, options)
  await died
  await new Mover(world.ports).recover(allMoves(world.db))
  expect(world.box.state()).toEqual(was)
})

test('what could not be taken back is said, and not taken back later, when something else was done', async () => {
  const world = await startWorld()
  const failing = {
    ...world.ports,
    converse: () => Promise.reject(new Error('somebody has started it')),
  }
  const moving = new Mover(failing).move(world.agentNow(), world.way, plan, options)
  await expect(moving).rejects.toThrow('somebody has started it')
  expect(allMoves(world.db)[0]).toMatchObject({ state: 'failed', reason: 'somebody has started it' })
  await new Mover(world.ports).move(world.agentNow(), world.way, plan, options)
  await new Mover(world.ports).recover(allMoves(world.db))
  expect(conditionOf(world)).toEqual(newCondition)
})

test('a move that an older daemon has left open is not taken back after a newer one', async () => {
  const world = await startWorld()
  const { dying, died } = dyingPorts(world, things.indexOf('restore') + 1, 'before')
  void new Mover(dying).move(world.agentNow(), world.way, plan, options)
  await died
  await new Mover(world.ports).move(world.agentNow(), world.way, plan, options)
  await new Mover(world.ports).recover(allMoves(world.db))
  expect(conditionOf(world)).toMatchObject({ files: 'new', conversation: cut })
  expect(allMoves(world.db).map(({ state }) => state)).toEqual(['failed', 'done'])
})

test('an agent at work is left alone, and so are files that others work in', async () => {
  const world = await startWorld()
  const { ports, way } = world
  const mover = new Mover({ ...ports, othersAt: () => [anAgent({ id: 'agt_2', handle: 'other' })] })
  const busy = anAgent({ state: 'working' })
  await expect(mover.move(busy, way, plan, options)).rejects.toThrow('worker is at work')
  await expect(mover.move(world.agentNow(), way, plan, options)).rejects.toThrow('other works in the same files')
  expect(conditionOf(world)).toEqual(oldCondition)
  expect(allMoves(world.db)).toEqual([])
})
