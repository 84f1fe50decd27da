import {
  NewTaskInput,
  OrchestrateInput,
  PauseTaskInput,
  StartTaskInput,
  StopTaskInput,
  TaskInput,
  TeamInput,
  TeamUpInput,
  TellLeadInput,
} from '../contract/routes/tasks.ts'
import { orchestrate } from './handlers/orchestrate.ts'
import { tellLead } from './handlers/task-messages.ts'
import { pause, unpause } from './handlers/task-pause.ts'
import * as tasks from './handlers/tasks.ts'
import * as team from './handlers/team-file.ts'
import { up } from './handlers/team-up.ts'
import { body, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** Tasks, and the agents that are started for them. */
export const taskRoutes = (services: Services, on: On): void => {
  on('newTask', async (c, actor) => c.json(await tasks.create(services, actor, await body(c, NewTaskInput))))
  on('tasks', async (c, actor) => c.json(await tasks.list(services, actor, query(c, TeamInput))))
  on('task', async (c, actor) => c.json(await tasks.show(services, actor, query(c, TaskInput))))
  on('startTask', async (c, actor) => c.json(await tasks.start(services, actor, await body(c, StartTaskInput))))
  on('pauseTask', async (c, actor) => c.json(await pause(services, actor, await body(c, PauseTaskInput))))
  on('unpauseTask', async (c, actor) => c.json(await unpause(services, actor, await body(c, TaskInput))))
  on('stopTask', async (c, actor) => c.json(await tasks.stop(services, actor, await body(c, StopTaskInput))))
  on('finishTask', async (c, actor) => c.json(await tasks.finish(services, actor, await body(c, StopTaskInput))))
  on('orchestrate', async (c, actor) => c.json(await orchestrate(services, actor, await body(c, OrchestrateInput))))
  on('tellLead', async (c, actor) => c.json(await tellLead(services, actor, await body(c, TellLeadInput))))
  on('teamUp', async (c, actor) => c.json(await up(services, actor, await body(c, TeamUpInput))))
  on('teamDown', async (c, actor) => c.json(await team.down(services, actor, await body(c, TeamInput))))
  on('teamStatus', async (c, actor) => c.json(await team.status(services, actor, query(c, TeamInput))))
}
