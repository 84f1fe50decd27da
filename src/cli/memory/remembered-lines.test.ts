import { expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { HistoryView } from '../../contract/routes/memory.ts'
import { rememberedLines } from './remembered-lines.ts'

const item = (number: number): HistoryView => ({
  id: `c${number}`,
  command: `echo ${number}`,
  at: number,
  cwd: '/w',
  exit: 0,
  durationMs: null,
  outcome: 'ok',
  session: 's1',
  author: number % 2 === 0 ? 'person' : 'claude',
  output: null,
  branch: null,
  isDirty: null,
  tools: ['Edit'],
  edited: ['a.ts'],
  source: 'shell',
  secrets: 0,
  project: 'shop',
  agent: null,
  heardAt: number,
})

const timeOf = ({ at, heardAt }: HistoryView): number => at ?? heardAt
const items = (count: number): HistoryView[] => Array.from({ length: count }, (_, number) => item(number))

/** Gives the newest first, as the daemon does. */
const remembering = (found: HistoryView[]) => {
  const newestFirst = found.toSorted((a, b) => timeOf(a) - timeOf(b)).toReversed()
  const history: Client['history'] = async ({ until = Number.POSITIVE_INFINITY, limit }) =>
    newestFirst.filter((each) => timeOf(each) <= until).slice(0, limit)
  return { connect: () => ({ history }) as Client, cwd: () => '/w' }
}

const rows = async (found: HistoryView[]): Promise<Record<string, unknown>[]> => {
  const lines: Record<string, unknown>[] = []
  for await (const line of rememberedLines(remembering(found), false)) lines.push(JSON.parse(line))
  return lines
}

test('all pages are read, and the oldest comes first', async () => {
  const all = await rows(items(25_000))
  expect(all).toHaveLength(25_000)
  expect(all[0]).toMatchObject({
    seq: 0,
    cmd: 'echo 0',
    agent: null,
    project: 'shop',
    since: ['Edit'],
    edited: ['a.ts'],
  })
  expect(all.at(-1)).toMatchObject({ seq: 24_999, cmd: 'echo 24999', agent: 'claude' })
})

test('an old command among the new ones hides nothing, and those of one moment stay in their order', async () => {
  const found = items(12_000).map((each, number) => ({
    ...each,
    at: number === 11_000 ? 1 : 100 + Math.floor(number / 3),
  }))
  const all = await rows(found)
  expect(all).toHaveLength(12_000)
  expect(all.slice(0, 4).map(({ cmd }) => cmd)).toEqual(['echo 11000', 'echo 0', 'echo 1', 'echo 2'])
})

test('a moment with more than a page does not end it', async () => {
  const found = items(10_100).map((each, number) => ({ ...each, at: number < 50 ? 1 : 2 }))
  const all = await rows(found)
  expect(all.slice(0, 50).map(({ cmd }) => cmd)).toEqual(items(50).map(({ command }) => command))
})

test('nothing is nothing', async () => {
  expect(await rows([])).toEqual([])
})
