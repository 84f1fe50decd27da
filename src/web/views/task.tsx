import { projectName } from '../../contract/handle.ts'
import type { TaskMemberView, TaskView as Task } from '../../contract/routes/tasks.ts'
import { call } from '../link/api.ts'
import { pathTo } from '../match-path.ts'
import { Ago } from '../parts/ago.tsx'
import { Page } from '../parts/page.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { Story } from '../parts/story.tsx'
import { TaskBadge } from '../parts/task-badge.tsx'
import { shown } from '../parts/text.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { Waiting } from '../parts/waiting.tsx'
import { hrefOf } from '../router.ts'
import type { ViewProps } from './index.ts'

const everyMs = 10_000

export const TaskView = ({ params: { project = '', task: name = '' } }: ViewProps) => {
  const key = `${project}/${name}`
  const task = useAnswer(key, () => call('task', { project, name }), { everyMs })
  const story = useAnswer(key, () => call('story', { project, target: name }), { everyMs })
  return (
    <Page title={name} note={projectName(project)} up="/tasks">
      <div class="task">
        {task.value === null ? <Waiting error={task.error} /> : <TaskFacts task={task.value} />}
        <section aria-labelledby="task-story">
          <h2 id="task-story">Story</h2>
          {story.value === null ? <Waiting error={story.error} /> : <Story story={story.value} />}
        </section>
      </div>
    </Page>
  )
}

const TaskFacts = ({ task }: { task: Task }) => {
  const { project, state, reason, since, members, blockers, leases, problems, room, dir } = task
  return (
    <>
      <p class="row">
        <TaskBadge state={state} />
        <span class="soft">
          for <Ago at={since} />
          {reason === null ? '' : `: ${shown(reason)}`}
        </span>
      </p>
      <p class="soft small">
        <a href={hrefOf(pathTo('rooms', project, room))}>Room {room}</a> · files in <code>{shown(dir)}</code>
      </p>
      {problems.map((problem) => (
        <p key={problem} class="notice notice-warn">
          {shown(problem)}
        </p>
      ))}
      {blockers.map(({ id, from, at, text }) => (
        <p key={id} class="notice notice-bad">
          <strong>{shown(from)}</strong> is blocked for <Ago at={at} />: {shown(text)}
        </p>
      ))}
      <section aria-labelledby="task-members">
        <h2 id="task-members">Agents</h2>
        {members.length === 0 ? (
          <p class="soft">No agent works on it.</p>
        ) : (
          <ul class="rows">
            {members.map((member) => (
              <Member key={member.handle} project={project} member={member} />
            ))}
          </ul>
        )}
      </section>
      {leases.length === 0 ? null : (
        <section aria-labelledby="task-leases">
          <h2 id="task-leases">Files they hold</h2>
          <ul class="rows">
            {leases.map(({ id, glob, holder }) => (
              <li key={id} class="rows-row">
                <code>{shown(glob)}</code> <span class="soft">{holder ?? 'you'}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const Member = ({ project, member }: { project: string; member: TaskMemberView }) => {
  const { handle, role, driver, state, since, branch } = member
  return (
    <li>
      <a class="rows-row rows-link" href={hrefOf(pathTo('agent', project, handle))}>
        <span class="grow">
          <strong>{handle}</strong>{' '}
          <span class="soft small">
            {[role, driver, branch]
              .filter((part) => part !== null)
              .map((part) => shown(part))
              .join(' · ')}
          </span>
        </span>
        {state === null ? <span class="soft">never started</span> : <StateBadge state={state} />}
        {since === null ? null : (
          <span class="soft small">
            <Ago at={since} />
          </span>
        )}
      </a>
    </li>
  )
}
