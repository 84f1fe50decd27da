import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName, handlePattern, projectName } from '../../contract/handle.ts'
import { hintNearest } from '../../base/util/nearest.ts'

/** Whom a name means: exact with its project, else in the project at hand, else the only one of that handle. */
export const resolveAgent = (agents: readonly Agent[], target: string, project: string | null): Agent => {
  const named = target.includes('/') ? inProject(agents, target) : agents.filter((agent) => agent.handle === target)
  const here = named.find((agent) => agent.project === project)
  if (here !== undefined) return here
  const [only, ...others] = named
  if (only === undefined) throw unknown(agents, target)
  if (others.length === 0) return only
  throw new ReinError(
    'ambiguous_handle',
    `There are ${named.length} agents "${target}".`,
    `Say which: ${named.map(fullName).join(', ')}.`,
  )
}

/** Tables show a project without its digits: that is enough where only one has this name. */
const inProject = (agents: readonly Agent[], target: string): Agent[] => {
  const exact = agents.filter((agent) => fullName(agent) === target)
  if (exact.length > 0) return exact
  return agents.filter(({ project, handle }) => fullName({ project: projectName(project), handle }) === target)
}

const unknown = (agents: readonly Agent[], target: string): ReinError => {
  const names = agents.map(target.includes('/') ? fullName : ({ handle }) => handle)
  const others =
    names.length === 0
      ? `Start one: rein up ${handlePattern.test(target) ? target : 'worker-1'}`
      : `There are: ${[...new Set(names)].slice(0, 10).join(', ')}.`
  const hint = hintNearest(target, names, others)
  return new ReinError('unknown_agent', `There is no agent "${target}".`, hint)
}
