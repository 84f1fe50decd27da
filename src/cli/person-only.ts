import { asReinError, ReinError } from '../contract/errors.ts'
import { briefly } from './brief.ts'
import type { CliContext } from './context.ts'

export const askThePerson = 'Ask the person who runs it.'

/** Refuses agents, and callers that may be one: where no daemon can tell, stdin has to be a terminal. */
export const refuseAgents = async (context: CliContext, what: string): Promise<void> => {
  if ((await refuseKnownAgents(context, what)) || process.stdin.isTTY) return
  // A daemon that is started for this knows the running agents, too.
  if (await refuseKnownAgents(context, what, {})) return
  throw new ReinError(
    'refused',
    `An agent may not ${what}, and nobody can tell that you are none: no daemon answers, and this is no terminal.`,
    'See what keeps the daemon from starting (`rein daemon start`), or do it in a terminal.',
  )
}

type Asking = Parameters<CliContext['connect']>[0]

/**
 * Refuses agents that Rein started by their environment, others by their ancestors, which a daemon knows.
 * False: there is no daemon to ask.
 */
export const refuseKnownAgents = async (
  context: CliContext,
  what: string,
  asking: Asking = briefly,
): Promise<boolean> => {
  // Only people may list sessions, so a caller who is refused that is an agent.
  const known = context.out.isAgent
    ? 'agent'
    : await context
        .connect(asking)
        .sessions({ cwd: context.cwd(), limit: 1 })
        .then(() => 'person' as const)
        .catch((cause: unknown) => (asReinError(cause).code === 'forbidden' ? 'agent' : null))
  if (known === 'agent') throw new ReinError('forbidden', `An agent may not ${what}.`, askThePerson)
  return known === 'person'
}
