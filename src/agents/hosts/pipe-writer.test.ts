import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { PipeWriter } from './pipe-writer.ts'

const gone = expect.objectContaining({ code: 'not_running' })
const start = () => {
  const path = join(tempDir(), 'fifo')
  execFileSync('mkfifo', [path])
  const writer = new PipeWriter(path)
  onTestFinished(() => writer.close())
  return { path, writer }
}

test('texts arrive whole and in order, however slowly they are read and however long they are', async () => {
  const { path, writer } = start()
  const held = openSync(path, constants.O_RDWR)
  const texts = ['a', 'ä'.repeat(300_000), 'b', '😀'.repeat(100_000), 'c'].map((text) => `${text}\n`)
  const written = texts.map((text) => writer.write(text))
  const copy = `${path}.copy`
  const reader = spawn('sh', ['-c', 'exec head -n 5 > "$1"', 'sh', copy], { stdio: [held, 'ignore', 'ignore'] })
  const ended = once(reader, 'exit')
  await Promise.all(written)
  await ended
  closeSync(held)
  expect(readFileSync(copy, 'utf8')).toBe(texts.join(''))
})

test('without a reader it fails, and tries again the next time', async () => {
  const { path, writer } = start()
  await expect(writer.write('lost\n')).rejects.toEqual(gone)
  const held = openSync(path, constants.O_RDWR)
  await writer.write('there\n')
  closeSync(held)
  await expect(writer.write('late\n')).rejects.toEqual(gone)
})

test('closed while the pipe is full, whoever waits is told', async () => {
  const { path, writer } = start()
  const held = openSync(path, constants.O_RDWR)
  const waiting = writer.write('x'.repeat(1_000_000))
  const next = writer.write('y')
  await Promise.resolve()
  writer.close()
  writer.close()
  await expect(waiting).rejects.toEqual(gone)
  await expect(next).rejects.toEqual(gone)
  closeSync(held)
})
