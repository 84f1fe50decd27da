import {
  chmodSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { mkfifo } from '../../../../test/support/fifo-harness.ts'
import { FifoOutputs } from './outputs.ts'

const start = (...files: string[]) => {
  const dir = tempDir()
  const [path = ''] = mkfifo(dir, ...files)
  const outputs = new FifoOutputs(dir)
  onTestFinished(() => outputs.close())
  return { dir, path, outputs }
}

const readers = new Set<number>()
const openReader = (path: string): number => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  readers.add(fd)
  onTestFinished(() => closeReader(fd))
  return fd
}
const closeReader = (fd: number): void => {
  if (readers.delete(fd)) closeSync(fd)
}

/** What is there to read now. */
const read = (fd: number): string => {
  const buffer = Buffer.alloc(1 << 17)
  return buffer.toString('utf8', 0, readSync(fd, buffer))
}

const nobody = expect.objectContaining({ code: 'not_running', message: expect.stringContaining('Nobody reads out.a') })
const errorOf = (run: () => void): unknown => {
  try {
    run()
  } catch (cause) {
    return cause
  }
  return undefined
}

test('a line goes to whoever reads, and the next one meets the same reader', () => {
  const { path, outputs } = start('out.a')
  const reader = openReader(path)
  outputs.write('a', 'Grüße, 世界')
  expect(read(reader)).toBe('Grüße, 世界\n')
  outputs.write('a', 'two\nlines')
  outputs.write('a', 'more')
  expect(read(reader)).toBe('{"content":"two\\nlines"}\nmore\n')
})

test('the names are those of the FIFOs that can be used', () => {
  const { dir, outputs } = start('out.a', 'out.b-2', 'out.Bad', 'out.open', 'in.c')
  chmodSync(join(dir, 'out.open'), 0o666)
  chmodSync(dir, 0o711)
  writeFileSync(join(dir, 'out.file'), '')
  expect(outputs.names().toSorted()).toEqual(['a', 'b-2'])
  expect([outputs.has('a'), outputs.has('c'), outputs.has('open')]).toEqual([true, false, false])
  expect(outputs.unused().map(({ file }) => file)).toEqual(['out.Bad', 'out.file', 'out.open'])
})

test.each(['b', '', '../a', '/etc/passwd', 'out.a', 'A', 'a\n'])(
  'there is no FIFO for %j, and the answer says which there are',
  (name) => {
    const { outputs } = start('out.a')
    const error = errorOf(() => outputs.write(name, 'x'))
    expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('There are: a.') })
  },
)

test('where there is none at all, that is said', () => {
  expect(errorOf(() => start('in.a').outputs.write('a', 'x'))).toMatchObject({
    message: expect.stringContaining('none now'),
  })
})

test('without a reader nothing is sent; one that comes back finds what it had not read', () => {
  const { path, outputs } = start('out.a')
  expect(errorOf(() => outputs.write('a', 'lost'))).toEqual(nobody)
  const first = openReader(path)
  outputs.write('a', 'one')
  closeReader(first)
  expect(errorOf(() => outputs.write('a', 'lost too'))).toEqual(nobody)
  const second = openReader(path)
  outputs.write('a', 'two')
  expect(read(second)).toBe('one\ntwo\n')
})

test('a reader that does not read is told of, when no more fits; no line is cut', () => {
  const { path, outputs } = start('out.a')
  const reader = openReader(path)
  const line = '字'.repeat(1000)
  let sent = 0
  let error: unknown
  while (error === undefined) {
    error = errorOf(() => outputs.write('a', line))
    if (error === undefined) sent += 1
  }
  expect(error).toMatchObject({ code: 'refused', message: expect.stringContaining('full') })
  expect(read(reader)).toBe(`${line}\n`.repeat(sent))
  outputs.write('a', 'again')
  expect(read(reader)).toBe('again\n')
})

test('what is too long is refused, in bytes and with the end of the line', () => {
  const { path, outputs } = start('out.a')
  const reader = openReader(path)
  outputs.write('a', 'ü'.repeat(2047))
  expect(read(reader).length).toBe(2048)
  outputs.write('a', 'x'.repeat(4095))
  expect(read(reader).length).toBe(4096)
  for (const text of ['x'.repeat(4096), 'ü'.repeat(2048), `{${'"'.repeat(2050)}`])
    expect(errorOf(() => outputs.write('a', text))).toMatchObject({ code: 'text_too_large', hint: expect.any(String) })
})

test('a link is not followed, and the file behind it stays as it is', () => {
  const { dir, outputs } = start('out.a')
  const target = join(dir, 'precious')
  writeFileSync(target, 'mine')
  symlinkSync(target, join(dir, 'out.link'))
  expect(errorOf(() => outputs.write('link', 'x'))).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('not a FIFO'),
  })
  expect(readFileSync(target, 'utf8')).toBe('mine')
})

test('one that is opened to others is used no more', () => {
  const { path, outputs } = start('out.a')
  openReader(path)
  outputs.write('a', 'x')
  chmodSync(path, 0o622)
  chmodSync(join(path, '..'), 0o711)
  expect(errorOf(() => outputs.write('a', 'x'))).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('chmod 600'),
  })
})

test('one that is removed and made again is another one', () => {
  const { dir, path, outputs } = start('out.a')
  const before = openReader(path)
  outputs.write('a', 'before')
  unlinkSync(path)
  mkfifo(dir, 'out.a')
  const after = openReader(path)
  outputs.write('a', 'after')
  expect([read(before), read(before), read(after)]).toEqual(['before\n', '', 'after\n'])
})
