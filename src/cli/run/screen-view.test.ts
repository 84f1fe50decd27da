import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '../../contract/live.ts'
import { isPause, saysGoOn, ScreenView } from './screen-view.ts'
import type { ScreenEvent } from '../tui/run/ports.ts'

const paused: LiveEvent = { kind: 'state', state: 'paused', question: null, reason: 'a person' }
const pause = { action: 'pause', reason: 'before each turn', turns: 2, costUsd: null } as const

/** All that was told until it is closed. */
const told = async (view: ScreenView): Promise<ScreenEvent[]> => {
  view.queue.close()
  const events: ScreenEvent[] = []
  for await (const event of view.queue.read(new AbortController().signal)) events.push(event)
  return events
}

describe('what a run tells its screen', () => {
  test('is all that happens, in its order, also what comes while it is read', async () => {
    const view = new ScreenView()
    view.event({ kind: 'text', text: 'a' })
    const events: ScreenEvent[] = []
    for await (const event of view.queue.read(new AbortController().signal)) {
      events.push(event)
      if (events.length === 1) view.event({ kind: 'ended', reason: 'end', isError: false, wasInterrupted: false })
      else view.queue.close()
    }
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'ended'])
    expect(view.turns).toBe(1)
  })

  test('ends with whoever reads it', async () => {
    const left = new AbortController()
    const reading = new ScreenView().queue.read(left.signal).next()
    left.abort()
    expect(await reading).toEqual({ done: true, value: undefined })
  })

  test.each([
    ['before', (view: ScreenView) => (view.event(paused), view.decided(pause))],
    ['after', (view: ScreenView) => (view.decided(pause), view.event(paused))],
  ])('a pause is a question, also when the agent tells of it %s', async (_, tell) => {
    const view = new ScreenView()
    tell(view)
    const last = (await told(view)).at(-1)
    const question = last?.kind === 'state' ? last.question : null
    expect(question).toMatchObject({ kind: 'question', options: ['go on', 'end it'] })
    expect(question !== null && isPause(question)).toBe(true)
    expect(question?.summary).toContain('before each turn')
  })

  test('a pause is over when the agent goes on, and a later one of somebody else is none of ours', async () => {
    const view = new ScreenView()
    view.decided(pause)
    view.event({ ...paused, state: 'idle' })
    view.event(paused)
    expect(await told(view)).toEqual([{ ...paused, state: 'idle' }, paused])
  })

  test('why it prompts again is said', async () => {
    const view = new ScreenView()
    view.decided({ action: 'prompt', reason: 'the first prompt', text: 'x', turns: 0, costUsd: null })
    view.decided({ action: 'prompt', reason: 'npm test ended with 1', text: 'x', turns: 1, costUsd: null })
    expect(await told(view)).toEqual([{ kind: 'note', text: '↻ npm test ended with 1' }])
  })

  test.each([
    ['1', true],
    ['Go on', true],
    ['2', false],
    ['no', false],
  ])('%s lets it go on: %s', (answer, goesOn) => {
    expect(saysGoOn(answer)).toBe(goesOn)
  })
})
