import type { RouteName } from '../contract/routes.ts'
import type {
  NewTaskRequest,
  OrchestrateRequest,
  PauseTaskRequest,
  StartTaskRequest,
  StopTaskRequest,
  TaskView,
  TeamUpRequest,
  TeamView,
  TellLeadRequest,
} from '../contract/routes/tasks.ts'
import type { PublishedView } from '../contract/routes/team.ts'

interface Named {
  cwd: string
  name: string
}

export interface TaskClient {
  newTask(input: NewTaskRequest): Promise<TaskView>
  tasks(input: { cwd: string }): Promise<TaskView[]>
  task(input: Named): Promise<TaskView>
  /** Its agents again, or one if it has none. */
  startTask(input: StartTaskRequest): Promise<TaskView>
  pauseTask(input: PauseTaskRequest): Promise<TaskView>
  unpauseTask(input: Named): Promise<TaskView>
  stopTask(input: StopTaskRequest): Promise<TaskView>
  finishTask(input: StopTaskRequest): Promise<TaskView>
  /** A task with a lead and its agents. */
  orchestrate(input: OrchestrateRequest): Promise<TaskView>
  /** From an agent to the lead of its task. */
  tellLead(input: TellLeadRequest): Promise<PublishedView>
  teamUp(input: TeamUpRequest): Promise<TeamView>
  teamDown(input: { cwd: string }): Promise<TeamView>
  teamStatus(input: { cwd: string }): Promise<TeamView>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createTaskClient = (ask: Ask): TaskClient => ({
  newTask: (input) => ask('newTask', { input }),
  tasks: (input) => ask('tasks', { input }),
  task: (input) => ask('task', { input }),
  startTask: (input) => ask('startTask', { input }),
  pauseTask: (input) => ask('pauseTask', { input }),
  unpauseTask: (input) => ask('unpauseTask', { input }),
  stopTask: (input) => ask('stopTask', { input }),
  finishTask: (input) => ask('finishTask', { input }),
  orchestrate: (input) => ask('orchestrate', { input }),
  tellLead: (input) => ask('tellLead', { input }),
  teamUp: (input) => ask('teamUp', { input }),
  teamDown: (input) => ask('teamDown', { input }),
  teamStatus: (input) => ask('teamStatus', { input }),
})
