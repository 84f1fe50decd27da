import type { z } from 'zod'
import type { Actor } from '../../contract/identity.ts'
import type { PauseTaskInput, TaskInput, TaskView } from '../../contract/routes/tasks.ts'
import type { TaskParts } from './parts.ts'
import { membersOf, describeFailure } from './task-agents.ts'
import { endPause, sayGoOn, sayPaused } from './task-messages.ts'
import { changing } from './handlers.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** Turns may end, and none is begun. One that cannot be paused is named, and the others are. */
export const pause = (parts: TaskParts, actor: Actor, input: Given<typeof PauseTaskInput>): Promise<TaskView> =>
  changing(parts, actor, input, 'pause', async (task) => {
    await parts.tasks.move(task, 'pause', null, actor)
    const agents = membersOf(parts, task)
    if (!input.now)
      await Promise.all(
        agents
          .filter(({ state, isPaused }) => state === 'working' && !isPaused)
          .map((agent) => sayPaused(parts, task, agent)),
      )
    const failed = await Promise.all(
      agents.map((agent) =>
        parts.supervisor
          .agent(agent.id)
          .pause(input.now)
          .then(
            () => null,
            (cause: unknown) => `${agent.handle} is not paused: ${describeFailure(cause)}`,
          ),
      ),
    )
    return failed.filter((problem) => problem !== null)
  })

export const unpause = (parts: TaskParts, actor: Actor, input: Given<typeof TaskInput>): Promise<TaskView> =>
  changing(parts, actor, input, 'unpause', async (task) => {
    const running = await parts.tasks.move(task, 'unpause', null, actor)
    const agents = membersOf(parts, task)
    const failed = await Promise.all(
      agents.map((agent) =>
        endPause(parts, agent.id).then(
          () => null,
          (cause: unknown) => `${agent.handle} is still paused: ${describeFailure(cause)}`,
        ),
      ),
    )
    if (task.state === 'paused' || agents.some(({ isPaused }) => isPaused))
      await sayGoOn(parts, running, 'is not paused any more')
    return failed.filter((problem) => problem !== null)
  })
