import { join } from 'node:path'
import { sessionOf } from '../../agents/hosts/tmux/host.ts'
import { layoutCommand, nestedAttach, type Pane } from '../../agents/hosts/tmux/layout.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { Attach } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import { leadOf } from '../../features/tasks/task.ts'
import { tmuxSocket } from '../../agents/hosts/hosts.ts'
import type { Services } from '../services.ts'
import { attach as attachAgent } from './agents.ts'
import { membersOf } from './task-agents.ts'

/** More than these cannot be read on one screen. */
const mostPanes = 9

/** Where the terminal of an agent is; of a task, all of them beside each other. A name that is both means the task. */
export const attach = async (services: Services, input: { target: string; cwd: string }): Promise<Attach> => {
  const layout = await taskLayout(services, input)
  return layout === null ? attachAgent(services, input) : { command: layout, keeper: null }
}

/** The command that shows the agents of a task, its lead first; null if no task is meant. */
const taskLayout = async (
  services: Services,
  { target, cwd }: { target: string; cwd: string },
): Promise<string[] | null> => {
  const project = await services.projects.of(cwd).catch(() => null)
  const task = project === null ? null : services.tasks.find(project, target)
  if (task === null) return null
  const agents = membersOf(services, task).filter(({ state }) => isAlive(state))
  if (!agents.some(({ host }) => host === 'tmux'))
    throw new ReinError(
      'refused',
      `No agent of the task ${task.name} runs in tmux.`,
      `See what they do: rein top; or one of them: rein attach ${agents[0]?.handle ?? 'HANDLE'}`,
    )
  const lead = leadOf(task)?.agent.id
  const ordered = agents.toSorted((one, other) => Number(other.id === lead) - Number(one.id === lead))
  const panes = ordered.slice(0, mostPanes).map((agent) => paneOf(services, agent))
  // Each that looks has a layout of its own.
  const name = `view-${services.newId(task.id).slice(-12)}`
  return layoutCommand(tmuxSocket(services.paths), name, panes)
}

/** Its own terminal where it has one in tmux, else what it says. */
const paneOf = ({ paths }: Services, { id, handle, project, host }: Agent): Pane =>
  host === 'tmux'
    ? nestedAttach(tmuxSocket(paths), sessionOf(id))
    : [join(paths.state, 'bin/rein'), 'logs', '--follow', `${project}/${handle}`]
