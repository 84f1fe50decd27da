import { asReinError, ReinError } from '../contract/errors.ts'
import { briefly } from './brief.ts'
import type { CliContext } from './context.ts'

/** Refuses agents: those that Rein started by their environment, others by their ancestors, which a daemon knows. */
export const refuseAgents = async (context: CliContext, what: string): Promise<void> => {
  if (context.out.isAgent || (await isKnownAsAgent(context)))
    throw new ReinError('forbidden', `An agent may not ${what}.`, 'Ask the person who runs it.')
}

/** Only people may list sessions, so whoever is refused that is none. */
const isKnownAsAgent = async ({ connect, cwd }: CliContext): Promise<boolean> =>
  connect(briefly)
    .sessions({ cwd: cwd(), limit: 1 })
    .then(() => false)
    .catch((cause: unknown) => asReinError(cause).code === 'forbidden')
