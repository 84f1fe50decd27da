import { realpathSync } from 'node:fs'
import { emptyReply } from '../contract/hooks.ts'
import type { HookMeta } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import { escapeUnsafe } from '../base/util/visible.ts'
import { denied, pass } from '../features/rules/guard/answer.ts'
import type { Features } from './features.ts'

/**
 * What guard rules say to a call that has not run yet. The hook that delivers tells of the same call and is where all of
 * it is decided and recorded; this one only has to hold, also for an unknown process.
 */
export const answerGuard = async (
  { agents, apis }: Pick<Features, 'agents' | 'apis'>,
  driverName: string,
  payload: unknown,
  meta: HookMeta,
  project: string | null,
): Promise<string> => {
  const driver = findDriver(driverName)
  const { outside, supervisor } = agents
  const call = outside.recognise(driver, driver.hooks.decode(payload, meta))
  const reason = await apis.rules.guardVerdict(call, project ?? call.cwd ?? '/')
  if (reason === null) return pass
  const version = supervisor.get(call.agent ?? '')?.version ?? driver.minVersion
  return denied(
    driver.hooks.encode(call, { ...emptyReply, decision: { kind: 'deny', reason: escapeUnsafe(reason) } }, version),
  )
}

/** Headers are bytes; the path is UTF-8. */
export const projectOf = (header: string | undefined): string | null => {
  if (header === undefined) return null
  const path = Buffer.from(header, 'latin1').toString('utf8')
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
