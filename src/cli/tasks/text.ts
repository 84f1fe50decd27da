import type { TaskView, TeamView } from '../../contract/routes/tasks.ts'
import { shortId } from '../../contract/ids.ts'
import { projectName } from '../../contract/handle.ts'
import { nameFor } from '../../contract/person.ts'
import { counted, formatAge, formatTable, formatTime, joinLines, printable, shorten } from '../format.ts'
import type { Style } from '../output.ts'

const textLimit = 200

export const taskTable = (tasks: TaskView[], now: number, columns?: number): string => {
  if (tasks.length === 0) return 'No tasks here. Make one: rein task new dates'
  const rows = tasks.map((task) => {
    const counts = new Map<string, number>()
    for (const { state } of task.members) counts.set(words(state), (counts.get(words(state)) ?? 0) + 1)
    return [
      task.name,
      task.state,
      formatAge(task.since, now),
      [...counts].map(([state, count]) => `${count} ${state}`).join(', ') || '-',
      task.blockers.length === 0 ? '-' : String(task.blockers.length),
      task.problems.length === 0 ? '-' : String(task.problems.length),
    ]
  })
  return formatTable(['TASK', 'STATE', 'SINCE', 'AGENTS', 'BLOCKERS', 'PROBLEMS'], rows, { columns })
}

const toPerson = { isAgent: false }

const words = (state: string | null): string => (state ?? 'unknown').replaceAll('_', ' ')

/** Problems come last, where they are seen. */
export const taskText = (task: TaskView, now: number, style: Style, columns?: number): string => {
  const { name, project, state, reason, since, room } = task
  const why = reason === null ? '' : `: ${shorten(reason, textLimit)}`
  return joinLines(
    `${style.bold(name)} (${projectName(printable(project))}) is ${state} since ${formatTime(since, now)}${why}; room ${room}`,
    `Its texts: ${printable(task.dir)}${task.handoverAt === null ? '' : `; the last handover was written ${formatAge(task.handoverAt, now)} ago`}`,
    task.members.length === 0
      ? `No agents yet. Start one: rein task start ${task.name}`
      : formatTable(
          ['HANDLE', 'ROLE', 'DRIVER', 'STATE', 'SINCE', 'WORK TREE'],
          task.members.map((member) => [
            member.handle,
            member.role,
            member.driver ?? '-',
            words(member.state),
            member.since === null ? '-' : formatAge(member.since, now),
            member.worktree === null ? '-' : `${printable(member.worktree)} (${member.branch})`,
          ]),
          { columns },
        ),
    task.leases.length > 0 &&
      `Held: ${task.leases.map(({ holder, glob }) => `${printable(glob)} (${holder})`).join(', ')}`,
    ...task.blockers.map(
      (blocker) =>
        `${style.yellow('blocked')} ${shortId(blocker.id)} from ${shorten(nameFor(toPerson, blocker.from), textLimit)}, ${formatAge(blocker.at, now)} ago: ${shorten(blocker.text, textLimit)}`,
    ),
    ...task.problems.map((problem) => style.yellow(shorten(problem, textLimit * 2))),
  )
}

export const teamText = ({ file, agents }: TeamView, columns?: number): string =>
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
      { columns },
    ),
    ...agents.flatMap(({ handle, error }) => (error === null ? [] : [`${handle}: ${shorten(error, textLimit * 2)}`])),
    `Running: ${agents.filter(({ state }) => state !== null && !['stopped', 'crashed', 'looping'].includes(state)).length} of ${counted(agents.length, 'agent')}.`,
  ].join('\n')
