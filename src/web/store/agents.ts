import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AgentView } from '../../contract/routes/agents.ts'
import { openStream } from '../link/api.ts'
import { orderAgents } from './order-agents.ts'

/** All agents, the one that needs a person first; null before the first answer. */
export const agents = signal<readonly AgentView[] | null>(null)

let watchers = 0
let stop: () => void = () => {}

/** Keeps `agents` fresh while a view shows it. */
export const useAgents = (): void => {
  useEffect(() => {
    watchers += 1
    if (watchers === 1)
      stop = openStream('watch', { all: true, detail: true }, (line) => {
        agents.value = orderAgents(line.agents)
      })
    return () => {
      watchers -= 1
      if (watchers === 0) stop()
    }
  }, [])
}

export const findAgent = (project: string, handle: string): AgentView | undefined =>
  agents.value?.find((agent) => agent.project === project && agent.handle === handle)
