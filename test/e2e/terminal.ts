import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AgentView } from '../../src/contract/api-types.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { TestRein } from './harness.ts'

/** The agent's terminal as a person has it. */
export interface Terminal {
  press: (...keys: string[]) => Promise<string>
  /** Types without pressing Enter. */
  draft: (text: string) => Promise<string>
  write: (text: string) => Promise<void>
  screen: () => Promise<string>
}

export const terminalOf = async ({ client, cwd, paths }: TestRein): Promise<Terminal> => {
  const { command } = await client.attach({ target: 'worker', cwd })
  const session = command.at(-1) ?? ''
  const tmux = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('tmux', ['-S', join(paths.runtime, 'tmux.sock'), ...args])).stdout
  const press = (...keys: string[]): Promise<string> => tmux('send-keys', '-t', `${session}:`, ...keys)
  const draft = (text: string): Promise<string> => press('-l', text)
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-t', `${session}:`)
  /** An Enter that comes before the text is shown is part of the text to some versions. */
  const write = async (text: string): Promise<void> => {
    await draft(text)
    while (!(await screen()).includes(text));
    await press('Enter')
  }
  return { press, draft, write, screen }
}

/** Resolves when the agent has come into a state. */
export const inState = (rein: TestRein, state: AgentView['state']): Promise<AnyRecord> =>
  rein.record('agents', (one): one is AnyRecord => one.type === 'agent.state' && one.body.state === state)

/** Resolves when the agent is idle now. */
export const idle = async ({ client }: TestRein): Promise<void> => {
  for await (const _ of client.tail('agents', { after: 0, follow: true })) {
    const [agent] = await client.ps({})
    if (agent?.state === 'idle') return
  }
}
