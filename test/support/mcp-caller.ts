import type { ToolCaller } from '../../src/mcp/tool.ts'

/** An agent that calls tools. */
export const toolCaller: ToolCaller = {
  actor: { kind: 'agent', id: 'agt_1', handle: 'worker' },
  cwd: '/work',
  onAnswered: (run) => run(),
}
