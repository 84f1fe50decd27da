import { describe, expect, test } from 'vitest'
import type { FileChange, MovedView } from '../../contract/routes/sessions.ts'
import { diffText } from './changes-text.ts'
import { collectedText, forkedText, movedText, progressText } from './move-text.ts'
import { createStyle } from '../output.ts'

const style = createStyle(false)
const person = { style, isAgent: false }

const change = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  kind: 'modified',
  added: 3,
  removed: 1,
  isBinary: false,
  ...more,
})

const moved: MovedView = {
  id: 'mov_1',
  kind: 'rewind',
  session: 'ses_1',
  agent: 'worker-1',
  part: 'both',
  from: '4',
  to: '2',
  changes: [change('src/a.ts')],
  isExact: true,
  kept: [],
  skipped: [],
  outside: [],
  conversation: 'c2',
  isRunning: true,
  command: null,
}
const lines = (more: Partial<MovedView> = {}): string[] => movedText({ ...moved, ...more }, style).split('\n')

describe('a move', () => {
  test('says when the files may have what a tool did meanwhile', () => {
    expect(lines().join()).not.toContain('Not exact')
    expect(lines({ isExact: false }).join()).toContain('Not exact: a tool began')
  })

  test('says where the agent is, and the way back', () => {
    expect(lines()).toEqual([
      'worker-1 went from turn 4 to turn 2, with its files and its conversation.',
      'Its conversation is c2.',
      'It is running.',
      '1 file, +3 -1 lines:',
      '  modified  +3 -1  src/a.ts',
      'Undo: rein session undo worker-1',
    ])
  })

  test('back is not to a turn, but to what was before', () => {
    const undone = lines({ kind: 'undo', from: '2', to: '4' })
    expect([undone[0], undone.at(-1)]).toEqual([
      'worker-1 went from turn 2 back to turn 4, with its files and its conversation.',
      'Redo: rein session redo worker-1',
    ])
    expect(lines({ kind: 'undo', part: 'chat', from: '4', to: '4' })[0]).toBe(
      'worker-1 stays at turn 4; the files stay as they are.',
    )
    expect(lines({ kind: 'redo', part: 'code' })[0]).toBe(
      'The files of worker-1 are now what they were before; its conversation stays as it is.',
    )
  })

  test('that is only looked at changed nothing', () => {
    expect(lines({ id: null, changes: [], part: 'code' })).toEqual([
      'The files of worker-1 would be those of turn 2; its conversation stays as it is. Nothing was changed.',
      'No file changed.',
    ])
  })

  test('of the conversation alone has nothing to say about files, and of the files nothing about that', () => {
    expect(lines({ part: 'chat', changes: [], conversation: null, isRunning: false, command: 'claude -r c2' })).toEqual(
      [
        'worker-1 went from turn 4 to turn 2, with its conversation; the files stay as they are.',
        'It starts a new conversation.',
        'It is not running.',
        'To go on: claude -r c2',
        'Undo: rein session undo worker-1',
      ],
    )
    expect(lines({ part: 'code' }).slice(0, 2)).toEqual([
      'The files of worker-1 are now those of turn 2; its conversation stays as it is.',
      'It is running.',
    ])
  })

  test('may be a summary', () => {
    expect(lines({ kind: 'compact', part: 'chat', from: '4', to: '4', changes: [] })).toEqual([
      'worker-1 goes on after turn 4 with a summary of what was before, in a new conversation.',
      'Its conversation is c2.',
      'It is running.',
      'Undo: rein session undo worker-1',
    ])
  })

  test('names what it leaves alone', () => {
    const left = lines({
      kept: [
        { path: '.env', reason: 'ignored' },
        { path: 'lib/a', reason: 'repository' },
      ],
      skipped: [{ path: 'big\n.bin', reason: 'too large', bytes: null }],
      outside: ['/etc/\u001b[2J'],
    })
    expect(left.slice(5, -1)).toEqual([
      'Left as they are:',
      '  .env: ignored',
      '  lib/a: in a repository that the snapshot does not know',
      'Not in the snapshot, and not restored:',
      '  big\\u{a}.bin: larger than the setting sessions.max_file_bytes',
      'Written outside of the work tree, and not restored:',
      '  /etc/\\u{1b}[2J',
    ])
  })
})

