import { asReinError, ReinError } from '../contract/errors.ts'
import { briefly } from './brief.ts'
import type { CliContext } from './context.ts'

export const askThePerson = 'Ask the person who runs it.'

/** Refuses agents, and whoever may be one: where no daemon knows, somebody has to sit at a terminal. */
export const refuseAgents = async (context: CliContext, what: string): Promise<void> => {
  if ((await refuseKnownAgents(context, what)) || process.stdin.isTTY) return
  // One that is started for this knows of the agents that run, too.
  if (await refuseKnownAgents(context, what, {})) return
  throw new ReinError(
    'refused',
    `An agent may not ${what}, and nobody can tell that you are none: no daemon answers, and this is no terminal.`,
    'See what keeps the daemon from starting (`rein daemon start`), or do it in a terminal.',
  )
}

type Asking = Parameters<CliContext['connect']>[0]

/**
 * Refuses those that Rein started by their environment, others by their ancestors, which a daemon knows.
 * False: there is none to ask.
 */
export const refuseKnownAgents = async (
  context: CliContext,
  what: string,
  asking: Asking = briefly,
): Promise<boolean> => {
  const known = context.out.isAgent ? 'agent' : await knownAs(context, asking)
  if (known === 'agent') throw new ReinError('forbidden', `An agent may not ${what}.`, askThePerson)
  return known === 'person'
}

/** Only people may list sessions, so whoever is refused that is none. */
const knownAs = async ({ connect, cwd }: CliContext, asking: Asking): Promise<'agent' | 'person' | null> =>
  connect(asking)
    .sessions({ cwd: cwd(), limit: 1 })
    .then(() => 'person' as const)
    .catch((cause: unknown) => (asReinError(cause).code === 'forbidden' ? 'agent' : null))
