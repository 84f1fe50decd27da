import type { AgentView } from '../../contract/routes/agents.ts'
import type { Scope } from '../../contract/scope.ts'
import { call, may } from '../link/api.ts'
import type { IconName } from '../parts/icon.tsx'
import { attempt, tellSuccess } from '../parts/toast.tsx'
import { targetOf } from './target.ts'

export interface AgentAction {
  name: string
  icon: IconName
  /** It ends something: a person says so twice. */
  isHard: boolean
  /** To what it is done, where a reader cannot see what stands beside it. */
  of?: string
  run: () => Promise<void>
}

interface ActionRow {
  name: string
  icon: IconName
  scope: Scope
  isHard?: true
  isFor: (agent: AgentView) => boolean
  done: string
  act: (agent: AgentView) => Promise<unknown>
}

const isDown = ({ state }: AgentView): boolean => ['stopped', 'crashed', 'looping'].includes(state)
const isBusy = ({ state }: AgentView): boolean =>
  ['working', 'starting', 'awaiting_permission', 'awaiting_answer'].includes(state)

/** What a person can do to an agent, the most likely first. */
const rows: readonly ActionRow[] = [
  {
    name: 'Interrupt',
    icon: 'interrupt',
    scope: 'control',
    isFor: isBusy,
    done: 'is interrupted',
    act: (agent) => call('interrupt', targetOf(agent)),
  },
  {
    name: 'Pause',
    icon: 'pause',
    scope: 'control',
    isFor: (agent) => !agent.isPaused && !isDown(agent),
    done: 'is paused: it begins no new turn',
    act: (agent) => call('pause', targetOf(agent)),
  },
  {
    name: 'Unpause',
    icon: 'play',
    scope: 'control',
    isFor: (agent) => agent.isPaused,
    done: 'goes on',
    act: (agent) => call('unpause', targetOf(agent)),
  },
  {
    name: 'Start again',
    icon: 'play',
    scope: 'control',
    isFor: (agent) => isDown(agent) && agent.host !== 'outside',
    done: 'is started',
    act: (agent) => call('restart', targetOf(agent)),
  },
  {
    name: 'Restart',
    icon: 'restart',
    scope: 'control',
    isHard: true,
    isFor: (agent) => !isDown(agent) && agent.host !== 'outside',
    done: 'is restarted',
    act: (agent) => call('restart', targetOf(agent)),
  },
  {
    name: 'Stop',
    icon: 'stop',
    scope: 'control',
    isHard: true,
    isFor: (agent) => !isDown(agent),
    done: 'is stopped',
    act: (agent) => call('down', targetOf(agent)),
  },
]

/** What this device may do to the agent as it is now. */
export const actionsOf = (agent: AgentView): AgentAction[] =>
  rows
    .filter(({ scope, isFor }) => may(scope) && isFor(agent))
    .map(({ name, icon, isHard = false, done, act }) => ({
      name,
      icon,
      isHard,
      run: async () => {
        const answer = await attempt(() => act(agent))
        if (answer !== undefined) tellSuccess(`${agent.handle} ${done}.`)
      },
    }))
