import type { Here } from '../../contract/routes/fields.ts'
import { join } from 'node:path'
import { sessionOf } from '../../agents/hosts/tmux/host.ts'
import { layoutCommand, nestedAttach } from '../../agents/hosts/tmux/layout.ts'
import { isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { leadOf } from './task.ts'
import { tmuxSocket } from '../../agents/hosts/hosts.ts'
import type { TaskParts } from './parts.ts'
import { membersOf } from './task-agents.ts'

/** More than these cannot be read on one screen. */
const mostPanes = 9

/** The command that shows the agents of a task, its lead first; null if no task is meant. */
export const taskLayout = async (
  parts: TaskParts,
  { target, ...here }: Here & { target: string },
): Promise<string[] | null> => {
  const project = await parts.finder.projectAt(here).catch(() => null)
  const task = project === null ? null : parts.tasks.find(project, target)
  if (task === null) return null
  const agents = membersOf(parts, task).filter(({ state }) => isAlive(state))
  const [first] = agents
  if (!agents.some(({ host }) => host === 'tmux'))
    throw new ReinError(
      'refused',
      `No agent of the task ${task.name} runs in tmux.`,
      `See what they do: rein top${first === undefined ? '' : `; or one of them: rein attach ${first.handle}`}`,
    )
  const lead = leadOf(task)?.agent.id
  const ordered = agents.toSorted((one, other) => Number(other.id === lead) - Number(one.id === lead))
  // Its own terminal where it has one in tmux, else what it says.
  const panes = ordered
    .slice(0, mostPanes)
    .map((agent) =>
      agent.host === 'tmux'
        ? nestedAttach(tmuxSocket(parts.paths), sessionOf(agent.id))
        : [join(parts.paths.state, 'bin/rein'), 'logs', '--follow', `${agent.project}/${agent.handle}`],
    )
  // Each that looks has a layout of its own.
  const name = `view-${parts.newId(task.id).slice(-12)}`
  return layoutCommand(tmuxSocket(parts.paths), name, panes)
}
