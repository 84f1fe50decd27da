import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Liveness } from './liveness.ts'

/** A socket whose state the test sets; each check is 30 s after the one before. A ping takes two bytes. */
const watched = () => {
  const said: string[] = []
  const kernel = { writeQueueSize: 0 }
  const socket = { writableLength: 0, bytesWritten: 0, _handle: kernel }
  const line = Object.assign(new EventEmitter(), {
    ping: () => {
      said.push('ping')
      socket.bytesWritten += 2
      if (socket.writableLength > 0) socket.writableLength += 2
    },
    terminate: () => void said.push('cut'),
  })
  let now = 0
  const liveness = new Liveness(line as never, socket as unknown as Socket, () => now)
  onTestFinished(() => liveness.stop())
  const check = (): string | undefined => {
    now += 30_000
    liveness.check()
    return said.at(-1)
  }
  return { line, socket, kernel, check }
}

test('a tab that answers stays', () => {
  const { line, check } = watched()
  for (let times = 0; times < 10; times += 1) {
    expect(check()).toBe('ping')
    line.emit('pong')
  }
})

test.each([0, 10])('one that is heard of no more is cut off, while %i bytes wait for it', (waiting) => {
  const { line, socket, check } = watched()
  line.emit('pong')
  Object.assign(socket, { writableLength: waiting, bytesWritten: waiting })
  expect([check(), check(), check()]).toEqual(['ping', 'ping', 'cut'])
})

test('one that takes a long frame slowly stays, although it has not answered yet', () => {
  const { socket, kernel, check } = watched()
  Object.assign(socket, { writableLength: 10_000_000, bytesWritten: 10_000_000 })
  for (let left = 10_000_000; left > 0; left -= 1_000_000) {
    kernel.writeQueueSize = left
    expect(check()).toBe('ping')
  }
})
