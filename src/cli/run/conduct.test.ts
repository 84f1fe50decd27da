import { expect, test } from 'vitest'
import { ReinError } from '../../contract/errors.ts'
import type { LiveEvent } from '../../contract/live.ts'
import type { RunDecision } from '../../contract/run.ts'
import { type Conducted, conduct } from './conduct.ts'
import type { Bounds } from './decide.ts'
import { begun, firstLook, heed, isOver, type Look } from './look.ts'

const bounds: Bounds = { prompt: 'Go.', isLoop: true, until: null, maxTurns: null, budgetUsd: null, pauseOn: [] }
const state = (name: Look['state']): LiveEvent => ({ kind: 'state', state: name, question: null, reason: name })
const turn = (text: string): LiveEvent[] => [
  state('working'),
  { kind: 'text', text },
  { kind: 'ended', reason: 'success', isError: false, wasInterrupted: false },
  state('idle'),
]

/** An agent that plays what is given for each decision; an error is a refusal. */
class Played implements Conducted {
  readonly decided: string[] = []
  readonly #scenes: (LiveEvent[] | Error)[]
  #look: Look = heed(firstLook, state('idle'))
  #waiting: { match: (look: Look) => boolean; resolve: (look: Look) => void }[] = []

  constructor(scenes: (LiveEvent[] | Error)[]) {
    this.#scenes = scenes
  }

  until(match: (look: Look) => boolean): Promise<Look> {
    if (match(this.#look)) return Promise.resolve(this.#look)
    return new Promise((resolve) => this.#waiting.push({ match, resolve }))
  }

  begin(): void {
    this.#look = begun(this.#look)
  }

  decide(decision: RunDecision): Promise<void> {
    const scene = this.#scenes.shift() ?? []
    if (scene instanceof Error) {
      setImmediate(() => turn('Something was told.').forEach((event) => this.#hear(event)))
      return Promise.reject(scene)
    }
    this.decided.push(decision.action)
    for (const event of scene) setImmediate(() => this.#hear(event))
    return Promise.resolve()
  }

  check = () => Promise.resolve({ code: 1, output: 'x' })
  wasInterrupted = () => false
  nonce = () => 'n'

  #hear(event: LiveEvent): void {
    this.#look = heed(this.#look, event)
    for (const one of this.#waiting.splice(0)) {
      if (one.match(this.#look)) one.resolve(this.#look)
      else this.#waiting.push(one)
    }
  }
}

test('turn after turn until it says that it is done', async () => {
  const agent = new Played([turn('one'), turn('two'), turn('REIN: DONE')])
  expect(await conduct(agent, bounds)).toMatchObject({ reason: 'done', turns: 3 })
  expect(agent.decided).toEqual(['prompt', 'prompt', 'prompt'])
})

test('somebody who tells the agent something goes first', async () => {
  const agent = new Played([new ReinError('refused', 'busy'), turn('REIN: DONE')])
  expect(await conduct(agent, bounds)).toMatchObject({ reason: 'done', turns: 1 })
})

test('other troubles end it', async () => {
  await expect(conduct(new Played([new ReinError('failed', 'broken')]), bounds)).rejects.toThrow('broken')
})

test('a pause lasts until somebody ends it', async () => {
  const agent = new Played([turn('one'), [state('paused'), state('idle')], turn('REIN: DONE')])
  expect(await conduct(agent, { ...bounds, pauseOn: ['turn'] })).toMatchObject({ reason: 'done', turns: 2 })
  expect(agent.decided).toEqual(['prompt', 'pause', 'prompt'])
})

test('an agent that is stopped in a pause ends the run', async () => {
  const agent = new Played([turn('one'), [state('paused'), state('stopped')]])
  expect(await conduct(agent, { ...bounds, pauseOn: ['turn'] })).toMatchObject({ reason: 'stopped', turns: 1 })
})

const cutOff: LiveEvent[] = [
  state('working'),
  { kind: 'ended', reason: 'cancelled', isError: false, wasInterrupted: true },
]
const heldUp: LiveEvent = { kind: 'state', state: 'paused', question: null, reason: 'In circles.', isHeldUp: true }

test('a turn that somebody interrupts is the end of it, and nothing is checked', async () => {
  const agent = new Played([[...cutOff, state('idle')]])
  agent.check = () => Promise.reject(new Error('It was checked.'))
  expect(await conduct(agent, { ...bounds, until: 'true' })).toMatchObject({ reason: 'interrupted', turns: 1 })
})

test('an agent that Rein holds up gets nowhere, in its turn or between two', async () => {
  const end = { reason: 'no_progress', detail: 'In circles.', turns: 1 }
  expect(await conduct(new Played([[...cutOff, heldUp]]), { ...bounds, isLoop: false })).toMatchObject(end)
  const later = new Played([[...turn('one').slice(0, -1), state('paused'), heldUp]])
  expect(await conduct(later, bounds)).toMatchObject(end)
})

test('a turn that somebody pauses in the middle goes on later', async () => {
  const agent = new Played([[...cutOff, state('paused'), state('idle'), ...turn('REIN: DONE')]])
  expect(await conduct(agent, bounds)).toMatchObject({ reason: 'done', turns: 1 })
})

test('the same three times is no progress; with other tools it is not the same', async () => {
  const same = new Played([turn('so'), turn('so'), turn('so')])
  expect(await conduct(same, bounds)).toMatchObject({ reason: 'no_progress', turns: 3 })
  const withTool = (path: string): LiveEvent[] => [
    { kind: 'tool', id: path, name: 'Edit', input: { path }, isSubagent: false },
    ...turn('so'),
  ]
  const busy = new Played([withTool('a'), withTool('b'), withTool('c'), turn('REIN: DONE')])
  expect(await conduct(busy, bounds)).toMatchObject({ reason: 'done', turns: 4 })
})

test('a crash is the end', async () => {
  const agent = new Played([[state('working'), state('crashed')]])
  expect(await conduct(agent, bounds)).toMatchObject({ reason: 'failed', turns: 0 })
})

test('a turn is over when it ended and the agent came to rest, or may have ended while nobody listened', () => {
  const through = (...events: LiveEvent[]): boolean => isOver(events.reduce(heed, firstLook))
  expect(through(...turn('x'))).toBe(true)
  expect(through(...turn('x').slice(0, 3))).toBe(false)
  expect(through(...turn('x').slice(0, 3), state('limited'))).toBe(false)
  expect(through(state('working'), state('idle'))).toBe(false)
  expect(through(state('working'), { kind: 'gap', missed: 0 }, state('idle'))).toBe(true)
  expect(through(state('working'), state('stopped'))).toBe(true)
})

test('what a run cost is that of all its processes, each of which counts from zero', () => {
  const cost = (costUsd: number): LiveEvent => ({
    kind: 'usage',
    usage: { inputTokens: 1, outputTokens: 1, costUsd, model: null },
  })
  const events = [state('starting'), cost(0.25), cost(0.5), state('stopped'), state('starting'), cost(0.25)]
  expect(events.reduce(heed, firstLook).costUsd).toBe(0.75)
})
