import type { TaskView, TeamView } from '../../contract/routes/tasks.ts'
import type { CliContext } from '../context.ts'
import { showAnswer } from '../show-answer.ts'
import { taskText, teamText } from './text.ts'

type Ask<Answer, Flags, Args extends readonly unknown[]> = (
  context: CliContext,
  flags: Flags,
  ...args: Args
) => Promise<Answer>

/** Changes a task and shows it; it fails with problems that the change left. */
export const showTask = <Flags>(change: Ask<TaskView, Flags, [name: string]>) =>
  showAnswer(
    change,
    (task, { now, out }) => taskText(task, now(), out.style, out.columns),
    ({ problems }) => problems.length > 0,
  )

/** Asks about a team and shows it; it fails with an agent that could not be started or stopped. */
export const showTeam = <Flags>(ask: Ask<TeamView, Flags, []>) =>
  showAnswer(
    ask,
    (team, { out }) => teamText(team, out.columns),
    ({ agents }) => agents.some(({ error }) => error !== null),
  )
