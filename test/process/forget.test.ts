import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeFiles } from '../../src/daemon/store-files.ts'
import { filesWith } from '../support/live-tree.ts'
import { createBox, until } from './harness.ts'

const command = 'curl https://sesame.internal/open'

/** Runs one command in its first turn, and tells of it in its transcript and on its output. */
const fakeClaude = `#!${process.execPath}
const { mkdirSync, writeFileSync } = require('node:fs')
if (process.argv[2] === '--version') { console.log('2.1.197 (Claude Code)'); process.exit() }
const session_id = process.argv[process.argv.indexOf('--session-id') + 1]
const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: ${JSON.stringify(command)} } }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'the-word-behind-the-door', is_error: false }
const at = (n) => new Date(Date.now() + n).toISOString()
const entry = (n, parent, type, message) =>
  ({ uuid: 'e' + n, parentUuid: parent, type, message, sessionId: session_id, cwd: process.cwd(), timestamp: at(n), isSidechain: false, version: '2.1.197' })
const reply = (id, content) => ({ id, type: 'message', role: 'assistant', model: 'm', content, usage: { input_tokens: 1, output_tokens: 1 } })
const entries = [
  entry(1, null, 'user', { role: 'user', content: 'Open the door' }),
  entry(2, 'e1', 'assistant', reply('m1', [call])),
  entry(3, 'e2', 'user', { role: 'user', content: [result] }),
  entry(4, 'e3', 'assistant', reply('m2', [{ type: 'text', text: 'I ran ' + ${JSON.stringify(command)} + ' as you said.' }])),
]
const dir = process.env.HOME + '/.claude/projects/' + process.cwd().replace(/[^a-zA-Z0-9]/g, '-')
mkdirSync(dir, { recursive: true })
writeFileSync(dir + '/' + session_id + '.jsonl', entries.map((one) => JSON.stringify(one) + '\\n').join(''))
for (const { type, message } of entries.slice(1)) console.log(JSON.stringify({ type, message, session_id }))
console.log(JSON.stringify({ type: 'result', subtype: 'success', session_id }))
process.stdin.resume()
`

test('what is forgotten is in no file of Rein any more, and what is not reached is named', async () => {
  const box = createBox()
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', fakeClaude, { mode: 0o755 })
  const first = await box.daemon()
  await box.rein(['up', 'ada', '--host', 'stream', '--prompt', 'Open the door'])
  for await (const { type } of box.client().tail({ topic: 'commands', after: 0, follow: true }))
    if (type === 'command.ran') break
  for await (const { type } of box.client().tail({ topic: 'turns', after: 0, follow: true }))
    if (type === 'turn.ended') break
  expect((await box.rein(['session', 'search', 'sesame'])).stdout).toContain('sesame')
  const texts = ['sesame.internal', 'the-word-behind-the-door']
  for (const text of texts) {
    const files = filesWith(box.paths.state, text).join()
    expect(files).toMatch(/rein\.db/)
    expect(files).toContain('stream.ndjson')
  }
  await box.rein(['daemon', 'stop'])
  await first.ended
  const { copies, damaged } = storeFiles(box.paths)
  mkdirSync(damaged)
  copyFileSync(box.paths.database, join(damaged, 'rein.db'))
  await box.daemon({ env: { REIN_LOG_IDLE_S: '1' } })
  await until(() => existsSync(copies) && readdirSync(copies).some((name) => name.endsWith('.db')))
  for (const text of texts) for (const dir of [copies, damaged]) expect(filesWith(dir, text)).toHaveLength(1)
  const { stdout } = await box.rein(['memory', 'forget', 'curl*', '--yes'])
  expect(stdout).toMatch(/^Forgot 1 command.*\nNot reached: .*\n {4}\/.*\.jsonl\n$/)
  for (const text of texts) expect(filesWith(box.paths.state, text)).toEqual([])
  const { stdout: found } = await box.rein(['session', 'search', 'sesame'])
  expect(found).not.toContain('sesame.internal')
  // The records are there, and everybody can go on with them.
  const { stdout: log } = await box.rein(['logs', 'ada'])
  expect(log).toContain('[forgotten]')
  await box.rein(['daemon', 'stop'])
  await box.rein(['ps'])
  for (const text of texts) expect(filesWith(box.paths.state, text)).toEqual([])
})
