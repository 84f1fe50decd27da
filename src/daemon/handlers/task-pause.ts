import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import type { Actor } from '../../contract/identity.ts'
import type * as api from '../../contract/task-api.ts'
import type { TaskView } from '../../contract/task-api-types.ts'
import type { Task } from '../../contract/task.ts'
import type { Item } from '../../inbox/receipt.ts'
import type { Services } from '../services.ts'
import { membersOf, wordsOf } from './task-agents.ts'
import { fromRein, sayGoOn } from './task-messages.ts'
import { changing } from './tasks.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** The type of what is said to an agent whose task is paused. */
const pauseType = 'task-paused'
const pauseLifeMs = 600_000

/** Turns may end, and none is begun. One that cannot be paused is named, and the others are. */
export const pause = (services: Services, actor: Actor, input: Given<typeof api.PauseTaskInput>): Promise<TaskView> =>
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

const sayPaused = ({ inbox }: Services, { name }: Task, agent: Agent): Promise<unknown> =>
  inbox.accept({
    ...fromRein(agent),
    type: pauseType,
    text: `The task ${name} is paused. Bring what you are at to a state that can be left, and end your turn: you are told when it goes on.`,
    expiresInMs: pauseLifeMs,
  })

export const unpause = (services: Services, actor: Actor, input: Given<typeof api.TaskInput>): Promise<TaskView> =>
  changing(services, actor, input, 'unpause', async (task) => {
    const running = await services.tasks.move(task, 'unpause', null, actor)
    const paused = membersOf(services, task).filter(({ isPaused }) => isPaused)
    const failed = await Promise.all(paused.map((agent) => unpauseOne(services, agent)))
    if (task.state === 'paused' || paused.length > 0) await sayGoOn(services, running, 'is not paused any more')
    return failed.filter((problem) => problem !== null)
  })

const unpauseOne = async ({ supervisor, inbox }: Services, { id, handle }: Agent): Promise<string | null> => {
  try {
    for (const item of inbox.openItems(id).filter(isPauseNote)) await inbox.cancel(item, { kind: 'daemon' })
    await supervisor.unpause(id)
    return null
  } catch (cause) {
    return `${handle} is still paused: ${wordsOf(cause)}`
  }
}

const isPauseNote = ({ directive: { sender, type } }: Item): boolean => sender.kind === 'daemon' && type === pauseType
