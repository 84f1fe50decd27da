import type { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import type { TellLeadInput } from '../../contract/routes/tasks.ts'
import type { PublishedView } from '../../contract/routes/team.ts'
import type { Task } from '../../contract/task.ts'
import { redact } from '../../base/redact/redact.ts'
import { roomOf } from './names.ts'
import { leadOf } from './task.ts'
import type { OwnWords } from '../../agents/agents.ts'
import { sayTo, withdraw } from '../inbox/own-words.ts'
import type { TaskParts } from './parts.ts'

/** Messages from Rein to an agent about its task. */
export const note = (text: string): OwnWords => ({ type: 'note', priority: 'high', text, expiresInMs: null })

/** The type of what is said to an agent whose task is paused. */
const pauseType = 'task-paused'
const pauseLifeMs = 600_000

export const sayPaused = ({ inbox }: TaskParts, { name }: Task, agent: AgentRef): Promise<unknown> =>
  sayTo(inbox, agent, {
    type: pauseType,
    priority: 'high',
    text: `The task ${name} is paused. Bring what you are at to a state that can be left, and end your turn: you are told when it goes on.`,
    expiresInMs: pauseLifeMs,
  })

/** It may begin turns again, and is not told of a pause that is over. */
export const endPause = async ({ supervisor, inbox }: TaskParts, id: string, actor: Actor): Promise<void> => {
  await withdraw(inbox, id, [pauseType])
  if (supervisor.get(id)?.isPaused === true) await supervisor.agent(id).unpause(actor)
}

/** To the lead, who knows what comes next for whom; without one to everybody. */
export const sayGoOn = async ({ inbox }: TaskParts, task: Task, what: string): Promise<void> => {
  const lead = leadOf(task)
  const heard = lead === undefined ? task.members : [lead]
  const next =
    lead === undefined ? 'Go on with it.' : `Look how far everybody is (room ${roomOf(task.name)}), and go on.`
  const text = `The task ${task.name} ${what}. ${next}`
  for (const { agent } of heard) await sayTo(inbox, agent, note(text))
}

/** From an agent to the lead of its task. */
export const tellLead = async (
  parts: TaskParts,
  actor: Actor,
  { kind, text }: z.infer<typeof TellLeadInput>,
): Promise<PublishedView> => {
  if (actor.kind !== 'agent')
    throw new ReinError(
      'usage',
      'Only an agent has a lead.',
      "To tell one something: rein tell worker-1 'How far are you?'",
    )
  const task = parts.tasks.of(actor.id)
  if (task === null) throw new ReinError('refused', `${actor.handle} is at no task.`, 'Ask the user.')
  const lead = leadOf(task)?.agent
  const hint = `Say it to the user: rein chat send ${roomOf(task.name)} '@user …'`
  if (lead === undefined) throw new ReinError('refused', `The task ${task.name} has no lead.`, hint)
  if (lead.id === actor.id) throw new ReinError('refused', `You are the lead of ${task.name}.`, hint)

  const { text: payload } = redact(text)
  const event = { project: lead.project, type: kind, payload, to: lead, once: false, from: actor }
  const { event: published, isDuplicate } = await parts.bus.publish(event)
  const { id, priority } = published
  return { id, type: kind, priority, recipients: [lead.handle], duplicate: isDuplicate }
}
