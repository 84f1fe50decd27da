import { effect } from '@preact/signals'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ReinError } from '../../contract/errors.ts'
import { Link, type LinkPorts, type SocketLike, type SocketListener } from './link.ts'

/** The daemon's end of a socket, played by the test. */
class FakeSocket implements SocketLike {
  readonly sent: Record<string, unknown>[] = []
  isClosed = false
  readonly #listener: SocketListener

  constructor(listener: SocketListener) {
    this.#listener = listener
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close(): void {
    this.isClosed = true
  }
  say(frame: object): void {
    this.#listener.onMessage(JSON.stringify(frame))
  }
  breakOff(): void {
    this.#listener.onClose()
  }
}

const device = { id: 'dev_1', name: 'phone', scopes: ['read', 'tell'] as const }
const daemon = { id: 'd1', version: '0.2.0', build: 'b1' }

let sockets: FakeSocket[]
let timers: { ms: number; act: () => void }[]
let isPaired: boolean
let keyTrouble: Error | null
let sign: (challenge: string) => Promise<string>
let link: Link

const ports: LinkPorts = {
  open: (listener) => {
    const socket = new FakeSocket(listener)
    sockets.push(socket)
    return socket
  },
  identify: async () => {
    if (keyTrouble !== null) throw keyTrouble
    return isPaired ? { device: device.id, sign: (text) => sign(text) } : null
  },
  after: (ms, act) => {
    const timer = { ms, act }
    timers.push(timer)
    return () => {
      timers = timers.filter((each) => each !== timer)
    }
  },
  random: () => 1,
}

/** Promises that are settled by now have told so. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}
const last = (): FakeSocket => {
  const socket = sockets.at(-1)
  if (socket === undefined) throw new Error('no socket was opened')
  return socket
}
const letTimePass = async (ms: number): Promise<void> => {
  const due = timers.filter((timer) => timer.ms <= ms)
  timers = timers.filter((timer) => timer.ms > ms)
  for (const { act } of due) act()
  await settle()
}
const welcome = async (): Promise<void> => {
  await settle()
  last().say({ challenge: 'nonce', daemon })
  await settle()
  last().say({ welcome: { device, now: 5_000, version: '0.2.0' } })
}
const breakOff = (): void => last().breakOff()
const failureOf = (asked: Promise<unknown>): Promise<ReinError> =>
  asked.then(
    () => expect.unreachable(),
    (cause: ReinError) => cause,
  )
const read = { name: 'ps', input: {}, limitMs: 30_000, isRepeatable: true } as const
const act = { name: 'down', input: { target: 'ada' }, limitMs: 30_000, isRepeatable: false } as const

beforeEach(() => {
  sockets = []
  timers = []
  isPaired = true
  keyTrouble = null
  sign = async (text) => `signed ${text}`
  link = new Link(ports, () => 4_000)
  link.start()
})

describe('greeting', () => {
  test('signs the challenge and learns who it is', async () => {
    await welcome()
    expect(last().sent).toEqual([{ hello: { device: 'dev_1', signature: 'signed nonce' } }])
    expect(link.state.value).toBe('open')
    expect(link.me.value).toEqual(device)
    expect(link.skewMs.value).toBe(1_000)
  })

  test.each(['signs', 'does not sign'])('a key that %s too late says nothing on the next socket', async (what) => {
    let end: () => void = () => {}
    sign = () =>
      new Promise((resolve, reject) => {
        end = () => (what === 'signs' ? resolve('late') : reject(new Error('late')))
      })
    await settle()
    last().say({ challenge: 'first', daemon })
    link.start()
    await settle()
    end()
    await settle()
    expect([sockets.length, last().sent, last().isClosed, link.state.value]).toEqual([2, [], false, 'connecting'])
  })

  test('a browser without a key is not paired, and opens no socket', async () => {
    isPaired = false
    link.start()
    await settle()
    expect(link.state.value).toBe('unpaired')
  })

  test('a refusal is told and not tried again', async () => {
    await settle()
    last().say({ refused: { code: 'forbidden', message: 'This device was revoked.' } })
    await letTimePass(60_000)
    expect(link.state.value).toBe('refused')
    expect(link.refusal.value?.message).toBe('This device was revoked.')
    expect(sockets).toHaveLength(1)
  })

  test('a browser that does not give its key says so, and is asked again', async () => {
    await welcome()
    keyTrouble = new Error('The disk is full.')
    breakOff()
    await letTimePass(250)
    expect(link.state.value).toBe('keyless')
    expect(link.refusal.value?.message).toContain('The disk is full.')
    keyTrouble = null
    await letTimePass(500)
    await welcome()
    expect(link.state.value).toBe('open')
    expect(link.refusal.value).toBeNull()
  })

  test('what is opened because it is welcome is opened once', async () => {
    effect(() => {
      if (link.me.value !== null) link.openStream({ name: 'live', input: {}, onLine: () => {} })
      if (link.state.value === 'open') void link.call(read)
    })
    await welcome()
    expect(last().sent.slice(1)).toEqual([
      { id: 1, open: 'live', input: {} },
      { id: 2, call: 'ps', input: {} },
    ])
  })

  test('a daemon that says nothing is left', async () => {
    await settle()
    await letTimePass(15_000)
    expect(link.state.value).toBe('offline')
    expect(last().isClosed).toBe(true)
  })
})

describe('calls', () => {
  test('get their own answer', async () => {
    await welcome()
    const first = link.call(read)
    const second = failureOf(link.call(act))
    last().say({ id: 2, error: { code: 'not_running', message: 'ada does not run.', hint: 'Start it.' } })
    last().say({ id: 1, result: ['ada'] })
    expect(await first).toEqual(['ada'])
    expect(await second).toMatchObject({ code: 'not_running', hint: 'Start it.' })
  })

  test('what is asked before the welcome is sent after it, once', async () => {
    const asked = link.call(read)
    await welcome()
    expect(last().sent.slice(1)).toEqual([{ id: 1, call: 'ps', input: {} }])
    last().say({ id: 1, result: 'yes' })
    expect(await asked).toBe('yes')
  })

  test('a read is repeated after a break; of an act it is said that nobody knows', async () => {
    await welcome()
    const asked = link.call(read)
    const done = failureOf(link.call(act))
    breakOff()
    expect((await done).message).toContain('it is not known whether it happened')
    await letTimePass(250)
    await welcome()
    expect(last().sent.slice(1)).toEqual([{ id: 1, call: 'ps', input: {} }])
    last().say({ id: 1, result: 'again' })
    expect(await asked).toBe('again')
  })

  test('an act is not sent again if the page connects anew', async () => {
    await welcome()
    const done = failureOf(link.call(act))
    link.start()
    expect((await done).message).toContain('it is not known whether it happened')
    await welcome()
    expect(sockets).toHaveLength(2)
    expect(last().sent.filter((frame) => 'call' in frame)).toEqual([])
  })

  test('a daemon that refuses to go on does not say whether what was sent happened', async () => {
    await welcome()
    const sent = failureOf(link.call(read))
    breakOff()
    await letTimePass(250)
    const unsent = failureOf(link.call(act))
    last().say({ refused: { code: 'unknown_device', message: 'This device was revoked.' } })
    expect(await sent).toMatchObject({ code: 'unavailable', message: expect.stringContaining('not known') })
    expect(await unsent).toMatchObject({ code: 'unknown_device' })
  })

  test('an act waits only briefly for a connection, and says that it was not sent', async () => {
    const done = failureOf(link.call(act))
    await letTimePass(5_000)
    expect((await done).message).toContain('was not sent')
    await welcome()
    expect(last().sent).toHaveLength(1)
  })

  test('an answer that comes too late is nobody’s', async () => {
    await welcome()
    const done = failureOf(link.call(act))
    await letTimePass(30_000)
    expect((await done).message).toContain('not known')
    last().say({ id: 1, result: 'late' })
    expect(link.state.value).toBe('open')
  })
})

describe('streams', () => {
  test('are opened again after a break, where they had come to', async () => {
    await welcome()
    const lines: unknown[] = []
    link.openStream({
      name: 'feed',
      input: { lines: 10 },
      onLine: (line) => lines.push(line),
      resume: () => ({ after: lines.length }),
    })
    last().say({ id: 1, line: 'a' })
    breakOff()
    await letTimePass(250)
    await welcome()
    expect(last().sent.slice(1)).toEqual([{ id: 1, open: 'feed', input: { after: 1 } }])
    last().say({ id: 1, line: 'b' })
    expect(lines).toEqual(['a', 'b'])
  })

  test('give credit as lines are taken', async () => {
    await welcome()
    link.openStream({ name: 'watch', input: {}, onLine: () => {} })
    for (let line = 0; line < 70; line += 1) last().say({ id: 1, line })
    expect(last().sent.filter((frame) => 'credit' in frame)).toEqual([
      { id: 1, credit: 32 },
      { id: 1, credit: 32 },
    ])
  })

  test('one that never ends is opened again when a daemon that stops has ended it', async () => {
    await welcome()
    link.openStream({ name: 'watch', input: {}, onLine: () => {} })
    last().say({ id: 1, end: true })
    await letTimePass(1_000)
    expect(last().sent.filter((frame) => 'open' in frame)).toHaveLength(2)
  })

  test('one that may end tells so, and is not opened again', async () => {
    await welcome()
    const ends: unknown[] = []
    link.openStream({ name: 'follow', input: {}, onLine: () => {}, onEnd: (error) => ends.push(error) })
    last().say({ id: 1, end: true })
    breakOff()
    await letTimePass(250)
    await welcome()
    expect(ends).toEqual([null])
    expect(last().sent.filter((frame) => 'open' in frame)).toEqual([])
  })

  test('one that is refused is opened again ever later, until a line comes', async () => {
    await welcome()
    link.openStream({ name: 'watch', input: {}, onLine: () => {} })
    const delays: number[] = []
    const refuse = async (): Promise<void> => {
      last().say({ id: 1, error: { code: 'rate_limited', message: 'A page has at most 128 requests open.' } })
      delays.push(timers.at(-1)?.ms ?? 0)
      await letTimePass(10_000)
    }
    for (let time = 0; time < 5; time += 1) await refuse()
    last().say({ id: 1, line: 'a' })
    await refuse()
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 1_000])
    expect(last().sent.filter((frame) => 'open' in frame)).toHaveLength(7)
  })

  test('tell whenever they are asked for', async () => {
    let openings = 0
    link.openStream({ name: 'live', input: {}, onLine: () => {}, onOpen: () => (openings += 1) })
    expect(openings).toBe(0)
    await welcome()
    breakOff()
    await letTimePass(250)
    await welcome()
    last().say({ id: 1, end: true })
    await letTimePass(1_000)
    expect(openings).toBe(3)
  })

  test('the end of the reader is told once', async () => {
    await welcome()
    const close = link.openStream({ name: 'watch', input: {}, onLine: () => {} })
    close()
    close()
    expect(last().sent.filter((frame) => 'close' in frame)).toEqual([{ id: 1, close: true }])
  })
})

describe('coming back', () => {
  test('waits longer after each failure, and not at all when the network is back', async () => {
    await settle()
    const delays: number[] = []
    for (let failure = 0; failure < 7; failure += 1) {
      breakOff()
      const [timer] = timers
      delays.push(timer?.ms ?? 0)
      await letTimePass(10_000)
    }
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000])
    breakOff()
    const before = sockets.length
    link.check()
    await settle()
    expect(sockets).toHaveLength(before + 1)
  })

  test('a socket that died in its sleep is found by asking', async () => {
    await welcome()
    link.check()
    await letTimePass(4_000)
    expect(link.state.value).toBe('offline')
  })

  test('a socket that still answers is kept', async () => {
    await welcome()
    link.check()
    last().say({ id: 1, error: { code: 'forbidden', message: 'No.' } })
    await settle()
    await letTimePass(4_000)
    expect(link.state.value).toBe('open')
    expect(sockets).toHaveLength(1)
  })

  test('what an older socket still says counts no more', async () => {
    await welcome()
    const [old] = sockets
    breakOff()
    await letTimePass(250)
    old?.say({ welcome: { device: { ...device, name: 'other' }, now: 0, version: '' } })
    expect(link.state.value).toBe('offline')
  })
})
