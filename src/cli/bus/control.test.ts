import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { CliContext } from '../context.ts'
import { createOutput } from '../output.ts'
import { run as control } from './control.ts'
import { run as decisions } from '../decision/list.ts'

let printed = ''
let asked: [string, object][] = []

beforeEach(() => {
  printed = ''
  asked = []
})

const written = { line: 'register room:x', at: 0, by: 'user', error: null }

const context = (): CliContext => {
  const write = (text: string) => (printed += text)
  const answering = (name: string, value: unknown) => async (input: object) => {
    asked.push([name, input])
    return value
  }
  const client = {
    control: answering('control', [written]),
    controls: answering('controls', [written]),
    decisions: answering('decisions', { decisions: [], total: 0, every: 20 }),
  }
  return {
    out: createOutput({ stdout: { write }, stderr: { write } }, {}),
    connect: () => client as unknown as Client,
    cwd: () => '/here',
    now: () => 0,
  } as unknown as CliContext
}

describe('rein bus control', () => {
  test('prints what became of the line', async () => {
    await control(context(), { agent: 'a' }, written.line)
    expect(asked).toEqual([['control', { cwd: '/here', target: 'a', line: written.line }]])
    expect(printed).toContain('register room:x')
  })

  test('without a line it prints what was written', async () => {
    await control(context(), {})
    expect(asked.map(([name]) => name)).toEqual(['controls'])
  })

  test.each(['', ' \t\n'])('%j is no line, and nobody is asked', async (line) => {
    await expect(control(context(), {}, line)).rejects.toMatchObject({ code: 'usage' })
    expect([asked, printed]).toEqual([[], ''])
  })
})

test.each([
  [undefined, 100],
  [250, 250],
  [0, 0],
])('rein decision list --limit %j lists the newest %i', async (limit, expected) => {
  await decisions(context(), limit === undefined ? {} : { limit })
  expect(asked).toEqual([['decisions', { cwd: '/here', last: expected, search: undefined }]])
})
