import { expect, test } from 'vitest'
import type { HookCall } from '../../contract/hooks.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { aCall, agentRef, now } from '../../../test/support/builders.ts'
import { findDriver } from '../../drivers/registry.ts'
import { Recorder } from './recorder.ts'
import type { Shadow } from './snapshots/shadow.ts'

/** A recorder whose snapshots are done when the test says so. */
const started = () => {
  const records: AnyNewRecord[] = []
  const open: (() => void)[] = []
  const snapshot = async () => {
    await new Promise<void>((resolve) => open.push(resolve))
    return { id: 's', tree: 't', head: null, branch: null, index: null, skipped: [], ms: 1 }
  }
  const recorder = new Recorder({
    append: async (more) => void records.push(...more),
    agent: (id) => (id === agentRef.id ? { ...agentRef, cwd: '/p', conversation: 'c' } : null),
    driver: findDriver,
    shadow: async () => ({ tree: '/p', snapshot }) as unknown as Shadow,
    now: () => now,
    newId: (prefix) => `${prefix}_1`,
    onTrouble: (cause) => {
      throw cause
    },
  })
  const hear = async (event: HookCall['event'], given: Partial<HookCall> = {}) =>
    recorder.responder.respond(aCall({ event, agent: agentRef.id, subagent: null, tools: [], ...given }), 9000)
  const finish = async (): Promise<void> => {
    while (open.length === 0) await new Promise((resolve) => setImmediate(resolve))
    open.shift()?.()
  }
  return { records, recorder, hear, finish, open }
}

const bash = { tools: [{ id: 'x', name: 'Bash', input: {} }] }
const read = { tools: [{ id: 'x', name: 'Read', input: {} }] }

const causes = (records: readonly AnyNewRecord[]) =>
  records.map((record) => (record.type === 'session.snapshot' ? record.body.cause : null))

test('a snapshot at a prompt, after what may have changed something, and at a stop', async () => {
  const { records, recorder, hear, finish } = started()
  for (const [event, given] of [
    ['prompt', {}],
    ['after_batch', bash],
    ['stop', {}],
  ] as const) {
    await hear(event, given)
    await finish()
    await recorder.settled(agentRef.id)
  }
  expect(causes(records)).toEqual(['prompt', 'tool', 'stop'])
})

test('none after what only reads, none for what is a sub-agent’s own, none for strangers', async () => {
  const { open, recorder, hear } = started()
  await hear('after_tool', read)
  await hear('stop', { subagent: { id: 's', type: 't' } })
  await hear('prompt', { agent: 'agt_other' })
  await hear('prompt', { agent: null })
  await recorder.settled(agentRef.id)
  expect(open).toEqual([])
})

test.each([
  ['claude', 'Write', true],
  ['claude', 'Agent', true],
  ['claude', 'Skill', true],
  ['claude', 'BashOutput', true],
  ['claude', 'ToolSearch', false],
  ['claude', 'grep_search', true],
  ['codex', 'write_stdin', true],
  ['codex', 'multi_agent_v1wait_agent', true],
  ['codex', 'view_image', false],
  ['copilot', 'apply_patch', true],
  ['copilot', 'ask_user', false],
  ['gemini', 'replace', true],
  ['gemini', 'grep_search', false],
  ['gemini', 'enter_plan_mode', false],
  ['gemini', 'mcp_server_read', true],
  ['opencode', 'question', false],
  ['opencode', 'web_search', true],
  ['opencode', 'a tool that nobody knows', true],
])('%s: after %s it is %s that one is taken', async (driver, name, isTaken) => {
  const { records, recorder, hear, finish } = started()
  await hear('after_tool', { driver, tools: [{ id: 'x', name, input: {} }] })
  await hear('stop')
  await finish()
  await recorder.settled(agentRef.id)
  expect(causes(records)).toEqual(isTaken ? ['tool', 'stop'] : ['stop'])
})

test('a tool waits until the snapshot of what was before it is taken', async () => {
  const { records, recorder, hear, finish } = started()
  await hear('prompt')
  const passed = hear('before_tool', bash)
  await hear('before_tool', read)
  expect(records).toEqual([])
  await finish()
  await passed
  await recorder.settled(agentRef.id)
  expect(records[0]?.body).toMatchObject({ isClean: true })
})

test('it does not wait for the one after another tool, which then may have what both did', async () => {
  const { records, recorder, hear, finish } = started()
  await hear('after_tool', bash)
  await hear('before_tool', bash)
  await finish()
  await recorder.settled(agentRef.id)
  expect(records[0]?.body).toMatchObject({ cause: 'tool', isClean: false })
})

test('who asks before a snapshot begins shares it, and whoever comes later gets another', async () => {
  const { records, recorder, hear, finish, open } = started()
  await hear('after_tool', bash)
  await hear('stop')
  while (open.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await hear('prompt')
  await finish()
  await finish()
  await recorder.settled(agentRef.id)
  expect(causes(records)).toEqual(['tool', 'stop', 'prompt'])
})

test('when it comes to rest without a hook that tells so, its files are saved all the same', async () => {
  const { records, recorder, hear, finish } = started()
  recorder.rested(agentRef.id)
  await hear('prompt')
  await finish()
  await recorder.settled(agentRef.id)
  recorder.rested(agentRef.id)
  recorder.rested(agentRef.id)
  await finish()
  await recorder.settled(agentRef.id)
  expect(causes(records)).toEqual(['prompt', 'stop'])
})

test('but not for long: then the snapshot says that a tool ran', async () => {
  const { records, recorder, hear, finish } = started()
  await hear('prompt')
  await hear('before_tool', bash)
  await finish()
  await recorder.settled(agentRef.id)
  expect(records[0]?.body).toMatchObject({ isClean: false })
})
