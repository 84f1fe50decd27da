import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recording, tempDir } from '../../../test/support/builders.ts'
import { cut } from './cut.ts'
import { locate, parse } from './transcript.ts'

const [old, fresh] = ['8ac33cb0-708a-431f-b245-fd54b4b37f76', '11111111-2222-4333-8444-555555555555']
const subagent = 'a7fb0a51ef7cc706a'
const installed = { path: 'claude', version: '2.1.197' }

/** A conversation with a sub-agent and a backup of a file, as the CLI leaves them. */
const home = () => {
  const root = tempDir()
  const cwd = join(root, 'project')
  const env = { HOME: root }
  const transcript = locate(old, cwd, env)
  const lines = recording('subagent')
  const leaf = lines.map(parse).findLast((entry) => entry !== null)?.id ?? ''
  const backup = { trackedFileBackups: { a: { backupFileName: 'abc@v1' }, b: { backupFileName: 'gone@v1' } } }
  lines.push(JSON.stringify({ type: 'file-history-snapshot', messageId: leaf, snapshot: backup }))
  const side = join(dirname(transcript), old, 'subagents')
  const backups = join(root, '.claude/file-history', old)
  for (const dir of [cwd, side, backups]) mkdirSync(dir, { recursive: true })
  writeFileSync(transcript, `${lines.join('\n')}\n`)
  chmodSync(transcript, 0o640)
  writeFileSync(join(side, `agent-${subagent}.jsonl`), `${recording('subagent-own').join('\n')}\n`)
  writeFileSync(join(side, `agent-${subagent}.meta.json`), '{}')
  writeFileSync(join(backups, 'abc@v1'), 'as it was')
  return {
    root,
    cwd,
    transcript,
    request: { conversation: old, transcript, after: leaf, newConversation: fresh, cwd, env, installed },
  }
}

test('a new conversation with what belongs to it, beside the source, which stays as it is', async () => {
  const { root, cwd, transcript, request } = home()
  const before = readFileSync(transcript, 'utf8')
  const made = await cut(request)
  expect(made).toEqual({ conversation: fresh, transcript: locate(fresh, cwd, { HOME: root }), damaged: [] })
  expect(statSync(made.transcript).mode & 0o777).toBe(0o640)
  expect(readFileSync(made.transcript, 'utf8')).not.toContain(old)
  const side = join(dirname(transcript), fresh, 'subagents')
  expect(readdirSync(side).toSorted()).toEqual([`agent-${subagent}.jsonl`, `agent-${subagent}.meta.json`])
  expect(readFileSync(join(side, `agent-${subagent}.jsonl`), 'utf8')).toContain(fresh)
  expect(readFileSync(join(root, '.claude/file-history', fresh, 'abc@v1'), 'utf8')).toBe('as it was')
  expect(readFileSync(transcript, 'utf8')).toBe(before)
})

test('it is put where the CLI looks for it from another directory', async () => {
  const { root, request } = home()
  const elsewhere = join(root, 'work tree')
  mkdirSync(elsewhere)
  const made = await cut({ ...request, cwd: elsewhere })
  expect(made.transcript).toBe(locate(fresh, elsewhere, { HOME: root }))
})

test('a conversation that is there already stays, with all that belongs to it', async () => {
  const { request } = home()
  const { transcript } = await cut(request)
  const written = readFileSync(transcript, 'utf8')
  await expect(cut(request)).rejects.toMatchObject({ code: 'refused' })
  expect(readFileSync(transcript, 'utf8')).toBe(written)
  expect(existsSync(join(dirname(transcript), fresh, 'subagents', `agent-${subagent}.jsonl`))).toBe(true)
})

test('what could not be made whole leaves nothing behind', async () => {
  const { root, transcript, request } = home()
  // A directory in the place of a file that is to be copied.
  mkdirSync(join(root, '.claude/file-history', old, 'gone@v1'))
  await expect(cut(request)).rejects.toMatchObject({ syscall: 'copyfile' })
  expect(readdirSync(dirname(transcript)).toSorted()).toEqual([old, `${old}.jsonl`])
  expect(existsSync(join(root, '.claude/file-history', fresh))).toBe(false)
})
