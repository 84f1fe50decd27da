import type { storyRoutes } from '../../contract/routes/story.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { taskRoutes } from '../../contract/routes/tasks.ts'
import type { Handovers } from '../../agents/context/context-watch.ts'
import { reminder } from './prompts.ts'
import { Tasks } from './tasks.ts'
import { addHandover } from './texts.ts'
import type { Feature } from '../feature.ts'
import * as handlers from './handlers.ts'
import { TaskLosses } from './losses.ts'
import { taskTools } from './mcp-tools.ts'
import { orchestrate } from './orchestrate.ts'
import type { TaskNeeds, TaskParts } from './parts.ts'
import { taskLayout } from './task-layout.ts'
import { tellLead } from './task-messages.ts'
import * as pauses from './task-pause.ts'
import * as teamFile from './team-file.ts'
import { up } from './team-up.ts'
import { story } from './tell-story.ts'

interface TasksApi {
  /** For agents whose context is full. */
  handovers: Handovers
  /** The command that shows the agents of a task; null if no task is meant. */
  layout: (input: Here & { target: string }) => Promise<string[] | null>
}

type TaskRoutes = typeof taskRoutes & typeof storyRoutes

export const tasks: Feature<'tasks', TaskRoutes, TaskNeeds, TasksApi> = {
  name: 'tasks',
  create: (base, agents, others) => {
    const { append, reader, now, newId } = base
    const { supervisor } = agents
    const onTrouble = base.troubleIn('tasks')
    const all = new Tasks({ append, reader, now, newId })
    const losses = new TaskLosses({
      tasks: all,
      supervisor,
      team: () => others.team,
      isMoving: (id) => others.sessions.isMoving(id),
      tellPeople: (...news) => others.channels.tellPeople(...news),
      onTrouble,
    })
    const parts: TaskParts = {
      ...base,
      ...agents,
      tasks: all,
      get inbox() {
        return others.inbox.inbox
      },
      get rooms() {
        return others.team.rooms
      },
      get bus() {
        return others.team.bus
      },
      get team() {
        return others.team.team
      },
      get leases() {
        return others.leases
      },
      get sessions() {
        return others.sessions
      },
      launch: (...start) => others.agents.launch(...start),
      resumeOne: (...start) => others.agents.resumeOne(...start),
    }
    return {
      handlers: handlersOf(parts),
      watchers: [losses],
      mcpTools: taskTools((actor, message) => tellLead(parts, actor, message)),
      start: () => losses.start(),
      stop: () => losses.stop(),
      api: {
        handovers: {
          keep: async ({ id, handle }, text) => {
            const task = all.of(id)
            if (task !== null) await addHandover(task, handle, text, now()).catch(onTrouble)
          },
          reminder: ({ id, handle }) => {
            const task = all.of(id)
            const member = task?.members.find(({ agent }) => agent.id === id)
            return task === null || member === undefined ? null : reminder(task, { handle, role: member.role })
          },
        },
        layout: (input) => taskLayout(parts, input),
      },
    }
  },
}

const handlersOf = (parts: TaskParts): Handlers<TaskRoutes> => ({
  newTask: ({ actor, input }) => handlers.create(parts, actor, input),
  tasks: ({ actor, input }) => handlers.list(parts, actor, input),
  task: ({ actor, input }) => handlers.show(parts, actor, input),
  startTask: ({ actor, input }) => handlers.start(parts, actor, input),
  pauseTask: ({ actor, input }) => pauses.pause(parts, actor, input),
  unpauseTask: ({ actor, input }) => pauses.unpause(parts, actor, input),
  stopTask: ({ actor, input }) => handlers.stop(parts, actor, input),
  finishTask: ({ actor, input }) => handlers.finish(parts, actor, input),
  orchestrate: ({ actor, input }) => orchestrate(parts, actor, input),
  tellLead: ({ actor, input }) => tellLead(parts, actor, input),
  teamUp: ({ actor, input }) => up(parts, actor, input),
  teamDown: ({ actor, input }) => teamFile.down(parts, actor, input),
  teamStatus: ({ actor, input }) => teamFile.status(parts, actor, input),
  story: ({ actor, input }) => story(parts, actor, input),
})