describe('changes of files', () => {
  const diff = { session: 'ses_1', from: '1', to: '3', changes: [], patch: null }

  test('are listed with their lines', () => {
    const changes = [
      change('new.ts', { kind: 'added', added: 10, removed: 0 }),
      change('old\tname', { kind: 'deleted', added: 0, removed: 7 }),
      change('logo.png', { isBinary: true, added: null, removed: null }),
      change('run.sh', { kind: 'mode', added: null, removed: null }),
    ]
    expect(diffText({ ...diff, changes }, person).split('\n')).toEqual([
      'From turn 1 to turn 3:',
      '4 files, +10 -7 lines:',
      '  added     +10 -0  new.ts',
      '  deleted   +0 -7   old\\u{9}name',
      '  modified  binary  logo.png',
      '  mode              run.sh',
    ])
    expect(diffText({ ...diff, to: 'now' }, person)).toBe('From turn 1 to now:\nNo file changed.')
  })

  test('are no more than one can read', () => {
    const changes = Array.from({ length: 130 }, (_each, index) => change(`f${index}`))
    const shown = diffText({ ...diff, changes }, person).split('\n')
    expect([shown.length, shown[1], shown.at(-1)]).toEqual([
      103,
      '130 files, +390 -130 lines:',
      '  (30 more: --json shows all.)',
    ])
  })

  test('have colours on a terminal', () => {
    const changes = [change('a', { kind: 'added' }), change('b', { kind: 'deleted' }), change('c')]
    const [, , added, deleted, modified] = diffText(
      { ...diff, changes },
      { ...person, style: createStyle(true) },
    ).split('\n')
    expect(added).toMatch(/^\u001b\[32m {2}added .*\u001b\[39m$/)
    expect(deleted).toMatch(/^\u001b\[31m {2}deleted .*\u001b\[39m$/)
    expect(modified).toMatch(/^ {2}modified/)
  })

  const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\u001b[2J\r\n+y\n z\n'

  test('are shown line by line if that is wanted', () => {
    expect(
      diffText({ ...diff, patch }, person)
        .split('\n')
        .slice(3),
    ).toEqual(['diff --git a/a b/a', '--- a/a', '+++ b/a', '@@ -1 +1 @@', '-x\\u{1b}[2J\\u{d}', '+y', ' z'])
    expect(diffText({ ...diff, patch: '' }, person).split('\n')).toHaveLength(2)
    const painted = diffText({ ...diff, patch }, { ...person, style: createStyle(true) }).split('\n')
    expect(painted.slice(3).map((line) => /^\u001b\[(\d+)m/.exec(line)?.[1])).toEqual([
      '1',
      '31',
      '32',
      '36',
      '31',
      '32',
      undefined,
    ])
  })

  test('are marked for an agent', () => {
    const read = diffText({ ...diff, patch }, { ...person, isAgent: true })
    expect(
      read
        .split('\n')
        .slice(3)
        .every((line) => line.startsWith('| ')),
    ).toBe(true)
  })
})

test('a fork says where it is', () => {
  const forked = {
    session: 'ses_1',
    agent: 'worker-2',
    turn: '3',
    conversation: 'c3',
    cwd: '/src/shop-2',
    command: null,
  }
  expect(forkedText(forked).split('\n')).toEqual([
    'worker-2 goes on after turn 3.',
    '  session ses_1, conversation c3',
    '  in /src/shop-2',
  ])
  expect(forkedText({ ...forked, agent: null, conversation: null, command: 'codex resume c3' }).split('\n')).toEqual([
    'A conversation goes on after turn 3, but no agent is in it.',
    '  session ses_1',
    '  in /src/shop-2',
    'To go on: codex resume c3',
  ])
})

test('what was collected', () => {
  const trees = [
    { root: '/src/shop', snapshots: 40, dropped: 2, bytesBefore: 4096, bytes: 1024 },
    { root: '/src/\u001b[2J', snapshots: 1, dropped: 0, bytesBefore: 10, bytes: 20 },
  ]
  expect(
    collectedText({ trees })
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['SNAPSHOTS', 'DROPPED', 'BEFORE', 'NOW', 'WORK TREE'],
    ['40', '2', '4.0 KiB', '1.0 KiB', '/src/shop'],
    ['1', '0', '10 bytes', '20 bytes', '/src/\\u{1b}[2J'],
    ['Freed: 3.0 KiB.'],
  ])
  expect(collectedText({ trees: [] })).toBe('There are no snapshots.')
})

test.each([
  [{ what: 'Reading files', done: 5, total: 50 }, 'Reading files: 5 of 50'],
  [{ what: 'Reading files', done: 5, total: 0 }, 'Reading files: 5'],
  [{ what: 'Stopping\u001b[2J', done: 0, total: 0 }, 'Stopping\\u{1b}[2J …'],
])('progress %#', (progress, text) => {
  expect(progressText(progress)).toBe(text)
})
