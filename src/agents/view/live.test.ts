import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { anAgent, aRecord } from '../../../test/support/builders.ts'
import type { LiveEvent } from '../../contract/live.ts'
import { LiveViews } from './live.ts'

const agent = anAgent({ state: 'working' })
const text = (words: string): LiveEvent => ({ kind: 'text', text: words })

const look = async (signal = new AbortController().signal) => {
  const views = new LiveViews()
  const events = views.follow(agent, signal)
  const first = await events.next()
  return { views, events, first: first.value as LiveEvent, say: (event: LiveEvent) => views.tell(agent.id, event) }
}

describe('looking at an agent', () => {
  test('its state comes first, then what it says, and what becomes of it', async () => {
    const { events, first, say, views } = await look()
    expect(first).toMatchObject({ kind: 'state', state: 'working' })
    say(text('one'))
    const idle = anAgent({ state: 'idle' })
    views.onChange(
      idle,
      agent,
      aRecord('agent.state', { state: 'idle', evidence: { source: 'stream' }, question: null }),
    )
    expect((await events.next()).value).toEqual(text('one'))
    expect((await events.next()).value).toMatchObject({ kind: 'state', state: 'idle' })
  })

  test('whoever is told of a pause knows whether Rein made it, and why', async () => {
    const pausedBy = async (pauseReason: string | null) =>
      (await new LiveViews().follow(anAgent({ state: 'paused', pauseReason }), new AbortController().signal).next())
        .value
    expect(await pausedBy('In circles.')).toMatchObject({ reason: 'In circles.', isHeldUp: true })
    expect(await pausedBy(null)).not.toHaveProperty('isHeldUp')
  })

  test('one that is stopped to be started again is starting, until it is known to be gone', async () => {
    let isComing = true
    const views = new LiveViews(() => isComing)
    const events = views.follow(agent, new AbortController().signal)
    const stopped = anAgent({ state: 'stopped' })
    const next = async () => ((await events.next()).value as Extract<LiveEvent, { kind: 'state' }>).state
    expect(await next()).toBe('working')
    const body = { state: 'stopped', evidence: { source: 'process' }, question: null } as const
    views.onChange(stopped, agent, aRecord('agent.state', body))
    expect(await next()).toBe('starting')
    isComing = false
    views.settle(stopped)
    expect(await next()).toBe('stopped')
  })

  test('an agent that nobody looks at any more is not listened to', async () => {
    const leaving = new AbortController()
    const { views, events } = await look(leaving.signal)
    expect(views.isWatched(agent.id)).toBe(true)
    const end = events.next()
    leaving.abort()
    expect((await end).done).toBe(true)
    expect(views.isWatched(agent.id)).toBe(false)
  })

  test('however much is told, one listener waits for the end, and none is left behind', async () => {
    const leaving = new AbortController()
    const { events, say } = await look(leaving.signal)
    for (let n = 0; n < 20; n += 1) {
      const next = events.next()
      say(text(String(n)))
      expect((await next).value).toEqual(text(String(n)))
    }
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(1)
    await events.return(undefined)
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
  })

  test('whoever is too slow is told how much is missing, and keeps nobody waiting', async () => {
    const { events, say } = await look()
    for (let n = 0; n < 10_003; n += 1) say(text(String(n)))
    let last: LiveEvent = text('')
    for (let n = 0; n < 10_001; n += 1) last = (await events.next()).value as LiveEvent
    expect(last).toEqual({ kind: 'gap', missed: 3 })
    say(text('again'))
    expect((await events.next()).value).toEqual(text('again'))
  })
})
