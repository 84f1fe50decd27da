import path from 'node:path'
import type { Client } from '../../client/client.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import type { SessionView } from '../../contract/routes/sessions.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'
import type { CliContext } from '../context.ts'
import { toRequest } from '../agents/up.ts'
import { noteBrokenRules } from '../rules/rules-here.ts'
import { isGone } from './look.ts'

export interface StartFlags {
  driver?: string
  as?: string
  cwd?: string
  model?: string
  policy?: string[]
  continue?: boolean
  resume?: string
  ephemeral?: boolean
  trust?: boolean
  budget?: number
  maxTurns?: number
  pauseOn?: ('edit' | 'bash' | 'turn' | 'cost')[]
}

interface Origin {
  driver?: string | undefined
  handle?: string
  cwd?: string
  resume?: string
  continue?: boolean
}

const usualHandles = ['run', ...Array.from({ length: 98 }, (_, index) => `run-${index + 2}`)]

/** Starts the agent of a run without a prompt, so that the view misses nothing. */
export const startAgent = async (context: CliContext, client: Client, flags: StartFlags): Promise<AgentView> => {
  const origin = await originOf(context, client, flags)
  const named = flags.as ?? origin.handle
  await noteBrokenRules(context, path.resolve(context.cwd(), origin.cwd ?? flags.cwd ?? ''))
  for (const handle of named === undefined ? usualHandles : [named]) {
    const agent = await up(context, client, { ...flags, continue: false, ...origin }, handle).catch(
      (cause: unknown): null => {
        if (named === undefined && cause instanceof ReinError && cause.code === 'handle_taken') return null
        throw cause
      },
    )
    if (agent !== null) return agent
  }
  throw new ReinError('handle_taken', 'Too many runs are going on here.', 'Name this one, for example: --as try-1')
}

const up = async (
  context: CliContext,
  client: Client,
  {
    budget,
    maxTurns,
    pauseOn = [],
    driver,
    cwd,
    model,
    policy,
    resume,
    ephemeral,
    trust,
    ...more
  }: StartFlags & Origin,
  handle: string,
): Promise<AgentView> => {
  const flags = { driver, cwd, model, policy, resume, continue: more.continue, ephemeral, trust }
  const given = await toRequest(context, { ...flags, host: 'stream', prompt: '', noRestart: true }, handle)
  const asks = pauseOn.filter((one) => one === 'edit' || one === 'bash')
  const request = {
    ...given.request,
    live: true,
    isOwned: true,
    ...(budget === undefined ? {} : { budgetUsd: budget }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(asks.length === 0 ? {} : { pauseOn: asks }),
  }
  return client.up({ ...given, request })
}

const originOf = async (context: CliContext, client: Client, flags: StartFlags): Promise<Origin> => {
  if (flags.continue && flags.resume !== undefined)
    throw new ReinError('usage', 'Give only one of --continue and --resume.')
  const cwd = path.resolve(context.cwd(), flags.cwd ?? '')
  if (flags.resume !== undefined) {
    try {
      const { session } = await client.session({ target: flags.resume, cwd })
      if (flags.driver !== undefined && flags.driver !== session.driver)
        throw new ReinError(
          'usage',
          `${session.id} is a session of ${session.driver}, not of ${flags.driver}.`,
          'Leave --driver out.',
        )
      return await goOnWith(client, session, cwd)
    } catch (cause) {
      if (!(cause instanceof ReinError && ['not_found', 'unknown_agent'].includes(cause.code))) throw cause
      // An id that Rein does not know is the CLI's own name of a conversation.
      return { resume: flags.resume }
    }
  }
  return flags.continue ? newest(client, cwd, flags) : {}
}

/** The newest conversation here; one that Rein has not seen the CLI finds itself, if it can. */
const newest = async (client: Client, cwd: string, { driver }: StartFlags): Promise<Origin> => {
  const sessions = await client.sessions({ cwd })
  const found = sessions.find((one) => one.cwd === cwd && (driver === undefined || one.driver === driver))
  return found === undefined ? { continue: true } : goOnWith(client, found, cwd)
}

const goOnWith = async (client: Client, session: SessionView, cwd: string): Promise<Origin> => {
  const { project, agent, state } = session
  const name = fullName({ project, handle: agent })
  if (!isGone({ state }))
    throw new ReinError(
      'refused',
      `${name} is in this conversation, and running (${state}).`,
      `End it: rein down ${name}`,
    )
  const last = session.conversation ?? (await client.session({ target: session.id, cwd })).turns.at(-1)?.conversation
  return {
    driver: session.driver,
    handle: session.agent,
    cwd: session.cwd,
    ...(last === undefined ? {} : { resume: last }),
  }
}
