import { expect, test } from 'vitest'
import { type LineReaderPorts, LineReaders, type LineToRead } from './line-readers.ts'
import { unread } from './read.ts'
import type { ShellReading } from './reading.ts'

interface Thread {
  asked: LineToRead[]
  onRead: (reading: ShellReading) => void
  onEnd: (why: string) => void
  isEnded: boolean
}

const nothing: ShellReading = { runs: [], opaque: [] }
const here = { cwd: '/p', home: null }

/** Threads that answer when they are told to, and beats that come when they are called. */
const staged = (given: Partial<LineReaderPorts> = {}) => {
  const threads: Thread[] = []
  const troubles: string[] = []
  let beat: (() => void) | null = null
  const readers = new LineReaders({
    startThread: (onRead, onEnd) => {
      const thread: Thread = { asked: [], onRead, onEnd, isEnded: false }
      threads.push(thread)
      return { ask: (line) => thread.asked.push(line), end: () => (thread.isEnded = true) }
    },
    every: (_, callback) => {
      beat = callback
      return () => (beat = null)
    },
    onTrouble: (why) => troubles.push(why),
    ...given,
  })
  const beats = (count: number): void => {
    for (let at = 0; at < count; at++) beat?.()
  }
  return { readers, threads, troubles, beats, isBeating: () => beat !== null }
}

test('lines are read one after the other, the same one once', async () => {
  const { readers, threads, isBeating } = staged()
  const all = [readers.read('a', here), readers.read('b', here), readers.read('a', here)]
  const [thread] = threads
  expect(thread?.asked.map(({ text }) => text)).toEqual(['a'])
  thread?.onRead(nothing)
  expect(thread?.asked.map(({ text }) => text)).toEqual(['a', 'b'])
  thread?.onRead(unread('unparsable', 'b'))
  expect(await Promise.all(all)).toEqual([nothing, unread('unparsable', 'b'), nothing])
  expect([threads.length, isBeating()]).toEqual([1, false])
  void readers.read('a', { ...here, cwd: '/q' })
  thread?.onRead(nothing)
  void readers.read('a', { ...here, variables: { b: 'c' } })
  expect(thread?.asked).toHaveLength(4)
})

test('a thread that hangs is ended: nobody can tell what its line does, and the next one is read by another', async () => {
  const { readers, threads, troubles, beats } = staged()
  const all = [readers.read('hangs', here), readers.read('next', here)]
  beats(12)
  expect(threads).toMatchObject([{ isEnded: false }])
  beats(1)
  expect(threads).toMatchObject([{ isEnded: true }, { isEnded: false, asked: [{ text: 'next' }] }])
  // The first one ends only now, and says so.
  threads[0]?.onEnd('the thread ended')
  threads[1]?.onRead(nothing)
  expect(await Promise.all(all)).toEqual([unread('too costly', 'hangs'), nothing])
  expect(troubles).toEqual(['a line of 5 characters was not read: it did not end in time'])
})

test('a thread that breaks, or cannot be started, is as good as one that hangs', async () => {
  const { readers, threads } = staged()
  const broken = readers.read('a', here)
  threads[0]?.onEnd('out of memory')
  expect(await broken).toEqual(unread('too costly', 'a'))
  const none = staged({
    startThread: () => {
      throw new Error('no threads')
    },
  })
  expect(await none.readers.read('a', here)).toEqual(unread('too costly', 'a'))
  expect(none.troubles).toEqual(['a line of 1 characters was not read: no thread could be started: Error: no threads'])
})

test('a thread that breaks while nothing is read is replaced when it is needed', async () => {
  const { readers, threads } = staged()
  const first = readers.read('a', here)
  threads[0]?.onRead(nothing)
  await first
  threads[0]?.onEnd('gone')
  const second = readers.read('b', here)
  expect(threads[1]?.asked).toMatchObject([{ text: 'b' }])
  threads[1]?.onRead(nothing)
  expect(await second).toEqual(nothing)
})
