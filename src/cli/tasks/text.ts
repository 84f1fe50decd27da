import type { TaskMemberView, TaskView, TeamView } from '../../contract/routes/tasks.ts'
import { counted, formatAge, formatTable, formatTime, joinLines, printable, shorten } from '../format.ts'
import type { Style } from '../output.ts'

const textLimit = 200

export const taskTable = (tasks: TaskView[], now: number): string => {
  if (tasks.length === 0) return 'No tasks here. Make one: rein task new NAME'
  const rows = tasks.map((task) => [
    task.name,
    task.state,
    formatAge(task.since, now),
    memberCell(task.members),
    task.blockers.length === 0 ? '-' : String(task.blockers.length),
    task.problems.length === 0 ? '-' : String(task.problems.length),
  ])
  return formatTable(['TASK', 'STATE', 'SINCE', 'AGENTS', 'BLOCKERS', 'PROBLEMS'], rows)
}

/** How many there are in each state. */
const memberCell = (members: TaskMemberView[]): string => {
  const counts = new Map<string, number>()
  for (const { state } of members) counts.set(words(state), (counts.get(words(state)) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ') || '-'
}

const words = (state: string | null): string => (state ?? 'unknown').replaceAll('_', ' ')

/** All of a task; what is not as it should be comes last, where it is seen. */
export const taskText = (task: TaskView, now: number, style: Style): string =>
  joinLines(
    headOf(task, now, style),
    `Its texts: ${printable(task.dir)}${handoverText(task, now)}`,
    ...(task.members.length === 0
      ? [`No agents yet. Start one: rein task start ${task.name}`]
      : [memberTable(task, now)]),
    task.leases.length > 0 && `Held: ${task.leases.map(leaseCell).join(', ')}`,
    ...task.blockers.map((blocker) => blockerText(blocker, now, style)),
    ...task.problems.map((problem) => style.yellow(shorten(problem, textLimit * 2))),
  )

const headOf = ({ name, project, state, reason, since, room }: TaskView, now: number, style: Style): string => {
  const why = reason === null ? '' : `: ${shorten(reason, textLimit)}`
  return `${style.bold(name)} (${printable(project)}) is ${state} since ${formatTime(since, now)}${why}; room ${room}`
}

const handoverText = ({ handoverAt }: TaskView, now: number): string =>
  handoverAt === null ? '' : `; the last handover was written ${formatAge(handoverAt, now)} ago`

const memberTable = ({ members }: TaskView, now: number): string =>
  formatTable(
    ['HANDLE', 'ROLE', 'DRIVER', 'STATE', 'SINCE', 'WORK TREE'],
    members.map(({ handle, role, driver, state, since, worktree, branch }) => [
      handle,
      role,
      driver ?? '-',
      words(state),
      since === null ? '-' : formatAge(since, now),
      worktree === null ? '-' : `${printable(worktree)} (${branch})`,
    ]),
  )

const leaseCell = ({ holder, glob }: TaskView['leases'][number]): string => `${printable(glob)} (${holder})`

const blockerText = ({ id, from, at, text }: TaskView['blockers'][number], now: number, style: Style): string =>
  `${style.yellow('blocked')} ${id} from ${shorten(from, textLimit)}, ${formatAge(at, now)} ago: ${shorten(text, textLimit)}`

export const teamText = ({ file, agents }: TeamView): string =>
  [
    printable(file),
    formatTable(
      ['HANDLE', 'DRIVER', 'TASK', 'STATE', 'DONE'],
      agents.map(({ handle, driver, task, state, did }) => [
        handle,
        driver,
        task ?? '-',
        state === null ? 'not started' : words(state),
        did === 'nothing' ? '-' : did,
      ]),
    ),
    ...agents.flatMap(({ handle, error }) => (error === null ? [] : [`${handle}: ${shorten(error, textLimit * 2)}`])),
    `Running: ${agents.filter(({ state }) => isUp(state)).length} of ${counted(agents.length, 'agent')}.`,
  ].join('\n')

const isUp = (state: string | null): boolean => state !== null && !['stopped', 'crashed', 'looping'].includes(state)
