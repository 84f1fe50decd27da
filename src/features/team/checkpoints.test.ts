import { EventEmitter, once } from 'node:events'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { now, owner, person } from '../../../test/support/builders.ts'
import { startLog, type TestLog } from '../../../test/support/in-process-log.ts'
import { manifest } from '../../contract/manifest.ts'
import { type AnyNewRecord, type LogRecord, newRecord, type RecordType } from '../../contract/record.ts'
import type { BusEvent } from '../../contract/team.ts'
import { openDatabase } from '../../base/store/sqlite.ts'
import { Checkpoints, type CheckpointSettings, type DueCheckpoint } from './checkpoints.ts'
import type { CommandResult } from './command.ts'

const minute = 60_000
const usual: CheckpointSettings = { every: 3, everyMs: 0, command: null }
const context = (id: string, project: string) => ({
  id,
  at: now,
  actor: { kind: 'daemon' as const },
  agent: null,
  project,
})
const eventOf = ({ event: id, project, bucket, decisions }: DueCheckpoint): BusEvent => ({
  id,
  project,
  type: 'checkpoint',
  v: 1,
  priority: 'normal',
  payload: JSON.stringify({ bucket, decisions }),
  from: { kind: 'daemon' },
  to: null,
  delivery: 'each',
  dedup: null,
  at: now,
  due: null,
})

/** What happens to the next thing that is written of this kind. */
type Fault = { type: RecordType; when: 'before' | 'after' } | null

class World {
  readonly log: TestLog['log']
  readonly reader: ReturnType<typeof openDatabase>
  readonly project: string
  readonly news = new EventEmitter()
  now = now
  fault: Fault = null
  due: string[] = []
  troubles: string[] = []
  commands: string[] = []
  runCommand: (signal: AbortSignal) => Promise<CommandResult> = async () => ({ exit: 0, output: 'ok' })
  #ids = 0

  constructor({ log, path }: Pick<TestLog, 'log' | 'path'>, project = 'shop') {
    this.log = log
    this.reader = openDatabase(path, { readOnly: true })
    this.project = project
  }

  create(settings: Partial<CheckpointSettings> = {}): Checkpoints {
    const life = { isOver: false }
    return new Checkpoints(
      {
        append: (records) => this.#append(records, life),
        reader: this.reader,
        eventRecord: (due) =>
          newRecord(
            'event.published',
            { event: eventOf(due), recipients: [] },
            context(`${due.event}:published`, due.project),
          ),
        event: (id) => this.read('event.published').find(({ body }) => body.event.id === id)?.body.event ?? null,
        runCommand: (command, event, signal) => {
          this.commands.push(`${command} ${event.id}`)
          return this.runCommand(signal)
        },
        now: () => this.now,
        newId: (prefix) => `${prefix}_${this.project}_${++this.#ids}`,
        onDue: (event) => void this.due.push(event),
        onTrouble: (where, cause) => void this.troubles.push(`${where}: ${String(cause)}`),
      },
      { ...usual, ...settings },
    )
  }

  /** As another daemon, which counted nothing, had written it. */
  async decideElsewhere(count: number): Promise<void> {
    for (let done = 0; done < count; done += 1) {
      const id = `else_${this.project}_${++this.#ids}`
      const decision = { id, project: this.project, text: 'Elsewhere.', by: person, at: this.now }
      await this.log.append([newRecord('decision.logged', { decision }, context(id, this.project))])
    }
  }

  read<T extends RecordType>(type: T): LogRecord<T>[] {
    const all = this.log.readAfter(manifest[type].topic, 0, 1_000_000)
    return all.filter((each) => each.type === type && each.project === this.project) as LogRecord<T>[]
  }

  get checkpoints(): LogRecord<'checkpoint.due'>['body'][] {
    return this.read('checkpoint.due').map(({ body }) => body)
  }

  /** One whose write failed so has died: nothing else of it is written. */
  async #append(records: AnyNewRecord[], life: { isOver: boolean }): Promise<number[]> {
    const isHit = records.some(({ type }) => type === this.fault?.type)
    const when = isHit ? this.fault?.when : undefined
    if (isHit) this.fault = null
    if (life.isOver || when === 'before') {
      life.isOver = true
      throw new Error('killed')
    }
    const seqs = await this.log.append(records)
    if (when === 'after') {
      life.isOver = true
      throw new Error('killed')
    }
    for (const { type } of records) this.news.emit(type)
    return seqs
  }
}

const start = () => new World(startLog())

