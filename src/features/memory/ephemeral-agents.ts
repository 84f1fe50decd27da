import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import { saysEphemeral } from '../../contract/ephemeral.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { variableOf } from '../../base/util/process.ts'

const believedMs = 5_000
const mostKnown = 1_000

/** Whether nothing that an agent runs is remembered. It stands in a file and is asked for at every entry of a transcript, so it is believed for some seconds. */
export const ephemeralAgents = (
  { now }: Pick<Base, 'now'>,
  { environment, supervisor }: Pick<Agents, 'environment' | 'supervisor'>,
): ((agent: string) => boolean) => {
  const known = new BoundedMap<string, { isEphemeral: boolean; at: number }>(mostKnown)
  return (agent) => {
    const { host, process, request } = supervisor.get(agent) ?? { host: null, process: null, request: null }
    if (request?.isEphemeral !== undefined) return request.isEphemeral
    const last = known.get(agent)
    if (last !== undefined && now() - last.at < believedMs) return last.isEphemeral
    const isEphemeral = saysEphemeral(
      host === 'outside' && process !== null
        ? {
            REIN_EPHEMERAL: variableOf(process.pid, 'REIN_EPHEMERAL'),
            CLAI_EPHEMERAL: variableOf(process.pid, 'CLAI_EPHEMERAL'),
          }
        : environment.of(agent),
    )
    known.set(agent, { isEphemeral, at: now() })
    return isEphemeral
  }
}
