import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { FifoOutputs } from '../../src/features/channels/fifo/outputs.ts'
import { tempDir } from '../support/builders.ts'
import { mkfifo, startInputs } from '../support/fifo-harness.ts'
import { killProcess } from '../support/kill.ts'
import { comeAndGo, countWhole, startWriter, writeAtOnce } from './fifo-writers.ts'

const numbers = Array.from({ length: 20 }, (_, i) => i)

test('20 writers at once, lines of up to 4,096 bytes: none damaged, each in order', async () => {
  const { texts, refused } = await writeAtOnce(20, 50, [16, 100, 512, 2000, 4095, 4096])
  expect([countWhole(texts).size, texts.length, refused]).toEqual([20, 1000, []])
})

test.each([4097, 65_537])('20 writers at once, lines of %i bytes: none accepted', async (bytes) => {
  const { texts, refused } = await writeAtOnce(20, 10, [bytes])
  expect(texts).toEqual([])
  expect(refused.length).toBeGreaterThan(0)
})

test('characters of several bytes stay whole where the reads are cut', async () => {
  const { dir, inputs, texts } = await startInputs()
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i} 世界😀ü`)
  const source = join(dir, 'source')
  writeFileSync(source, lines.map((line) => `${line}\n`).join(''))
  const writer = spawn('dd', [`if=${source}`, `of=${join(dir, 'in')}`, 'bs=4093', 'status=none'], { stdio: 'ignore' })
  await once(writer, 'exit')
  await inputs.close()
  expect(texts()).toEqual(lines.map((line) => `in: ${line}`))
})

test('writers that are killed at any point leave whole lines, and the others go on', async () => {
  const { dir, inputs, messages, refused, until } = await startInputs()
  const writers = numbers.map((i) => startWriter(join(dir, 'in'), i, 500, 4096 - i))
  const ends = writers.map((writer) => once(writer, 'exit'))
  for (const [i, writer] of writers.slice(0, 10).entries()) {
    await until(() => messages.length >= 200 * (i + 1))
    if (writer.exitCode === null) killProcess(writer.pid)
  }
  await Promise.all(ends)
  await inputs.close()
  const counts = countWhole(messages.map(({ text }) => text))
  expect(numbers.slice(10, 20).map((i) => counts.get(i))).toEqual(Array.from({ length: 10 }, () => 500))
  expect(refused).toEqual([])
})

test('a reader that stops in the middle has taken whole lines, and the next one goes on with whole lines', async () => {
  const first = await startInputs()
  const path = join(first.dir, 'in')
  const writers = numbers.slice(0, 10).map((i) => startWriter(path, i, 1000, 1000))
  const ends = writers.map((writer) => once(writer, 'exit'))
  // A writer that opens the FIFO when nobody reads it any more waits for ever.
  const nobody = ''
  const heard = new Set([nobody])
  await first.until(() => heard.add(first.messages.at(-1)?.text.split(' ', 1)[0] ?? nobody).size > writers.length)
  await first.inputs.close()
  await Promise.all(ends)
  countWhole(first.messages.map(({ text }) => text))
  const second = await startInputs({ dir: first.dir })
  await once(startWriter(path, 7, 1000, 1000), 'exit')
  await second.inputs.close()
  expect(countWhole(second.messages.map(({ text }) => text))).toEqual(new Map([[7, 1000]]))
  expect([...first.refused, ...second.refused]).toEqual([])
})

/** A program that reads a FIFO, and what it has said of it. */
const startReader = (path: string) => {
  const child = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void (child.exitCode ?? child.signalCode ?? child.kill('SIGKILL')))
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => void said.push(text))
  const until = async (text: string): Promise<void> => {
    while (!said.join('').endsWith(text)) await once(child.stdout, 'data')
  }
  return { child, said: () => said.join(''), until, ended: once(child, 'close') }
}

/** Writes as soon as somebody reads. */
const writeWhenRead = async (outputs: FifoOutputs, channel: string, text: string): Promise<void> => {
  for (;;) {
    try {
      return outputs.write(channel, text)
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'not_running') throw cause
      await setTimeout(25)
    }
  }
}

test('a program that reads is told everything; it dies, and the next line is an error; it comes back', async () => {
  const dir = tempDir()
  const [path = ''] = mkfifo(dir, 'out.a')
  const outputs = new FifoOutputs(dir)
  onTestFinished(() => outputs.close())
  const first = startReader(path)
  await writeWhenRead(outputs, 'a', 'one')
  outputs.write('a', 'two')
  await first.until('two\n')
  killProcess(first.child.pid)
  await first.ended
  expect(() => outputs.write('a', 'lost')).toThrow('Nobody reads out.a now')
  const second = startReader(path)
  await writeWhenRead(outputs, 'a', 'three')
  await second.until('three\n')
  expect([first.said(), second.said()]).toEqual(['one\ntwo\n', 'three\n'])
})

test('a program that hangs makes nobody wait: what no longer fits is an error, and what fitted arrives', async () => {
  const dir = tempDir()
  const [path = ''] = mkfifo(dir, 'out.a')
  const outputs = new FifoOutputs(dir)
  onTestFinished(() => outputs.close())
  const reader = startReader(path)
  await writeWhenRead(outputs, 'a', 'begin')
  await reader.until('begin\n')
  killProcess(reader.child.pid, 'SIGSTOP')
  const lines: string[] = []
  const fill = (): void => {
    for (;;) {
      outputs.write('a', `${lines.length} ${'世'.repeat(1000)}`)
      lines.push(`${lines.length} ${'世'.repeat(1000)}\n`)
    }
  }
  expect(fill).toThrow('out.a is full')
  killProcess(reader.child.pid, 'SIGCONT')
  await reader.until(lines.at(-1) ?? '')
  outputs.write('a', 'end')
  await reader.until('end\n')
  expect(reader.said()).toBe(`begin\n${lines.join('')}end\n`)
})

test('no descriptor is left after 500 FIFOs that came and went', async () => {
  expect(await comeAndGo(10)).toEqual({ left: 0, troubles: [] })
})
