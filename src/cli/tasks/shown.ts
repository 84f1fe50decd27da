import type { TaskView, TeamView } from '../../contract/routes/tasks.ts'
import type { CliContext } from '../context.ts'
import { taskText, teamText } from './text.ts'

/** A task after something was done to it; what could not be done makes the exit code 1. */
export const showTask = (
  { out, now, exitWith }: CliContext,
  task: TaskView,
  { json, isLook = false }: { json?: boolean | undefined; isLook?: boolean },
): void => {
  if (json) out.document(task)
  else out.line(taskText(task, now(), out.style))
  if (!isLook && task.problems.length > 0) exitWith(1)
}

export const showTeam = ({ out, exitWith }: CliContext, team: TeamView, json: boolean | undefined): void => {
  if (json) out.document(team)
  else out.line(teamText(team))
  if (team.agents.some(({ error }) => error !== null)) exitWith(1)
}
