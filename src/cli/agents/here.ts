import path from 'node:path'
import type { Client } from '../../client/client.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { view, type ViewEnd } from '../tui/attach/viewer.ts'
import { handleFor } from './here-handle.ts'
import { toRequest, type UpFlags } from './up.ts'

type HereFlags = Omit<UpFlags, 'host' | 'cwd' | 'noRestart' | 'pauseOn' | 'session' | 'fork' | 'output' | 'trust'>

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const
type Signal = keyof typeof signals

export const run = async (context: CliContext, flags: HereFlags & JsonFlag, handle?: string): Promise<void> => {
  // Resolves when this process is asked to end.
  const told = new Promise<Signal>((resolve) => {
    for (const signal of Object.keys(signals) as Signal[]) process.on(signal, () => resolve(signal))
  })
  const name = handle ?? handleFor(path.basename(context.cwd()))
  // The person at the terminal writes the first prompt.
  const request = await toRequest(context, { prompt: '', ...flags, host: 'pty' }, name)
  const client = context.connect()
  const agent = await client.up({ ...request, request: { ...request.request, restart: false } })
  const end = await showUntilEnd(client, context.cwd(), agent, told)
  if (flags.json) context.out.document(agent)
  const reason = await Promise.race([told, Promise.resolve(null)])
  context.exitWith(reason === null && end.kind === 'exit' ? end.code : 128 + signals[reason ?? 'SIGHUP'])
}

/** The agent ends with this view; where the daemon cannot end it, the keeper does once the view is gone. */
const showUntilEnd = async (
  client: Client,
  cwd: string,
  { project, handle }: AgentView,
  told: Promise<unknown>,
): Promise<ViewEnd> => {
  const target = `${project}/${handle}`
  const leave = new AbortController()
  const down = (): Promise<unknown> =>
    client.down({ target, cwd }).catch((cause) => {
      if (!(cause instanceof ReinError && cause.code === 'not_running')) throw cause
    })
  void told.then(down).catch(() => leave.abort())
  try {
    const { keeper } = await client.attach({ target, cwd })
    if (keeper === null) throw new ReinError('failed', `${handle} has no terminal here.`)
    return await view(keeper, { isOwner: true, signal: leave.signal })
  } finally {
    await down()
  }
}
