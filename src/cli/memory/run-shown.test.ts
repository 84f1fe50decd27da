import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runShown } from './run-shown.ts'

const shown = async (...words: string[]) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const result = await runShown(words, stdout, stderr)
  stdout.end()
  stderr.end()
  return { ...result, printed: await text(stdout), complained: await text(stderr) }
}

test('a program is shown, and its end is known', async () => {
  expect(await shown('sh', '-c', 'echo out; exit 3')).toEqual({
    command: "sh -c 'echo out; exit 3'",
    exit: 3,
    output: 'out\n',
    printed: 'out\n',
    complained: '',
    isStopped: false,
  })
})

test('one word with blanks is a line for a shell', async () => {
  expect(await shown('true && echo ok')).toMatchObject({ command: 'true && echo ok', exit: 0, output: 'ok\n' })
})

test('a signal is told as a shell tells it', async () => {
  expect(await shown('sh', '-c', 'kill -TERM $$')).toMatchObject({ exit: 143, isStopped: false })
  expect(await shown('sh', '-c', 'kill -INT $$')).toMatchObject({ exit: 130, isStopped: true })
})

test('a program that may not be run', async () => {
  expect(await shown('/etc/passwd')).toMatchObject({ exit: 126, output: '/etc/passwd: Permission denied' })
})

test('a program that is not there', async () => {
  expect(await shown('rein-no-such-program', 'x')).toMatchObject({
    exit: 127,
    output: 'rein-no-such-program: command not found',
    complained: 'rein-no-such-program: command not found\n',
  })
})
