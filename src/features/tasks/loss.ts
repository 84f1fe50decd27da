import type { Agent } from '../../contract/agent.ts'
import type { Task, TaskMember } from '../../contract/task.ts'
import { isOn } from './task.ts'

/** `now`: it does not come back by itself; `soon`: it may be starting again right now. */
type Loss = 'now' | 'soon'

/** Whether an agent that a task counts on is gone for good; one that is restarted after a crash is not. */
export const lossOf = (task: Pick<Task, 'state'>, { state, until }: Pick<Agent, 'state' | 'until'>): Loss | null => {
  if (!isOn(task)) return null
  if (state === 'looping' || (state === 'crashed' && until === null)) return 'now'
  return state === 'stopped' ? 'soon' : null
}

/** The name of a loss: every look at the same loss gives the same one. */
export const lossId = ({ id, since }: Pick<Agent, 'id' | 'since'>): string => `lost_${id}_${since}`

type Gone = Pick<Agent, 'handle' | 'driver' | 'state' | 'evidence'>

export const lossText = (task: Pick<Task, 'name'>, { role }: Pick<TaskMember, 'role'>, agent: Gone): string => {
  const { handle, driver, state, evidence } = agent
  const who = `${handle} (${driver}${role === 'lead' ? ', the lead' : ''})`
  const why = evidence?.detail === undefined ? '' : `: ${evidence.detail}`
  const how = { looping: 'crashed too often and was given up', crashed: 'crashed and is not restarted' }
  const what = state === 'looping' || state === 'crashed' ? how[state] : 'was stopped'
  const instead = role === 'lead' ? `; for a new one: rein orchestrate ${task.name} --take-over` : ''
  return `${who} of the task ${task.name} is gone: it ${what}${why}. To bring it back: rein restart ${handle}${instead}`
}
