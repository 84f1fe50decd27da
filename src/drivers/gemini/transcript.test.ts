import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { locate, newest } from './transcript.ts'

const id = 'a1111111-2222-4333-8444-555555555555'
const said = '{"id":"1","type":"user","content":"hi"}\n'
const cwd = '/home/dev/proj'

const home = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-gemini-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const project = (name: string, directory: string): void => {
    mkdirSync(join(root, '.gemini/tmp', name, 'chats'), { recursive: true })
    writeFileSync(join(root, '.gemini/tmp', name, '.project_root'), directory)
  }
  const write = (path: string, sessionId: string, rest = ''): string => {
    const file = join(root, '.gemini/tmp', path)
    writeFileSync(file, `${JSON.stringify({ sessionId, projectHash: 'x' })}\n${rest}`)
    return file
  }
  return { root, env: { GEMINI_CLI_HOME: root }, project, write }
}

test('found in the project whose directory it is, whatever name that has', () => {
  const { env, project, write } = home()
  project('proj', '/home/other/proj')
  project('proj-1', cwd)
  write('proj/chats/session-2026-11-16T02-10-a1111111.jsonl', id)
  const path = write('proj-1/chats/session-2026-11-16T02-10-a1111111.jsonl', id)
  expect(locate(id, cwd, env)).toBe(path)
})

test('not found before it is there, or when another one begins alike', () => {
  const { env, project, write } = home()
  expect(locate(id, cwd, env)).toBeNull()
  project('proj', cwd)
  write('proj/chats/session-2026-11-16T02-10-a1111111.jsonl', `${id.slice(0, -1)}6`)
  expect(locate(id, cwd, env)).toBeNull()
})

test('the file that a resumed conversation leaves empty is not it', () => {
  const { env, project, write } = home()
  project('proj', cwd)
  write('proj/chats/session-2026-11-16T02-20-a1111111.jsonl', id)
  const path = write('proj/chats/session-2026-11-16T02-10-a1111111.jsonl', id, said)
  expect(locate(id, cwd, env)).toBe(path)
})

test('a directory is the same by whatever link it is reached', () => {
  const { root, env, project, write } = home()
  mkdirSync(join(root, 'real'))
  symlinkSync(join(root, 'real'), join(root, 'link'))
  project('real', join(root, 'real'))
  const path = write('real/chats/session-2026-11-16T02-10-a1111111.jsonl', id)
  expect(locate(id, join(root, 'link'), env)).toBe(path)
})

test('the newest is the one written last, and something was said in it', () => {
  const { env, project, write } = home()
  project('proj', cwd)
  const times: [string, string, number][] = [
    ['aaaaaaaa', said, 1],
    ['bbbbbbbb', said, 2],
    ['cccccccc', '', 3],
  ]
  for (const [name, rest, at] of times) utimesSync(write(`proj/chats/session-1-${name}.jsonl`, name, rest), at, at)
  expect(newest(cwd, [env])).toBe('bbbbbbbb')
  expect(newest(cwd, [{ GEMINI_CLI_HOME: '/nonexistent' }, env])).toBe('bbbbbbbb')
  expect(newest('/elsewhere', [env])).toBeNull()
})
