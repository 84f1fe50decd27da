import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { Told } from '../../src/contract/routes/directives.ts'
import { asReinError } from '../../src/contract/errors.ts'
import { actingAs, type Box, createBox, type RunOptions, select } from './harness.ts'

const mib = 1024 * 1024
const unknownId = 'dir_00000000-0000-7000-8000-000000000000'

let box: Box
let twins: AgentView[]

beforeAll(async () => {
  let clean = (): void => undefined
  box = createBox({}, (end) => {
    clean = end
  })
  await box.stoppedAgent()
  const places = ['one', 'two'].map((name) => join(box.root, name))
  for (const place of places) mkdirSync(place)
  twins = [await box.stoppedAgent('twin', places[0]), await box.stoppedAgent('twin', places[1])]
  return clean
})

const told = (text: string, more: object = {}): Promise<Told> =>
  box.client().tell({ target: 'worker', cwd: box.cwd, text, from: 'tester', ...more })

/** Exit code and name of the error that a command ends with. */
const failure = async (args: string[], options: RunOptions = {}): Promise<[number, string | undefined]> => {
  const { code, stdout } = await box.rein([...args, '--json'], options)
  return [code, (JSON.parse(stdout) as { error?: { code: string } }).error?.code]
}

const storedText = (id: string): string => {
  const [row] = select(box.paths, "SELECT json_extract(body, '$.directive.text') AS text FROM record WHERE id = ?", id)
  return String(row?.['text'])
}

describe('whom', () => {
  test.each(['wroker', 'nowhere/worker', 'a/b/c', '../worker'])('nobody is called %s', async (target) => {
    expect(await failure(['tell', target, 'hello'])).toEqual([3, 'unknown_agent'])
  })

  test('a name that two have is refused with both, and either is reached by its project', async () => {
    const { code, stderr } = await box.rein(['tell', 'twin', 'hello'])
    const names = twins.map(({ project, handle }) => `${project}/${handle}`)
    expect([code, ...names.map((name) => stderr.includes(name))]).toEqual([5, true, true])
    for (const [index, name] of names.entries()) {
      const answer = await box.rein(['tell', name, `to ${index}`, '--json'])
      expect(JSON.parse(answer.stdout)).toMatchObject({ project: twins[index]?.project })
    }
    const near = await box.rein(['tell', 'twin', 'to the one here', '--json'], { cwd: twins[1]?.cwd })
    expect(JSON.parse(near.stdout)).toMatchObject({ project: twins[1]?.project })
  })
})

describe('what', () => {
  const fromStdin = (stdin: string | Buffer) => failure(['tell', 'worker', '-'], { stdin })

  test.each(['', '   ', '\n\t\n'])('nothing to say (%j) is not said', async (text) => {
    expect(await failure(['tell', 'worker', text])).toEqual([2, 'empty_text'])
    expect(await fromStdin(text)).toEqual([2, 'empty_text'])
  })

  test('a text is taken up to the limit, whole, and refused beyond it by name', async () => {
    const largest = 'é'.repeat(mib / 2)
    const { id } = await told(largest)
    expect(storedText(id)).toBe(largest)
    expect(await fromStdin(`${largest}x`)).toEqual([2, 'text_too_large'])
    expect(await fromStdin('x'.repeat(16 * mib))).toEqual([2, 'text_too_large'])
    expect(await fromStdin('x'.repeat(40 * mib))).toEqual([2, 'text_too_large'])
    await expect(box.client().status()).resolves.toMatchObject({ pid: box.registered()?.pid })
  })

  test('what is not UTF-8 is refused', async () => {
    expect(await fromStdin(Buffer.from([0x68, 0xff, 0xfe, 0x69]))).toEqual([2, 'invalid_text'])
    expect(await fromStdin(Buffer.from('cut é').subarray(0, -1))).toEqual([2, 'invalid_text'])
    await expect(told('half a pair \ud83d')).rejects.toMatchObject({ code: 'invalid_text' })
  })

  test('control characters are kept exactly and shown harmless', async () => {
    const text = 'a\u0000b\u001b[31mred\u001b]0;title\u0007\u009b2Jc\u007f'
    const { stdout } = await box.rein(['tell', 'worker', '-', '--json'], { stdin: text })
    const { id } = JSON.parse(stdout) as Told
    expect(storedText(id)).toBe(text)
    const shown = [await box.rein(['inbox', 'worker']), await box.rein(['receipt', id])]
    for (const result of shown) expect(result.stdout).not.toMatch(/[^\P{Cc}\n]/u)
    expect(shown[0]?.stdout).toContain(String.raw`a\u{0}b\u{1b}[31mred`)
  })
})

describe('how', () => {
  test.each([
    ['--priority', 'asap'],
    ['--type', 'Not A Type'],
    ['--expires', '10'],
    ['--expires', '-5m'],
    ['--expires', '0s'],
    ['--wait', 'done'],
    ['--timeout', '5'],
    ['--from', ''],
  ])('%s %s is not understood', async (...flag) => {
    const [code] = await failure(['tell', 'worker', 'hello', ...flag])
    expect(code).toBe(2)
  })

  test('waiting ends in time, and the directive stays', async () => {
    const { code, stdout } = await box.rein(['tell', 'worker', 'wait', '--wait', 'seen', '--timeout', '0.3', '--json'])
    const { id } = JSON.parse(stdout) as Told
    expect(code).toBe(4)
    await expect(box.client().receipt({ id })).resolves.toMatchObject({ state: 'held' })
  })
})

