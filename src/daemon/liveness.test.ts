import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Liveness } from './liveness.ts'

/** A socket whose state the test sets; each check is 30 s after the one before. */
const watched = () => {
  const said: string[] = []
  const line = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    ping: () => void said.push('ping'),
    terminate: () => void said.push('cut'),
  })
  const handle = { writeQueueSize: 0 }
  let now = 0
  const liveness = new Liveness(line as never, { _handle: handle } as unknown as Socket, () => now)
  onTestFinished(() => liveness.stop())
  const check = (): string | undefined => {
    now += 30_000
    liveness.check()
    return said.at(-1)
  }
  return { line, handle, liveness, check }
}

test('a tab that answers stays', () => {
  const { line, check } = watched()
  for (let times = 0; times < 10; times += 1) {
    expect(check()).toBe('ping')
    line.emit('pong')
  }
})

test('one that is heard of no more is cut off, whether something waits for it or not', () => {
  const { line, check } = watched()
  line.emit('pong')
  line.bufferedAmount = 10
  expect([check(), check(), check()].at(-1)).toBe('cut')
})

test('one that takes nothing for a minute is cut off, although it speaks', () => {
  const { line, liveness, check } = watched()
  line.bufferedAmount = 1_000_000
  const seen = [1, 2, 3].map(() => {
    liveness.heard()
    return check()
  })
  expect(seen).toEqual(['ping', 'ping', 'cut'])
})

test('one that takes a long frame slowly stays, although it has not answered yet', () => {
  const { line, handle, check } = watched()
  line.bufferedAmount = 10_000_000
  for (let left = 10_000_000; left > 0; left -= 1_000_000) {
    handle.writeQueueSize = left
    expect(check()).toBe('ping')
  }
})
