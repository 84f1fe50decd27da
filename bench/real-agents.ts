import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../src/client/client.ts'
import type { HostKind } from '../src/contract/agent.ts'
import type { AgentView } from '../src/contract/routes/agents.ts'
import type { Sim } from '../src/sim/server.ts'
import { type Box, repository } from '../test/process/harness.ts'

const key = 'sk-ant-dummy-0123456789abcdef'
export const claudePath = join(repository, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe')

/** A real Claude Code that asks nothing at its start and talks to the scripted model alone. */
export const upReal = (
  box: Box,
  sim: Sim,
  handle: string,
  prompt?: string,
  host: HostKind = 'tmux',
): Promise<AgentView> => {
  const settled = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [box.cwd]: { hasTrustDialogAccepted: true } },
  }
  const file = join(box.env['HOME'] ?? '', '.claude.json')
  // Those that run already have written there by what name they are known.
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(settled))
  const env = {
    ...box.env,
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }
  const request = {
    cwd: box.cwd,
    permissionMode: 'bypassPermissions',
    env: {},
    args: [],
    ...(prompt ? { prompt } : {}),
  }
  return box.client().up({ handle, driver: 'claude', host, request, env })
}

export const untilIdle = async (client: Client, handle: string): Promise<void> => {
  for await (const _ of client.tail({ topic: 'agents', after: 0, follow: true })) {
    if ((await client.ps({})).find((agent) => agent.handle === handle)?.state === 'idle') return
  }
}
