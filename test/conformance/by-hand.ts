/** A CLI that a person starts in a terminal of their own: nothing of Rein's in its command line. */
import { join } from 'node:path'
import { ControlClient } from '../../src/agents/hosts/tmux/control.ts'
import { tmuxHost } from '../../src/agents/hosts/tmux/host.ts'
import { runTmux } from '../../src/agents/hosts/tmux/server.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { Driver } from '../../src/drivers/contract.ts'
import { envOf } from '../support/clis.ts'
import type { TestRein } from '../e2e/harness.ts'
import { howToStart } from './starting.ts'

export interface ByHand {
  /** Resolves when Rein knows it and it works. */
  known: () => Promise<AgentView>
  /** Types a prompt into it. */
  say: (prompt: string) => Promise<void>
  close: () => Promise<void>
}

/** No setting reaches hooks of a conversation that somebody starts, and 200 ms are little on a busy machine. */
const patientHooks = { REIN_HOOK_DEADLINE_MS: '4000' }

export const byHand = async (rein: TestRein, driver: Driver, program: string, prompt: string): Promise<ByHand> => {
  const root = join(rein.cwd, '..')
  const socket = join(root, 'own-tmux.sock')
  const control = new ControlClient(socket)
  const parts = { terminal: driver.terminal, quietMs: 0, stillMs: 4000, waiters: () => root }
  const host = tmuxHost({ socket, control, overview: 'rein', ...parts })
  const { args, env, accepts } = howToStart(driver.name, prompt)
  const agent = await host.start(
    join(root, 'by-hand'),
    {
      command: program,
      args,
      env: { ...envOf(rein.cli, rein.home, rein.sim.url), ...env, ...patientHooks, REIN_HANDLE: 'by-hand', _: program },
      cwd: rein.cwd,
      conversation: null,
      firstPrompt: null,
      files: [],
    },
    (event) => {
      if (event.kind === 'state' && event.question !== null && accepts.includes(event.question.tool))
        void agent.answer(event.question, { kind: 'allow' }).catch(() => undefined)
    },
  )
  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    await agent.stop(2000)
    agent.release()
    await control.close()
    await runTmux(socket, 'kill-server').catch(() => undefined)
  }
  const known = async (): Promise<AgentView> => {
    for await (const _ of rein.client.tail({ topic: 'agents', after: 0, follow: true })) {
      const agents = await rein.client.ps({})
      const found = agents.find(({ handle, state }) => handle === 'by-hand' && state === 'working')
      if (found !== undefined) return found
    }
    throw new Error('The log ended.')
  }
  return { known, say: (text) => agent.prompt(text), close }
}
