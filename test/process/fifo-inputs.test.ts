import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FifoReader } from '../../src/features/channels/fifo/reader.ts'
import { ReinError } from '../../src/contract/errors.ts'
import { tempDir } from '../support/builders.ts'
import { mkfifo, startInputs, writeTo } from '../support/fifo-harness.ts'

/** Time stands still until it is moved on. */
const stopTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Lets time pass in steps, with the event loop at work in between, until it is so. */
const pass = async (ms: number, isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    vi.advanceTimersByTime(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A promise that somebody else resolves. */
const gate = (): { opened: Promise<void>; open: () => void } => {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const long = `${'x'.repeat(5000)}\n`

test('`in` is made for this user alone, and is read', async () => {
  const { dir, inputs, texts, until } = await startInputs()
  expect(lstatSync(join(dir, 'in')).mode & 0o777).toBe(0o600)
  expect(inputs.names()).toEqual(['in'])
  writeTo(join(dir, 'in'), 'hello\n')
  await until(() => texts().length === 1)
  expect(texts()).toEqual(['in: hello'])
})

test('one that is there already is taken as it is', async () => {
  const dir = tempDir()
  const [path = ''] = mkfifo(dir, 'in')
  const { ino } = lstatSync(path)
  const { inputs } = await startInputs({ dir })
  expect([inputs.names(), lstatSync(path).ino]).toEqual([['in'], ino])
})

test('where it cannot be made, that is told, and the others are read all the same', async () => {
  const dir = tempDir()
  mkfifo(dir, 'in.a')
  vi.stubEnv('PATH', dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { inputs, troubles } = await startInputs({ dir })
  expect([inputs.names(), troubles]).toEqual([['a'], [expect.stringContaining(`making ${join(dir, 'in')}`)]])
})

test('others are found while it runs, and what they say has the name of the FIFO', async () => {
  const { dir, inputs, messages, until } = await startInputs()
  const [telegram = '', phone = ''] = mkfifo(dir, 'in.telegram', 'in.phone_2')
  await until(() => inputs.names().length === 3)
  writeTo(telegram, '{"channel":"owner","content":"作業は?\\n「はい」","ts":1740000000,"meta":{"chat":7}}\n')
  writeTo(phone, '{bad "json"}\n')
  await until(() => messages.length === 2)
  expect(messages).toContainEqual({
    channel: 'telegram',
    text: '作業は?\n「はい」',
    claimedAt: 1740000000000,
    meta: { chat: 7 },
    sender: null,
  })
  expect(messages).toContainEqual(
    expect.objectContaining({ channel: 'phone_2', text: '{bad "json"}', claimedAt: null }),
  )
})

test('what the watcher does not tell, the next look finds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const dir = join(tempDir(), 'run')
  mkdirSync(dir)
  const { inputs } = await startInputs({ dir })
  renameSync(dir, `${dir}.old`)
  mkdirSync(dir)
  mkfifo(dir, 'in.late')
  vi.advanceTimersByTime(2000)
  expect(inputs.names()).toEqual(['late'])
})

test('one that is removed is closed, and nothing that was written is lost', async () => {
  const { dir, inputs, texts, until } = await startInputs()
  const [path = ''] = mkfifo(dir, 'in.brief')
  await until(() => inputs.names().includes('brief'))
  writeTo(path, 'last words\n')
  unlinkSync(path)
  await until(() => !inputs.names().includes('brief'))
  expect(texts()).toEqual(['brief: last words'])
})

test('one that is removed and made again is another one', async () => {
  const { dir, inputs, texts, until } = await startInputs()
  const [path = ''] = mkfifo(dir, 'in.again')
  await until(() => inputs.names().includes('again'))
  writeTo(path, 'first\nhal')
  unlinkSync(path)
  mkfifo(dir, 'in.again')
  inputs.scan()
  writeTo(path, 'second\n')
  await until(() => texts().length === 3)
  expect(texts()).toEqual(['again: first', 'again: hal', 'again: second'])
})

test.each<[string, (path: string) => void, RegExp]>([
  ['a file', (path) => writeFileSync(path, 'text\n'), /not a FIFO; remove it and run: mkfifo -m 600/],
  ['a directory', (path) => mkdirSync(path), /not a FIFO/],
  ['a link to a FIFO', (path) => symlinkSync(mkfifo(join(path, '..'), 'elsewhere')[0] ?? '', path), /not a FIFO/],
  ['a link to nowhere', (path) => symlinkSync('/nowhere', path), /not a FIFO/],
  [
    'a FIFO that others may write',
    (path) => {
      chmodSync(join(path, '..'), 0o711)
      chmodSync(mkfifo(join(path, '..'), 'in.x')[0] ?? '', 0o622)
    },
    /mode 622.*chmod 600/,
  ],
])('%s is refused, which is told once', async (_, make, reason) => {
  const { dir, inputs, troubles, until } = await startInputs()
  make(join(dir, 'in.x'))
  await until(() => troubles.length === 1)
  inputs.scan()
  expect(troubles).toEqual([expect.stringMatching(reason)])
  expect(inputs.names()).toEqual(['in'])
})

test('in a directory of this user alone others cannot write to a FIFO, whatever its mode says', async () => {
  const { dir, inputs, texts, until } = await startInputs()
  const [path = ''] = mkfifo(dir, 'in.shared')
  chmodSync(path, 0o664)
  await until(() => inputs.names().includes('shared'))
  inputs.scan()
  writeTo(path, 'hello\n')
  await until(() => texts().length === 1)
  expect([texts(), inputs.unused()]).toEqual([['shared: hello'], []])
})

test('put right, it is read; broken again, it is told again', async () => {
  const dir = tempDir()
  chmodSync(dir, 0o711)
  const { inputs, troubles, until } = await startInputs({ dir })
  const [path = ''] = mkfifo(dir, 'in.x')
  await until(() => inputs.names().includes('x'))
  chmodSync(path, 0o622)
  inputs.scan()
  expect([inputs.names(), troubles.length]).toEqual([['in'], 1])
  chmodSync(path, 0o600)
  await until(() => inputs.names().includes('x'))
  chmodSync(path, 0o622)
  inputs.scan()
  expect([inputs.names(), troubles.length]).toEqual([['in'], 2])
})

test.each(['in.', 'in.Upper', 'in.a.b', 'in.ü', `in.${'x'.repeat(33)}`])(
  '%s names no channel: its writer does not wait for ever, and what it wrote is refused and counted',
  async (file) => {
    const { dir, inputs, messages, troubles, refused, until } = await startInputs()
    const [path = ''] = mkfifo(dir, file)
    await until(() => troubles.length === 1)
    expect(troubles[0]).toContain('names no channel')
    expect(inputs.names()).toEqual(['in'])
    await once(spawn('sh', ['-c', 'echo one > "$0"; echo two > "$0"', path], { stdio: 'ignore' }), 'exit')
    await until(() => refused.length === 2)
    const reason = expect.stringContaining('names no channel')
    expect([inputs.unused(), messages]).toEqual([[{ file, reason, refused: 2 }], []])
  },
)

test('`in` is made again when somebody removes it', async () => {
  const { dir, inputs, texts, changes, until } = await startInputs()
  unlinkSync(join(dir, 'in'))
  await until(() => changes.length === 3)
  expect(changes).toEqual(['in registered', 'in deregistered', 'in registered'])
  expect(inputs.names()).toEqual(['in'])
  writeTo(join(dir, 'in'), 'hello\n')
  await until(() => texts().length === 1)
})

test('text without a line end is a message when its writer has left, and never part of the next one', async () => {
  const { dir, texts, refused, until } = await startInputs()
  const path = join(dir, 'in')
  for (const [i, text] of ['first', 'second\n', 'third', 'fourth'].entries()) {
    writeTo(path, text)
    await until(() => texts().length === i + 1)
  }
  expect([texts(), refused]).toEqual([['in: first', 'in: second', 'in: third', 'in: fourth'], []])
})

test('what was written to several FIFOs while the daemon was busy comes in the order in which it was written', async () => {
  const { dir, inputs, messages, until } = await startInputs()
  const paths = [join(dir, 'in'), ...mkfifo(dir, 'in.a', 'in.b')]
  await until(() => inputs.names().length === 3)
  const written = Array.from({ length: 30 }, (_, i) => String(i))
  for (const [i, line] of written.entries()) writeTo(paths[(i * 7) % paths.length] ?? '', `${line}\n`)
  await until(() => messages.length === written.length)
  expect(messages.map(({ text }) => text)).toEqual(written)
})

test('refused lines are counted, with the last reason', async () => {
  const { dir, inputs, refused, until } = await startInputs()
  writeTo(join(dir, 'in'), Buffer.from([0x61, 0xff, 0x0a]))
  await until(() => refused.length === 1)
  writeTo(join(dir, 'in'), long)
  await until(() => refused.length === 2)
  expect(inputs.refusals()).toEqual(new Map([['in', { count: 2, last: 'a line of more than 4096 bytes' }]]))
})

test('other files of the directory are none of its business', async () => {
  const dir = tempDir()
  for (const file of ['rein.sock', 'input', 'inbox.txt', 'out.x']) writeFileSync(join(dir, file), '')
  const { inputs, troubles } = await startInputs({ dir })
  expect([inputs.names(), troubles]).toEqual([['in'], []])
})

test('the FIFO of another user is refused', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(4711)
  onTestFinished(() => void vi.restoreAllMocks())
  const { inputs, troubles } = await startInputs()
  expect([inputs.names(), troubles]).toEqual([[], [expect.stringContaining('not to you (4711)')]])
})

test('a directory that cannot be read now closes nothing', async () => {
  const dir = join(tempDir(), 'run')
  mkdirSync(dir)
  const { inputs, troubles } = await startInputs({ dir })
  renameSync(dir, `${dir}.old`)
  inputs.scan()
  expect([inputs.names(), troubles]).toEqual([['in'], [expect.stringContaining('There is no file or directory')]])
  renameSync(`${dir}.old`, dir)
})

/** A writer that stays until the test is over. */
const stay = (path: string): void => {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(fd))
}

test('half a line of a writer that stays and says no more is a message after a while, and nobody waits for it', async () => {
  stopTime()
  const { dir, texts, refused, until } = await startInputs()
  const path = join(dir, 'in')
  stay(path)
  writeTo(path, 'whole\nhal')
  await until(() => texts().length === 1)
  await pass(5000, () => texts().length === 2)
  writeTo(path, 'next\n')
  await until(() => texts().length === 3)
  expect([texts(), refused]).toEqual([['in: whole', 'in: hal', 'in: next'], []])
})

test('half a line of a writer that is still at it when the daemon stops is refused by name', async () => {
  const { dir, inputs, texts, refused, until } = await startInputs()
  stay(join(dir, 'in'))
  writeTo(join(dir, 'in'), 'whole\nhal')
  await until(() => texts().length === 1)
  await inputs.close()
  expect([texts(), refused]).toEqual([['in: whole'], [expect.stringContaining('in: half a line')]])
})

test('a line that comes slowly, but comes, is taken', async () => {
  stopTime()
  const { dir, inputs, texts, until } = await startInputs()
  const [other = ''] = mkfifo(dir, 'in.other')
  await until(() => inputs.names().length === 2)
  stay(join(dir, 'in'))
  for (const [i, part] of ['slow', 'ly ', 'done\n'].entries()) {
    vi.advanceTimersByTime(4900)
    writeTo(join(dir, 'in'), part)
    writeTo(other, `${i}\n`)
    await until(() => texts().includes(`other: ${i}`))
  }
  await until(() => texts().length === 4)
  expect(texts()).toContain('in: slowly done')
})

test('after a line that is too long everything is refused until it was quiet', async () => {
  stopTime()
  const { dir, texts, refused, until } = await startInputs()
  const path = join(dir, 'in')
  stay(path)
  writeTo(path, long)
  await until(() => refused.length === 1)
  writeTo(path, 'in doubt\n')
  await until(() => refused.length === 2)
  vi.advanceTimersByTime(250)
  await new Promise((resolve) => setImmediate(resolve))
  writeTo(path, 'sure\n')
  await until(() => texts().length === 1)
  expect(refused).toEqual(['in: a line of more than 4096 bytes', expect.stringContaining('may be a piece')])
  expect(texts()).toEqual(['in: sure'])
})

test('a daemon that was busy does not take its own silence for that of the FIFO', async () => {
  const { dir, texts, refused, until } = await startInputs()
  const path = join(dir, 'in')
  stay(path)
  writeTo(path, long)
  await until(() => refused.length === 1)
  writeTo(path, 'in doubt\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  await until(() => refused.length + texts().length === 2)
  expect(texts()).toEqual([])
})

test('what is not UTF-8 is refused by name; empty lines are nothing', async () => {
  const { dir, texts, refused, until } = await startInputs()
  writeTo(
    join(dir, 'in'),
    Buffer.concat([Buffer.from([0x61, 0xff, 0x0a]), Buffer.from('\n  \n\r\n{"content":""}\nok\r\n')]),
  )
  await until(() => texts().length === 1)
  expect([texts(), refused]).toEqual([['in: ok'], ['in: a line that is not UTF-8']])
})

test('a message that is not taken is refused with the reason', async () => {
  const take = () => Promise.reject(new ReinError('inbox_full', 'There is no room.'))
  const { dir, refused, until } = await startInputs({ take })
  writeTo(join(dir, 'in'), 'hello\n')
  await until(() => refused.length === 1)
  expect(refused).toEqual(['in: There is no room.'])
})

test('while a thousand are under way, the next ones wait in the FIFO', async () => {
  const { opened, open } = gate()
  const { dir, inputs, messages, texts, until } = await startInputs({ take: () => opened })
  const [path = '', other = ''] = mkfifo(dir, 'in.many', 'in.other')
  await until(() => inputs.names().length === 3)
  const lines = Array.from({ length: 2000 }, (_, i) => `${i}\n`)
  writeTo(path, lines.slice(0, 1001).join(''))
  await until(() => messages.length === 1001)
  writeTo(path, lines.slice(1001).join(''))
  writeTo(other, 'meanwhile\n')
  await until(() => texts().includes('other: meanwhile'))
  expect(messages.length).toBe(1002)
  open()
  await until(() => messages.length === 2001)
  const many = messages.filter(({ channel }) => channel === 'many')
  expect(many.map(({ text }) => `${text}\n`)).toEqual(lines)
})

test('it is closed when all that was in the FIFOs is taken over, also while they had to wait', async () => {
  const { opened, open } = gate()
  let taken = 0
  const take = async () => {
    await opened
    taken += 1
  }
  const { dir, inputs, messages, until } = await startInputs({ take })
  const path = join(dir, 'in')
  writeTo(path, 'x\n'.repeat(1001))
  await until(() => messages.length === 1001)
  writeTo(path, 'x\n'.repeat(500))
  const closed = inputs.close()
  open()
  await closed
  expect(taken).toBe(1501)
})

test('closed before it has begun, it begins no more', async () => {
  const { dir, inputs } = await startInputs()
  await inputs.close()
  rmSync(join(dir, 'in'))
  await inputs.start()
  expect(inputs.names()).toEqual([])
})

test('FIFOs that nobody writes keep no thread busy', async () => {
  const { dir, inputs, until } = await startInputs()
  mkfifo(dir, ...Array.from({ length: 8 }, (_, i) => `in.idle-${i}`))
  await until(() => inputs.names().length === 9)
  await expect(stat(dir)).resolves.toMatchObject({ uid: process.getuid?.() })
})

test('one that cannot be read any more says so, and touches nothing of whoever has its descriptor now', async () => {
  const [path = '', other = ''] = mkfifo(tempDir(), 'in.x', 'in.other')
  const open = (file: string, access: number): number => openSync(file, access | constants.O_NONBLOCK)
  const held = open(path, constants.O_RDWR)
  const lines: string[] = []
  const failed = gate()
  const reader = new FifoReader(() => open(path, constants.O_WRONLY), {
    onLine: (line) => void lines.push(String(line)),
    onRefused: () => undefined,
    onGone: () => undefined,
    onFailed: failed.open,
  })
  await failed.opened
  const fresh = open(other, constants.O_RDWR)
  writeTo(other, 'not for it\n')
  await reader.close()
  for (const fd of [held, fresh]) closeSync(fd)
  expect(lines).toEqual([])
})
