import { expect, test } from 'vitest'
import { toolCaller } from '../../../test/support/mcp-caller.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { agentTools } from './mcp-tools.ts'

test('list_agents gives each agent one line, with the handle that tell_agent takes', async () => {
  const agent: AgentView = {
    handle: 'worker',
    project: 'shop',
    driver: 'claude',
    version: '2.1.197',
    host: 'stream',
    state: 'awaiting_permission',
    since: 0,
    cwd: '/a "b"',
    pid: 1,
    conversation: null,
    question: null,
    inbox: { queued: 1, offered: 1, placed: 0, seen: 1, acked: 9 },
    until: null,
    isPaused: false,
    pauseReason: null,
    crashes: 0,
    health: { hooks: 'heard', failures: 0, healed: 0 },
    evidence: null,
    weakened: [],
    wake: 'protocol',
  }
  expect(await agentTools(() => [agent]).list_agents.run(toolCaller, {})).toBe(
    String.raw`shop/worker: claude, awaiting permission, 3 open directives, in "/a \"b\""`,
  )
})
