import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { hasTerminal, isAlive } from '../../contract/agent.ts'
import type { ScreenInput } from '../../contract/routes/agents.ts'
import { redact } from '../../base/redact/redact.ts'
import type { AgentParts } from './parts.ts'

/** The host reads a moving screen three times a second; comparing what it has read costs nothing more. */
const lookMs = 400

/** What an agent shows in its terminal, and again whenever that changed; ends with the agent. */
export async function* screen(
  { supervisor, finder }: Pick<AgentParts, 'supervisor' | 'finder'>,
  input: z.infer<typeof ScreenInput>,
  signal: AbortSignal,
): AsyncGenerator<{ text: string }> {
  const { id, host } = await finder.named(input)
  if (!hasTerminal(host)) return
  let shown: string | null = null
  while (!signal.aborted && isAlive(supervisor.agent(id).agent.state)) {
    const text = supervisor.agent(id).readScreen(input.lines)
    if (text !== shown) yield { text: redact(text).text }
    shown = text
    await delay(lookMs, undefined, { signal }).catch(() => undefined)
  }
}
