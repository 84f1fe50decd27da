import { readFileSync } from 'node:fs'
import type { Agent, LaunchRequest } from '../../contract/agent.ts'
import { ephemeralEnv, saysEphemeral } from '../../contract/ephemeral.ts'
import { ReinError } from '../../contract/errors.ts'
import { continueCommand, fullName } from '../../contract/handle.ts'
import type { Driver } from '../../drivers/contract.ts'
import { isAbsent } from '../../base/util/absent.ts'
import type { Relaunch } from '../state/lifecycle.ts'

/** An agent goes on with its own conversation, not with whichever was the newest in its directory. */
export const continued = (agent: Agent, driver: Driver, request: LaunchRequest): LaunchRequest => {
  const { conversation, transcript } = agent
  if (request.continue !== true) return request
  const { continue: _, ...rest } = request
  // One that has run and has no conversation was sent back to before its first prompt.
  if (conversation === null) return agent.request === null ? request : rest
  if (isWritten(driver, transcript)) return { ...rest, resume: conversation }
  // A name that is taken by an empty conversation can be neither resumed nor used again.
  return transcript === null || isAbsent(transcript) ? { ...rest, session: conversation } : rest
}

export const notRunning = (agent: Agent): ReinError =>
  new ReinError(
    'not_running',
    `${agent.handle} is not running (${agent.state}).`,
    `Start it: ${continueCommand(agent)}`,
  )

/** What it was started with last, for another time. */
export const again = (
  agent: Agent,
  driver: Driver,
  { isFresh = false, isFreed = false, prompt }: Relaunch,
): LaunchRequest => {
  const { request, host, transcript, handle } = agent
  if (request === null || host === 'outside')
    throw new ReinError('refused', `${handle} was not started by Rein.`, `Start it: rein up ${fullName(agent)}`)
  const { session: _, resume: __, fork: ___, continue: ____, prompt: first, ...own } = request
  // The limits of a run are not those of what goes on without it.
  const { isOwned = false, maxTurns: _____, ...others } = own
  const rest = isOwned && !isFreed ? own : others
  if (isFresh) return withPrompt(rest, prompt)
  // Before anything was written there is nothing to go on with: it begins as it did the first time.
  const words = isWritten(driver, transcript) ? prompt : (first ?? prompt)
  return withPrompt({ ...rest, continue: true }, words)
}

const withPrompt = (request: LaunchRequest, prompt: string | undefined): LaunchRequest =>
  prompt === undefined ? request : { ...request, prompt }

/** Whether so much of a conversation was written down that its CLI can go on with it; some write notes of their own first. */
const isWritten = ({ transcript: { format } }: Driver, path: string | null): boolean => {
  if (path === null || isAbsent(path)) return false
  if (format.kind === 'rows') return true
  const read = format.reader()
  return readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => read(line).some(({ kind }) => kind === 'prompt' || kind === 'assistant'))
}

/** Whether nothing of what it runs is remembered: in its request that outlives the environment, which a reboot takes. */
export const ephemeral = (
  request: LaunchRequest,
  env: Record<string, string>,
): { isEphemeral: boolean; env: Record<string, string> } => {
  const isEphemeral = request.isEphemeral === true || saysEphemeral(env)
  return { isEphemeral, env: isEphemeral ? { ...env, ...ephemeralEnv } : env }
}