describe('decisions', () => {
  test('are numbered in each project, also when many come at once', async () => {
    const checkpoints = start().create()
    const logged = await Promise.all(
      Array.from({ length: 20 }, (_, index) => checkpoints.log(index % 2 === 0 ? 'a' : 'b', `No. ${index}`, owner)),
    )
    const numbers = (project: string) =>
      logged.filter(({ decision }) => decision.project === project).map(({ decision }) => decision.n)
    expect(numbers('a')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(numbers('b')).toEqual(numbers('a'))
    expect(logged[0]?.decision).toMatchObject({ text: 'No. 0', by: owner, at: now, project: 'a' })
  })

  test('are listed oldest first, the newest so many of those that fit', async () => {
    const checkpoints = start().create()
    for (const text of ['Use tabs.', 'Use SQLite.', 'No ÄPFEL.', 'use rest.']) await checkpoints.log('a', text, person)
    const texts = (query = {}) => checkpoints.list('a', query).decisions.map(({ text }) => text)
    expect(texts()).toEqual(['Use tabs.', 'Use SQLite.', 'No ÄPFEL.', 'use rest.'])
    expect(texts({ last: 2 })).toEqual(['No ÄPFEL.', 'use rest.'])
    expect(texts({ search: 'USE', last: 2 })).toEqual(['Use SQLite.', 'use rest.'])
    expect(texts({ search: 'äpfel' })).toEqual(['No ÄPFEL.'])
    expect(texts({ last: 0 })).toEqual([])
    expect(checkpoints.list('a', { last: 1 }).total).toBe(4)
    expect(checkpoints.list('b')).toEqual({ decisions: [], total: 0 })
  })

  test.each([
    ['empty_text', ' \n'],
    ['invalid_text', '\ud800'],
    ['text_too_large', 'x'.repeat(16_385)],
  ])('none of %s', async (code, text) => {
    await expect(start().create().log('a', text, person)).rejects.toMatchObject({ code })
  })
})

describe('a checkpoint', () => {
  test('is due at every so many decisions, and the decision that brings it about says so', async () => {
    const world = start()
    const checkpoints = world.create()
    const events: (string | null)[] = []
    for (let n = 1; n <= 7; n += 1) events.push((await checkpoints.log(world.project, `${n}`, person)).checkpoint)
    const [first, second] = ['evt_checkpoint_shop_3', 'evt_checkpoint_shop_6']
    expect(events).toEqual([null, null, first, null, null, second, null])
    expect(world.due).toEqual([first, second])
    expect(world.checkpoints).toEqual([
      { decisions: 3, bucket: 1, event: first },
      { decisions: 6, bucket: 2, event: second },
    ])
    expect(world.read('event.published').map(({ body }) => body.event.payload)).toEqual([
      '{"bucket":1,"decisions":3}',
      '{"bucket":2,"decisions":6}',
    ])
  })

  test('is never due by number if that is 0', async () => {
    const world = start()
    const checkpoints = world.create({ every: 0 })
    for (let n = 1; n <= 5; n += 1) await checkpoints.log(world.project, `${n}`, person)
    await checkpoints.catchUp()
    expect(world.checkpoints).toEqual([])
  })

  test('is made up for once, for the newest, and no more after that', async () => {
    const world = start()
    await world.decideElsewhere(8)
    await world.create().catchUp()
    await world.create().catchUp()
    expect(world.checkpoints).toEqual([{ decisions: 8, bucket: 2, event: 'evt_checkpoint_shop_6' }])
    const { checkpoint } = await world.create().log(world.project, 'The ninth.', person)
    expect(checkpoint).toBe('evt_checkpoint_shop_9')
  })

  test('is one, however many find it due at the same time', async () => {
    const world = start()
    await world.decideElsewhere(4)
    await Promise.all(Array.from({ length: 10 }, () => world.create().catchUp()))
    expect(world.checkpoints).toHaveLength(1)
    expect(world.due).toHaveLength(1)
  })

  test('of another interval is another one', async () => {
    const world = start()
    for (let n = 1; n <= 6; n += 1) await world.create().log(world.project, `${n}`, person)
    const slower = world.create({ every: 4 })
    await slower.catchUp()
    for (let n = 7; n <= 12; n += 1) await slower.log(world.project, `${n}`, person)
    expect(world.checkpoints.map(({ decisions }) => decisions)).toEqual([3, 6, 8, 12])
  })

  test('that could not be written is made up for by the next decision', async () => {
    const world = start()
    const checkpoints = world.create()
    world.fault = { type: 'checkpoint.due', when: 'before' }
    for (let n = 1; n <= 3; n += 1) await checkpoints.log(world.project, `${n}`, person)
    expect(world.troubles).toEqual(['checkpoint: Error: killed'])
    const { checkpoint } = await world.create().log(world.project, '4', person)
    expect(checkpoint).toBe('evt_checkpoint_shop_3')
    expect(world.checkpoints.map(({ decisions }) => decisions)).toEqual([4])
  })

  test('is due by the clock if something was decided since the last', async () => {
    const world = start()
    const checkpoints = world.create({ everyMs: 10 * minute })
    for (let n = 1; n <= 3; n += 1) await checkpoints.log(world.project, `${n}`, person)
    world.now += 60 * minute
    await checkpoints.look()
    await checkpoints.log(world.project, '4', person)
    world.now += 9 * minute
    await checkpoints.log(world.project, '5', person)
    await checkpoints.look()
    expect(world.checkpoints.map(({ decisions }) => decisions)).toEqual([3])
    world.now += minute
    await checkpoints.look()
    await checkpoints.look()
    expect(world.checkpoints).toEqual([
      { decisions: 3, bucket: 1, event: 'evt_checkpoint_shop_3' },
      { decisions: 5, bucket: 1, event: 'evt_checkpoint_shop_5' },
    ])
    await checkpoints.log(world.project, '6', person)
    expect(world.checkpoints.at(-1)).toEqual({ decisions: 6, bucket: 2, event: 'evt_checkpoint_shop_6' })
  })

  test('rings by itself, also for what an earlier daemon left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const world = start()
    await world.create().log(world.project, '1', person)
    const checkpoints = world.create({ everyMs: 10 * minute })
    await checkpoints.catchUp()
    checkpoints.start()
    const written = once(world.news, 'checkpoint.due')
    world.now += 10 * minute
    await vi.advanceTimersByTimeAsync(10 * minute)
    await written
    checkpoints.stop()
    expect(vi.getTimerCount()).toBe(0)
    expect(world.checkpoints.map(({ decisions }) => decisions)).toEqual([1])
  })
})

