import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, type TestWorld } from '../../test/support/adapter-world.ts'
import type { Adapter, OutgoingMessage } from './sdk/adapter.ts'
import { ReinError } from '../contract/errors.ts'
import { command } from './command.ts'

let world: TestWorld
let adapter: Adapter | undefined

/** Runs one script of `sh` for a message, with what follows as arguments. */
const run = async (script: string, given: { args?: string[]; config?: object; text?: string } = {}) => {
  const { args = [], config = {}, text = 'done' } = given
  const argv = ['/bin/sh', '-c', script, 'sh', ...args]
  adapter = await command.start(command.config.parse({ command: argv, ...config }), world)
  const message = world.daemon.say(text)
  await world.daemon.until(() => world.daemon.settled.length === 1)
  return { message, result: world.daemon.settled[0] }
}
const written = (name: string): string => readFileSync(join(world.dir, name), 'utf8')

beforeEach(() => {
  world = createWorld({ env: { PATH: process.env['PATH'], OWN: 'kept' } })
})

afterEach(async () => {
  await adapter?.shutdown()
  adapter = undefined
})

describe('a program', () => {
  test('gets the text as its input, and what else there is to know', async () => {
    const text = `$(touch pwned) \`x\` "quoted" 'so'\n; 中文`
    const { message, result } = await run(
      'cat > text; printf %s "$OWN $REIN_CHANNEL $REIN_FROM" > env; printf %s "$REIN_MESSAGE" > json',
      {
        text,
        config: { channel: 'desk' },
      },
    )
    expect(result).toEqual({ id: message.id })
    expect(written('text')).toBe(text)
    expect(written('env')).toBe('kept test worker')
    const { text: _text, ...rest }: OutgoingMessage = message
    expect(JSON.parse(written('json'))).toEqual(rest)
    expect(existsSync(join(world.dir, 'pwned'))).toBe(false)
  })

  test('gets the text as an argument where it wants that', async () => {
    await run('printf "%s\\n" "$@" > args', { args: ['--', '{handle}', '{text}'], text: '-x $(id) {id}' })
    expect(written('args')).toBe('--\nworker\n-x $(id) {id}\n')
  })

  test('that reads nothing and says much does no harm', async () => {
    const { message, result } = await run('head -c 300000 /dev/zero; exit 0', { text: 'x'.repeat(300_000) })
    expect(result).toEqual({ id: message.id })
  })

  test('that fails is run again, and says why', async () => {
    const { message, result } = await run('echo no display >&2; exit 3')
    expect(result).toEqual({ id: message.id, error: '/bin/sh ended with exit code 3. no display' })
  })

  test('that takes too long is ended with all that it started', async () => {
    // What it started holds its output open: as long as that lives, there is no end.
    const { result } = await run('sleep 600 & wait', { config: { timeoutSeconds: 0.1 } })
    expect(result?.error).toBe('/bin/sh ended with SIGKILL.')
  })

  test('that is not there is an error', async () => {
    const { result } = await run('', { config: { command: ['/no/such/program'] } })
    expect(result?.error).toBe('spawn /no/such/program ENOENT')
  })
})

describe('what it says', () => {
  test('is nothing to anybody', async () => {
    await run('echo hello')
    expect(world.daemon.received).toEqual([])
  })

  test('is a message, if that is wanted', async () => {
    const { message } = await run('cat; echo', { config: { reply: true }, text: '42 中文' })
    const { id } = message
    expect(world.daemon.received).toEqual([
      { channel: 'command', text: '42 中文', key: `reply to ${id}`, meta: { replyTo: id } },
    ])
  })

  test('and is empty is no message', async () => {
    await run('echo', { config: { reply: true } })
    expect(world.daemon.received).toEqual([])
  })

  test('and is refused does not make it run again', async () => {
    world.daemon.failures.receive.push(new ReinError('text_too_large', 'too long'))
    const { message, result } = await run('echo hello', { config: { reply: true } })
    expect(result).toEqual({ id: message.id })
    expect(world.lines).toEqual([`The reply to ${message.id} was not taken: too long`])
  })
})
