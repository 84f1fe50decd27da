import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type CallHook, hookCaller } from './hook-caller.ts'
import { type Box, createBox } from './harness.ts'

const rules = `version: 1
rules:
  - name: asked-outside
    on: shell
    when: { all: [{ regex: touch }, { external: { command: [sh, -c, 'sleep 1; ! grep -q bad'] } }] }
    message: The program says no.
  - name: gate
    on: stop
    once: session
    when: { not: { ran: { pattern: '^npm test' } } }
    message: Test first.
`

/** An agent whose hooks wait for less time than the slow program takes, and for long enough on a busy machine. */
const withRules = async (): Promise<{ box: Box; call: CallHook }> => {
  const box = createBox()
  mkdirSync(join(box.paths.state, 'rules'), { recursive: true, mode: 0o700 })
  writeFileSync(join(box.paths.state, 'rules/mine.yaml'), rules)
  await box.client().status()
  return { box, call: await hookCaller(box, { atTheEnd: onTestFinished, deadlineMs: 800 }) }
}

const bash = (command: string, id: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id })

test('a rule that asks a slow program is waited for, whatever that says', async () => {
  const { call } = await withRules()
  expect((await call('PreToolUse', bash('touch good', 't1'))).stdout).toBe('')
  expect((await call('PreToolUse', bash('touch bad', 't2'))).stdout).toContain('The program says no.')
  expect((await call('PreToolUse', bash('ls', 't3'))).stdout).toBe('')
})

test('the gate at a stop holds', async () => {
  const { box, call } = await withRules()
  // Nobody writes to it any more: what it would still say is waited for in vain.
  const transcript_path = join(box.root, 'c1.jsonl')
  writeFileSync(transcript_path, '')
  await call('SessionStart', { source: 'resume', transcript_path })
  const write = { tool_name: 'Write', tool_input: { file_path: 'a', content: '' }, tool_use_id: 't1' }
  await call('PostToolUse', { ...write, transcript_path, tool_response: {} })
  expect((await call('Stop', { transcript_path, stop_hook_active: false })).stdout).toContain('Test first.')
  expect((await call('Stop', { transcript_path, stop_hook_active: false })).stdout).toBe('')
})

test('what was decided about the last calls is told as it was, and what is judged anew is marked', async () => {
  const { box, call } = await withRules()
  const transcript_path = join(box.root, 'c1.jsonl')
  // What is older than the log keeps is not kept.
  const timestamp = new Date().toISOString()
  const made = ['touch bad', 'ls'].map((command, at) => ({
    type: 'assistant',
    timestamp,
    uuid: `e${at}`,
    parentUuid: at === 0 ? 'p' : 'e0',
    sessionId: 'c1',
    message: { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'Bash', input: { command } }] },
  }))
  const prompt = {
    type: 'user',
    timestamp,
    uuid: 'p',
    parentUuid: null,
    sessionId: 'c1',
    message: { role: 'user', content: 'Go.' },
  }
  writeFileSync(transcript_path, [prompt, ...made].map((line) => `${JSON.stringify(line)}\n`).join(''))
  await call('SessionStart', { source: 'resume', transcript_path })
  await call('PreToolUse', { ...bash('touch bad', 't0'), transcript_path })
  writeFileSync(join(box.paths.state, 'rules/mine.yaml'), 'version: 1\nrules: []\n')
  const [{ handle } = { handle: '' }] = await box.client().ps({})
  const explained = () => box.client().explainCall({ cwd: box.cwd, target: handle, call: { last: 2 } })
  await expect.poll(explained, { timeout: 60_000 }).toMatchObject([
    { input: { command: 'touch bad' }, decided: 'deny', by: 'rule asked-outside', isRecorded: true },
    { input: { command: 'ls' }, decided: null, isRecorded: false },
  ])
})
