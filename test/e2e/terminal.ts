import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { KeeperClient } from '../../src/agents/hosts/pty/keeper-client.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { TestRein } from './harness.ts'
import { lookUntil } from './look.ts'

/** The agent's terminal, as a program can get at it: nobody is seen typing. */
export interface Terminal {
  press: (...keys: string[]) => Promise<unknown>
  /** Types without pressing Enter. */
  draft: (text: string) => Promise<unknown>
  write: (text: string) => Promise<void>
  screen: () => Promise<string>
}

export const terminalOf = async ({ client, cwd, paths, onFinished }: TestRein): Promise<Terminal> => {
  const { command, keeper } = await client.attach({ target: 'worker', cwd })
  const terminal =
    keeper === null ? tmuxTerminal(paths.runtime, command?.at(-1) ?? '') : keptTerminal(keeper, onFinished)
  /** An Enter that comes before the text is shown is part of the text to some versions, and now and then one is lost. */
  const write = async (text: string): Promise<void> => {
    await terminal.draft(text)
    const before = await shows(terminal, text)
    do await terminal.press('Enter')
    while (!(await changes(terminal, before)))
  }
  return { ...terminal, write }
}

/** The screen once it shows a text: a hook may tell of a dialog before it is drawn. */
export const shows = ({ screen }: Pick<Terminal, 'screen'>, text: string | RegExp): Promise<string> =>
  lookUntil(screen, (shown) => (typeof text === 'string' ? shown.includes(text) : text.test(shown)))

/** Whether the screen is another within a second: like a person, who presses Enter again if it is not. */
const changes = async ({ screen }: Omit<Terminal, 'write'>, before: string): Promise<boolean> => {
  const until = performance.now() + 1000
  return before !== (await lookUntil(screen, (shown) => shown !== before || performance.now() > until))
}

const tmuxTerminal = (runtime: string, session: string): Omit<Terminal, 'write'> => {
  const tmux = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('tmux', ['-S', join(runtime, 'tmux.sock'), ...args])).stdout
  const press = (...keys: string[]): Promise<string> => tmux('send-keys', '-t', `${session}:`, ...keys)
  return {
    press,
    draft: (text) => press('-l', text),
    screen: () => tmux('capture-pane', '-p', '-t', `${session}:`),
  }
}

const keptTerminal = (
  { socket, agent }: { socket: string; agent: string },
  onFinished: TestRein['onFinished'],
): Omit<Terminal, 'write'> => {
  const keeper = new KeeperClient(socket, '')
  onFinished(() => keeper.close())
  const press = (...keys: string[]): Promise<unknown> => keeper.ask('keys', { agent, keys })
  return {
    press,
    draft: (text) => press(...text.split('')),
    screen: async () => (await keeper.ask('read', { agent })).text,
  }
}

/** Resolves when the agent has come into a state. */
export const inState = (rein: TestRein, state: AgentView['state']): Promise<AnyRecord> =>
  rein.record('agents', (one): one is AnyRecord => one.type === 'agent.state' && one.body.state === state)

/** Resolves when the agent is idle now. */
export const idle = async ({ client }: TestRein): Promise<void> => {
  for await (const _ of client.tail({ topic: 'agents', after: 0, follow: true })) {
    const [agent] = await client.ps({})
    if (agent?.state === 'idle') return
  }
}
