/** How the real CLIs said in their transcripts that nobody is logged in, or that their key is refused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConversationEntry } from '../contract/conversation.ts'
import { decode } from './claude/decode.ts'
import { parse } from './claude/transcript.ts'
import { findDriver } from './registry.ts'

const linesOf = (cli: string, version: string, name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../test/fixtures', cli, version, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)

const wordsIn = (cli: string, lines: readonly string[]): string[] => {
  const { format } = findDriver(cli).transcript
  if (format.kind !== 'lines') throw new Error(`${cli} writes lines`)
  const read = format.reader()
  return lines.flatMap((line) => read(line)).flatMap(({ loggedOut }) => loggedOut ?? [])
}

test.each([
  ['claude', '2.1.327', ['Not logged in · Please run /login', 'Invalid API key · Fix external API key']],
  ['codex', '0.169.0', [expect.stringContaining('401 Unauthorized: invalid x-api-key')]],
  ['copilot', '1.0.102', [expect.stringContaining('Authentication failed with provider')]],
  ['gemini', '0.61.0', [expect.stringContaining('"code":401,"message":"invalid x-api-key"')]],
])('%s %s', (cli, version, words) => {
  expect(wordsIn(cli, linesOf(cli, version, 'logged-out'))).toEqual(words)
})

test.each([
  ['claude', '2.1.197', 'api-error'],
  ['claude', '2.1.197', 'usage-limit'],
  ['codex', '0.166.0', 'errors-and-interrupts'],
  ['copilot', '1.0.102', 'interrupts-and-errors'],
])('other errors say nothing of a login: %s %s %s', (cli, version, name) => {
  expect(wordsIn(cli, linesOf(cli, version, name))).toEqual([])
})

const readRows = (rows: readonly string[]): ConversationEntry[] => {
  const { format } = findDriver('opencode').transcript
  if (format.kind !== 'rows') throw new Error('opencode writes rows')
  const read = format.reader()
  return rows.flatMap((row) => read(JSON.parse(row) as Record<string, unknown>))
}

const saidByOpencode = (rows: readonly string[]): ConversationEntry[] =>
  readRows(rows).filter(({ loggedOut }) => loggedOut !== undefined)

test('opencode 1.18.33 says at the end of the turn that it has no key, or that the provider refused it', () => {
  const rows = linesOf('opencode', '1.18.33', 'logged-out')
  expect(saidByOpencode(rows)).toMatchObject([{ loggedOut: 'invalid x-api-key', isReply: false, at: 1795136996571 }])
  const missing = [{ loggedOut: expect.stringMatching(/^Anthropic API key is missing/), at: 1795137093550 }]
  expect(saidByOpencode(linesOf('opencode', '1.18.33', 'no-key'))).toMatchObject(missing)
  const forbidden = rows.map((row) => row.replace(/(?<=statusCode\W+)401/, '403'))
  expect(forbidden).not.toEqual(rows)
  expect(saidByOpencode(forbidden)).toEqual([])
  expect(saidByOpencode(linesOf('opencode', '1.18.33', 'failed-and-interrupted'))).toEqual([])
})

test('words of an agent that sound like it say nothing', () => {
  const [line = ''] = linesOf('claude', '2.1.327', 'logged-out')
  const said = { ...(JSON.parse(line) as object), isApiErrorMessage: false }
  expect(parse(JSON.stringify(said))).not.toHaveProperty('loggedOut')
})

test('a request that is refused, which Claude Code calls by the same name, says nothing of the login', () => {
  const meta = { native: 'StopFailure', agent: null, pid: null, conversation: null }
  const words = 'Failed to authenticate. API Error: 403 refused'
  const raw = { hook_event_name: 'StopFailure', error: 'authentication_failed', last_assistant_message: words }
  expect(decode(raw, meta)).not.toHaveProperty('loggedOut')
  const [line = ''] = linesOf('claude', '2.1.327', 'logged-out')
  const entry = JSON.parse(line) as { message: object }
  const said = { ...entry, message: { ...entry.message, content: [{ type: 'text', text: words }] } }
  expect(parse(JSON.stringify(said))).not.toHaveProperty('loggedOut')
})

test('an error that no server sent is not asked about a login', () => {
  const said = { id: 'one', timestamp: '2026-11-19T21:34:20.856Z', type: 'error', content: 'line 401: no such file' }
  expect(wordsIn('gemini', [JSON.stringify(said)])).toEqual([])
})

test('Claude Code tells it when it stops', () => {
  const meta = { native: 'StopFailure', agent: null, pid: null, conversation: null }
  const words = 'Not logged in · Please run /login'
  const raw = { hook_event_name: 'StopFailure', error: 'authentication_failed', last_assistant_message: words }
  expect(decode(raw, meta).loggedOut).toBe(words)
  expect(decode({ ...raw, error: 'server_error' }, meta)).not.toHaveProperty('loggedOut')
})

test('the error of a tool that says the same is no missing login', () => {
  const meta = { native: 'PostToolUseFailure', agent: null, pid: null, conversation: null }
  const raw = { hook_event_name: 'PostToolUseFailure', tool_name: 'mcp__x__y', error: 'authentication_failed' }
  expect(decode(raw, meta)).not.toHaveProperty('loggedOut')
  const limited = { ...raw, error: 'rate_limit', last_assistant_message: "You've hit your limit · resets 3pm" }
  expect(decode(limited, meta)).not.toHaveProperty('limit')
})

test.each([
  ['Login successful', true],
  ['Login interrupted', undefined],
  ['Signed in, but requests still use ANTHROPIC_API_KEY.', undefined],
])('what /login of Claude Code printed: %s', (printed, isLogin) => {
  const message = { role: 'user', content: `<local-command-stdout>${printed}</local-command-stdout>` }
  expect(parse(JSON.stringify({ type: 'user', uuid: 'one', message }))?.isLogin).toBe(isLogin)
})
