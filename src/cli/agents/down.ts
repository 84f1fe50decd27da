import type { AgentView } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'
import { requireConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { report } from '../exit.ts'
import { counted } from '../format.ts'
import { agentLine, placeOf } from './text.ts'

interface DownFlags {
  all?: boolean
  yes?: boolean
}

export const run = async (context: CliContext, flags: DownFlags & JsonFlag, ...handles: string[]): Promise<void> => {
  const { connect, out, cwd, exitWith } = context
  const { all, json = false } = flags
  if (all && handles.length > 0) throw new ReinError('usage', 'Give handles or --all, not both.')
  if (!all && handles.length === 0)
    throw new ReinError(
      'usage',
      '`rein down` needs HANDLE.',
      'Example: rein down worker-1\nAll of them: rein down --all',
    )
  const client = connect()
  const targets = all ? await chooseAll(context, flags, await client.ps({ all: false })) : handles
  const stopped: AgentView[] = []
  for (const target of targets)
    try {
      const agent = await client.down({ target, cwd: cwd() })
      stopped.push(agent)
      if (!json) out.line(agentLine(agent, placeOf(context)))
    } catch (cause) {
      // The others are stopped all the same.
      if (targets.length === 1) throw cause
      exitWith(report(out, cause, false))
    }
  if (json) out.document(targets.length === 1 && !all ? stopped[0] : stopped)
  else if (targets.length === 0) out.line('No agent runs.')
}

/** The agents that Rein can stop: one that was started by hand ends in its own terminal. */
const chooseAll = async (context: CliContext, flags: DownFlags & JsonFlag, agents: AgentView[]): Promise<string[]> => {
  const names = agents.filter(({ host }) => host !== 'outside').map(fullName)
  if (names.length === 0 || flags.yes) return names
  const question = `Stop ${counted(names.length, 'agent')}: ${names.join(', ')}?`
  if (await requireConfirmed(context, flags, question, 'Give --yes: rein down --all --yes')) return names
  throw new ReinError('refused', 'No agent was stopped.')
}
