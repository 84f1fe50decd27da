import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import type { Actor } from '../../contract/identity.ts'
import type { PauseTaskInput, TaskInput, TaskView } from '../../contract/routes/tasks.ts'
import type { Services } from '../services.ts'
import { membersOf, wordsOf } from './task-agents.ts'
import { endPause, sayGoOn, sayPaused } from './task-messages.ts'
import { changing } from './tasks.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** Turns may end, and none is begun. One that cannot be paused is named, and the others are. */
export const pause = (services: Services, actor: Actor, input: Given<typeof PauseTaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'pause', async (task) => {
    await services.tasks.move(task, 'pause', null, actor)
    const agents = membersOf(services, task)
    if (!input.now) await Promise.all(agents.filter(isAtWork).map((agent) => sayPaused(services, task, agent)))
    const failed = await Promise.all(agents.map((agent) => pauseOne(services, agent, input.now)))
    return failed.filter((problem) => problem !== null)
  })

const isAtWork = ({ state, isPaused }: Agent): boolean => state === 'working' && !isPaused

const pauseOne = ({ supervisor }: Services, { id, handle }: Agent, isNow: boolean): Promise<string | null> =>
  supervisor.pause(id, isNow).then(
    () => null,
    (cause: unknown) => `${handle} is not paused: ${wordsOf(cause)}`,
  )

export const unpause = (services: Services, actor: Actor, input: Given<typeof TaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'unpause', async (task) => {
    const running = await services.tasks.move(task, 'unpause', null, actor)
    const agents = membersOf(services, task)
    const failed = await Promise.all(agents.map((agent) => unpauseOne(services, agent)))
    if (task.state === 'paused' || agents.some(({ isPaused }) => isPaused))
      await sayGoOn(services, running, 'is not paused any more')
    return failed.filter((problem) => problem !== null)
  })

const unpauseOne = (services: Services, { id, handle }: Agent): Promise<string | null> =>
  endPause(services, id).then(
    () => null,
    (cause: unknown) => `${handle} is still paused: ${wordsOf(cause)}`,
  )
