import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RecordingTurnView, RecordingView } from '../../contract/routes/replay.ts'
import { loadRecording } from './recording.ts'

const tree = { root: '/nowhere/shop', snapshot: 's', tree: 't' }
const turn = (label: string, given: Partial<RecordingTurnView> = {}): RecordingTurnView => ({
  label,
  conversation: 'c',
  transcript: '/nowhere/c.jsonl',
  first: 'p',
  last: 'r',
  model: null,
  before: tree,
  after: tree,
  ...given,
})
const load = (turns: RecordingTurnView[], given: Partial<RecordingView> = {}, from?: string) => {
  const view: RecordingView = {
    session: 'ses_1',
    agent: 'ada',
    driver: 'claude',
    version: '2.1.197',
    program: null,
    cwd: '/nowhere/shop',
    include: '',
    maxFileBytes: 1,
    turns,
    ...given,
  }
  const source = { client: { recording: async () => view }, state: '/nowhere', target: 'ada', cwd: '/' }
  return loadRecording(source, { from, to: undefined })
}

test('what cannot be played is refused with the reason, and nothing is made', async () => {
  await expect(load([])).rejects.toMatchObject({ code: 'not_found', message: 'No turn of this session has ended yet.' })
  await expect(load([turn('1'), turn('2')], {}, '3b')).rejects.toMatchObject({ hint: 'On the way are: 1, 2.' })
  await expect(load([turn('1', { before: null })])).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no snapshot of the files before turn 1.',
  })
  await expect(load([turn('1')])).rejects.toMatchObject({
    code: 'not_found',
    message: '/nowhere/c.jsonl is gone, in which the conversation of turn 1 was kept.',
  })
  await expect(load([turn('1', { transcript: null })])).rejects.toThrow('It is not known where')
  await expect(load([turn('1')], { driver: 'opencode' })).rejects.toMatchObject({ code: 'refused' })
  expect(existsSync('/nowhere')).toBe(false)
})
