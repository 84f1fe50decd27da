import { setTimeout as delay } from 'node:timers/promises'
import { launchEnv } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import { projectName } from '../../contract/handle.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { printable } from '../format.ts'

const waitLimitMs = 60_000
const lookMs = 50

/** Starts all agents again that were running when the machine went down. */
export const bringBackAll = async (
  context: CliContext,
  { json, waitForDaemon = false }: { waitForDaemon?: boolean } & JsonFlag,
): Promise<void> => {
  const { connect, out, cwd, env, exitWith } = context
  if (waitForDaemon) await untilServed(context)
  const results = await connect({ start: !waitForDaemon }).resume({ cwd: cwd(), env: launchEnv(env) })
  if (json) out.document(results)
  else if (results.length === 0) out.line('Nothing to bring back.')
  else
    for (const result of results)
      out.line(
        result.error === null
          ? `${result.handle} (${projectName(result.project)}) is back: ${result.state.replaceAll('_', ' ')}`
          : `${result.handle} (${projectName(result.project)}) could not be brought back: ${printable(result.error)}`,
      )
  if (results.some(({ error }) => error !== null)) exitWith(1)
}

/** A service starts its daemon at the same time: one that is started here could be the first, and keep that one out. */
const untilServed = async ({ connect, out }: CliContext): Promise<void> => {
  const deadline = performance.now() + waitLimitMs
  for (let look = 0; ; look += 1) {
    try {
      await connect({ start: false }).hello()
      return
    } catch (cause) {
      if (!(cause instanceof ReinError && cause.code === 'unavailable') || performance.now() > deadline) throw cause
    }
    if (look === 0) out.note('Waiting for the daemon …')
    await delay(lookMs)
  }
}
