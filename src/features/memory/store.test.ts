import { expect, test } from 'vitest'
import { startLog } from '../../../test/support/in-process-log.ts'
import { World } from '../../../test/support/advice-world.ts'
import type { Advice, Command } from '../../contract/command.ts'
import { newRecord } from '../../contract/record.ts'
import { openDatabase } from '../../base/store/sqlite.ts'
import { adviceRows, saidIn } from './store.ts'

const all = { project: null, session: null, isShown: false, after: 0, limit: 9 }

const start = () => {
  const { log, path } = startLog()
  const reader = openDatabase(path, { readOnly: true })
  let count = 0
  const context = (at: number, project = 'shop') => ({
    id: `rec_${(count += 1)}`,
    at,
    actor: { kind: 'daemon' as const },
    agent: null,
    project,
  })
  /** Told of at `heard`, whenever it began. */
  const ran = (heard: number, given: Partial<Command>) =>
    log.append([
      newRecord('command.ran', { commands: [{ ...new World().ran('', 0, 'c1'), ...given }] }, context(heard)),
    ])
  const decided = (at: number, given: Partial<Advice>, project?: string) => {
    const advice: Advice = {
      id: `adv_${(count += 1)}`,
      session: 'c1',
      author: 'copilot',
      moment: 'after',
      kind: 'fix',
      isShown: true,
      why: 'worked',
      text: 'Run `npm ci`.',
      about: 'npm test',
      suggestions: [],
      ...given,
    }
    return log.append([newRecord('advice.decided', { advice, next: null }, context(at, project))])
  }
  const forget = (id: string) =>
    log.append([newRecord('command.forgotten', { commands: [id], isPrivate: true }, context(9000))])
  const next = () => adviceRows(reader, all).map((row) => row.next?.command ?? null)
  return { log, reader, ran, decided, forget, next }
}

test('the command that advice is about is not its next, though it goes on record later', async () => {
  const { ran, decided, next } = start()
  await decided(2000, {})
  await ran(2500, { id: 'c1', command: 'npm test', at: 2000, outcome: 'failed' })
  expect(next()).toEqual([null])
  await ran(2600, { id: 'c2', command: 'ls', at: 1900 })
  expect(next()).toEqual([null])
  await ran(4500, { id: 'c3', command: 'npm test', at: 3000 })
  expect(next()).toEqual(['npm test'])
})

test('before a command, it is that very one; and of a silent decision it is what showed that it was right', async () => {
  const { ran, decided, next } = start()
  await decided(2000, { moment: 'before', kind: 'rewrite', about: 'mkdir src' })
  await ran(2500, { id: 'c1', command: 'mkdir -p src', at: 1999 })
  await decided(4000, { kind: 'none', isShown: false, text: null })
  await ran(4500, { id: 'c2', command: 'npm ci', at: 3000 })
  expect(next()).toEqual(['mkdir -p src', 'npm ci'])
})

test('a command of which nobody knows when it began is the next one', async () => {
  const { ran, decided, next } = start()
  await decided(2000, {})
  await ran(2500, { id: 'c1', command: 'npm ci', at: null })
  expect(next()).toEqual(['npm ci'])
})

test('what was said in a conversation, or would have been, newest first', async () => {
  const { reader, decided } = start()
  await decided(1, { kind: 'primer', text: 'How' })
  await decided(2, { kind: 'none', isShown: false, text: null })
  await decided(3, { isShown: false, why: 'held out' })
  await decided(4, { session: 'another' })
  expect(saidIn(reader, 'c1')).toEqual([
    { kind: 'fix', text: 'Run `npm ci`.', about: 'npm test' },
    { kind: 'primer', text: 'How', about: 'npm test' },
  ])
})

test('what was said in another project stays when something is forgotten, without what was thought to come next', async () => {
  const { reader, ran, decided, forget } = start()
  const suggestions = [{ command: 'deploy zebra', score: 0.9 }]
  await decided(1000, { id: 'before', suggestions })
  await ran(2000, { id: 'c1', command: 'deploy zebra', at: 1900 })
  await decided(3000, { id: 'here', suggestions })
  await decided(3000, { id: 'there', suggestions }, 'other')
  await forget('c1')
  const words = adviceRows(reader, all).map(({ id, text, about, suggestions: left }) => [id, text, about, left.length])
  expect(words).toEqual([
    ['before', 'Run `npm ci`.', 'npm test', 1],
    ['here', null, null, 0],
    ['there', 'Run `npm ci`.', 'npm test', 0],
  ])
})

test('decisions go with their records; only that there was a first one stays', async () => {
  const { log, reader, decided } = start()
  await decided(1000, { id: 'silent', isShown: false })
  await decided(1000, { id: 'first' })
  await decided(2000, { id: 'second' })
  await decided(9000, { id: 'young' })
  await log.prune('advices', 5000)
  expect(adviceRows(reader, all).map(({ id, text }) => [id, text])).toEqual([
    ['first', null],
    ['young', 'Run `npm ci`.'],
  ])
})