describe('the command', () => {
  const fill = async (checkpoints: Checkpoints, world: World): Promise<void> => {
    for (let n = 1; n <= 3; n += 1) await checkpoints.log(world.project, `${n}`, person)
  }

  test('is run for each checkpoint, and what became of it is written down', async () => {
    const world = start()
    const handled = once(world.news, 'checkpoint.handled')
    await fill(world.create({ command: 'review' }), world)
    await handled
    expect(world.commands).toEqual(['review evt_checkpoint_shop_3'])
    expect(world.read('checkpoint.handled').map(({ body }) => body)).toEqual([
      { event: 'evt_checkpoint_shop_3', exit: 0, output: 'ok' },
    ])
    await world.create({ command: 'review' }).catchUp()
    expect(world.commands).toHaveLength(1)
  })

  test('is ended when the daemon stops, and run again by the next one', async () => {
    const world = start()
    world.runCommand = async (signal) => {
      await once(signal, 'abort')
      return { exit: null, output: '' }
    }
    const checkpoints = world.create({ command: 'review' })
    await fill(checkpoints, world)
    checkpoints.stop()
    world.runCommand = async () => ({ exit: 0, output: 'again' })
    const handled = once(world.news, 'checkpoint.handled')
    await world.create({ command: 'review' }).catchUp()
    await handled
    expect(world.commands).toEqual(['review evt_checkpoint_shop_3', 'review evt_checkpoint_shop_3'])
    expect(world.read('checkpoint.handled').map(({ body }) => body.output)).toEqual(['again'])
  })

  test('that cannot be run is trouble, and holds up nothing', async () => {
    const world = start()
    world.runCommand = () => Promise.reject(new Error('no shell'))
    await fill(world.create({ command: 'review' }), world)
    expect(world.troubles).toEqual(['checkpoint: Error: no shell'])
    expect(world.due).toHaveLength(1)
  })
})

const every = 4
const faults: Fault[] = (['decision.logged', 'checkpoint.due'] as const).flatMap((type) => [
  { type, when: 'before' as const },
  { type, when: 'after' as const },
])
const action = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('crash' as const), fault: fc.constantFrom(...faults) }),
  fc.record({ kind: fc.constant('restart' as const), elsewhere: fc.nat({ max: 10 }) }),
)

test('whatever is decided and whenever it crashes: one checkpoint for each bucket, and for the newest of those that were missed', async () => {
  const log = startLog()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const world = new World(log, `shop${++runs}`)
      const missed = new Set<number>()
      let checkpoints = world.create({ every })
      const restart = async (elsewhere: number): Promise<void> => {
        const from = Math.floor(checkpoints.list(world.project).total / every)
        await world.decideElsewhere(elsewhere)
        const to = Math.floor(checkpoints.list(world.project).total / every)
        for (let bucket = from + 1; bucket < to; bucket += 1) missed.add(bucket)
        do {
          world.troubles = []
          checkpoints = world.create({ every })
          await checkpoints.catchUp()
        } while (world.troubles.length > 0)
      }
      for (const each of actions) {
        if (each.kind === 'restart') await restart(each.elsewhere)
        else if (each.kind === 'crash') world.fault = each.fault
        else {
          const all = Array.from({ length: each.count }, () => checkpoints.log(world.project, 'Decided.', person))
          const isHit = (await Promise.allSettled(all)).some(({ status }) => status === 'rejected')
          if (isHit || world.troubles.length > 0) await restart(0)
        }
      }
      world.fault = null
      await restart(0)
      const last = Math.floor(checkpoints.list(world.project).total / every)
      const buckets = Array.from({ length: last }, (_, index) => index + 1).filter((bucket) => !missed.has(bucket))
      expect(world.checkpoints.map(({ bucket }) => bucket)).toEqual(buckets)
      expect(world.read('event.published').map(({ body }) => body.event.id)).toEqual(
        world.checkpoints.map(({ event }) => event),
      )
      expect(new Set(world.due).size).toBe(world.due.length)
    }),
    { numRuns: 40 },
  )
})