describe('which', () => {
  test.each(['receipt', 'ack', 'cancel', 'inbox read'])('%s knows no id that was never given', async (command) => {
    for (const id of [unknownId, 'dir_x', '../daemon', '%00'])
      expect(await failure([...command.split(' '), id])).toEqual([3, 'unknown_directive'])
  })

  test('an id can be typed as it is shown, or any part that only one begins with', async () => {
    await box.runningAgent('typist')
    const id = 'dir_00aabbcc-0000-7000-8000-0000beefcafe'
    const other = 'dir_00aabbcd-0000-7000-8000-0000beefcaff'
    for (const one of [id, other]) await told('short', { id: one, target: 'typist' })
    const { stdout } = await box.rein(['receipt', 'dir_beefcafe'])
    expect(stdout).toContain('dir_beefcafe for typist')
    expect(await box.client().receipt({ id: 'dir_00aabbcc' })).toMatchObject({ id })
    const several = await box.rein(['receipt', 'dir_beefcaf'])
    expect([several.code, several.stderr.includes('Give one of: dir_beefcafe, dir_beefcaff.')]).toEqual([5, true])
    const acked = await box.rein(['ack', 'dir_beefcafe', '--json'], { env: actingAs(box, 'typist') })
    expect(JSON.parse(acked.stdout)).toMatchObject({ id, state: 'acked' })
    const cancelled = await box.rein(['cancel', 'beefcaff', '--json'])
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ id: other, state: 'cancelled' })
  })

  test('what is closed stays closed; an ack again is the same ack', async () => {
    const [acked, cancelled, expired] = [await told('one'), await told('two'), await told('three', { expiresInMs: 30 })]
    for await (const _ of box.client().follow({ id: expired.id, until: 'closed' }));
    expect(await failure(['ack', acked.id, '--note', 'done'])).toEqual([0, undefined])
    expect(await failure(['ack', acked.id, '--note', 'again'])).toEqual([0, undefined])
    expect(await failure(['cancel', acked.id])).toEqual([5, 'already_closed'])
    expect(await failure(['cancel', cancelled.id])).toEqual([0, undefined])
    expect(await failure(['ack', cancelled.id])).toEqual([5, 'already_closed'])
    expect(await failure(['ack', expired.id])).toEqual([5, 'already_closed'])
    const states = await Promise.all([acked, cancelled, expired].map(({ id }) => box.client().receipt({ id })))
    expect(states.map(({ state }) => state)).toEqual(['acked', 'cancelled', 'expired'])
    expect(states[0]?.steps.filter(({ state }) => state === 'acked').map(({ note }) => note)).toEqual(['done'])
  })

  test('the same id is the same directive; with another text it is refused', async () => {
    const id = 'dir_11111111-0000-7000-8000-000000000000'
    const answers = await Promise.all([told('once', { id }), told('once', { id }), told('once', { id })])
    expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set([id]))
    await expect(told('twice', { id })).rejects.toMatchObject({ code: 'refused' })
    expect(
      select(box.paths, "SELECT count(*) AS n FROM record WHERE id = ? AND type = 'directive.accepted'", id),
    ).toEqual([{ n: 1 }])
  })
})

test('a full inbox takes nothing more, however many ask at once', async () => {
  const small = createBox({ REIN_INBOX_LIMIT: '3' })
  await small.stoppedAgent()
  const tell = (n: number) => small.client().tell({ target: 'worker', cwd: small.cwd, text: `${n}`, from: 'me' })
  const answers = await Promise.allSettled([...Array(10).keys()].map(tell))
  const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => asReinError(reason).code)
  expect(refused).toEqual(Array(7).fill('inbox_full'))
  expect(await small.rein(['tell', 'worker', 'one more'])).toMatchObject({ code: 5, stdout: '' })
  const [first] = await small.client().inbox({ cwd: small.cwd })
  await small.client().cancel({ id: first?.id ?? '' })
  expect(await small.rein(['tell', 'worker', 'one more'])).toMatchObject({ code: 0 })
})

test('a clock that jumps changes no order and expires nothing early', async () => {
  const jumpy = createBox()
  const clock = join(jumpy.root, 'clock')
  const env = { NODE_OPTIONS: `--require ${join(import.meta.dirname, 'fixtures/clock.cjs')}`, CLOCK_FILE: clock }
  const year = 365 * 86_400_000
  const setClock = (offset: number): void => writeFileSync(clock, String(offset))
  const tell = (text: string, expiresInMs: number | null) =>
    jumpy.client().tell({ target: 'worker', cwd: jumpy.cwd, text, from: 'me', expiresInMs })
  setClock(0)
  const daemon = await jumpy.daemon({ env })
  await jumpy.stoppedAgent()
  const ids = [(await tell('now', 3_600_000)).id]
  setClock(year)
  ids.push((await tell('next year', 3_600_000)).id)
  setClock(-year)
  ids.push((await tell('last year', null)).id)
  const brief = await tell('briefly', 30)
  for await (const _ of jumpy.client().follow({ id: brief.id, until: 'closed' }));
  await expect(jumpy.client().receipt({ id: brief.id })).resolves.toMatchObject({ state: 'expired' })
  const open = async () => (await jumpy.client().inbox({ cwd: jumpy.cwd })).map(({ id }) => id)
  expect(await open()).toEqual(ids)
  await daemon.kill()
  await jumpy.daemon({ env })
  expect(await open()).toEqual(ids)
})
