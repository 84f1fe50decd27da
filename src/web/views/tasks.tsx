import { projectName } from '../../contract/handle.ts'
import type { TaskView } from '../../contract/routes/tasks.ts'
import { call } from '../link/api.ts'
import { pathTo } from '../match-path.ts'
import { Ago } from '../parts/ago.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { TaskBadge } from '../parts/task-badge.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { Waiting } from '../parts/waiting.tsx'
import { hrefOf } from '../router.ts'
import type { ViewProps } from './index.ts'

const everyMs = 10_000

const readTasks = async (only: string | undefined): Promise<(readonly [string, TaskView[]])[]> => {
  const projects = only === undefined ? (await call('projects', {})).map(({ project }) => project) : [only]
  const lists = await Promise.all(projects.map(async (project) => [project, await call('tasks', { project })] as const))
  return lists.filter(([, tasks]) => tasks.length > 0)
}

/** The tasks of all projects, or of one. */
export const TasksView = ({ params: { project } }: ViewProps) => {
  const { value, error } = useAnswer(project ?? '', () => readTasks(project), { everyMs })
  return (
    <Page title="Tasks" {...(project === undefined ? {} : { note: projectName(project), up: '/tasks' })}>
      {value === null ? (
        <Waiting error={error} />
      ) : value.length === 0 ? (
        <Empty title="No tasks.">
          Make one in the directory of a project: <code>rein task new parser</code>
        </Empty>
      ) : (
        value.map(([name, tasks]) => (
          <section key={name} class="project" aria-label={projectName(name)}>
            {project === undefined ? (
              <div class="project-head">
                <h2>
                  <a href={hrefOf(pathTo('tasks', name))}>{projectName(name)}</a>
                </h2>
              </div>
            ) : null}
            <ul class="rows">
              {tasks.map((task) => (
                <TaskRow key={task.name} task={task} />
              ))}
            </ul>
          </section>
        ))
      )}
    </Page>
  )
}

const TaskRow = ({ task: { project, name, state, since, members, blockers } }: { task: TaskView }) => (
  <li>
    <a class="rows-row rows-link" href={hrefOf(pathTo('tasks', project, name))}>
      <span class="grow">
        <strong>{name}</strong> <span class="soft small">{members.map(({ handle }) => handle).join(', ')}</span>
      </span>
      {blockers.length > 0 ? <span class="count count-strong">{blockers.length} blocked</span> : null}
      <TaskBadge state={state} />
      <span class="soft small">
        <Ago at={since} />
      </span>
    </a>
  </li>
)
