import { AgentFinder } from '../../src/agents/identity/finder.ts'
import { readPlaceFacts } from '../../src/agents/projects/place-facts.ts'
import type { Agent } from '../../src/contract/agent.ts'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import type { Task } from '../../src/contract/task.ts'
import type { TeamAgent } from '../../src/contract/team.ts'
import { launch, resumeOne } from '../../src/features/agents/handlers.ts'
import type { AgentParts } from '../../src/features/agents/parts.ts'
import type { TaskParts } from '../../src/features/tasks/parts.ts'
import { LogWriter, type Outcome } from '../../src/base/log/writer.ts'
import { taskProjector } from '../../src/features/tasks/store.ts'
import { Tasks } from '../../src/features/tasks/tasks.ts'
import { anAgent, now, person, tempDir } from './builders.ts'
import { emptyDatabase } from './in-process-log.ts'

const seqs = (outcome: Outcome | undefined): number[] => {
  if (!outcome?.ok) throw outcome?.cause
  return outcome.result.appended.map(({ seq }) => seq)
}

/** The real tasks over the real tables, in memory. */
export const startTasks = (project: string, root = '/project') => {
  const db = emptyDatabase()
  const writer = new LogWriter(db, [taskProjector])
  const append = async (records: AnyNewRecord[]): Promise<number[]> =>
    seqs(writer.write([{ kind: 'append', records, cursors: [] }])[0])
  const clock = { now }
  let ids = 0
  const tasks = new Tasks({ append, reader: db, now: () => ++clock.now, newId: (prefix) => `${prefix}_${++ids}` })
  const make = (name: string): Promise<Task> => tasks.create({ project, name, root, worktrees: 'none' }, person)
  const join = (task: Task, handle: string, role: 'lead' | 'member' = 'member'): Promise<void> =>
    tasks.join(task, { agent: { id: `agt_${handle}`, project, handle }, role, worktree: null, branch: null }, person)
  const rebuild = (): void => void seqs(writer.write([{ kind: 'rebuild' }])[0])
  return { tasks, make, join, rebuild, db }
}

/** Real tasks in a directory; of their agents only what is known of them, and what was done to them. */
export const startTaskWorld = async () => {
  const cwd = tempDir()
  const project = (await readPlaceFacts(cwd)).makeName(1)
  const { tasks, make, join } = startTasks(project, cwd)
  const agents = new Map<string, Agent>()
  const did: string[] = []
  const team: Record<string, TeamAgent> = {}
  let inbox: { id: string; directive: { sender: { kind: string }; type: string } }[] = []
  const change = (id: string, what: string, next: Partial<Agent>): Agent => {
    const agent = { ...(agents.get(id) ?? anAgent()), ...next }
    agents.set(id, agent)
    did.push(`${what} ${agent.handle}`)
    return agent
  }
  const handleOf = (id: string): string => agents.get(id)?.handle ?? id
  const parts = {
    tasks,
    projects: { of: async (place: string) => (await readPlaceFacts(place)).makeName(1) },
    now: () => now,
    newId: (prefix: string) => `${prefix}_000000000001`,
    paths: { runtime: '/run/rein', state: '/state' },
    settings: {
      'agents.stop_timeout_s': 1,
      'agents.driver': 'claude',
      'sessions.enabled': false,
      'tasks.worktrees': tempDir(),
    },
    supervisor: {
      get agents() {
        return [...agents.values()]
      },
      get: (id: string) => agents.get(id) ?? null,
      agent: (id: string) => ({
        stop: async () => change(id, 'down', { state: 'stopped' }),
        pause: async () => change(id, 'pause', { isPaused: true }),
        unpause: async () => change(id, 'unpause', { isPaused: false }),
      }),
      resume: async (id: string) => change(id, 'resume', { state: 'idle' }),
    },
    sessions: { isMoving: () => false, prepare: async () => undefined },
    leases: { held: () => [], releaseAll: async (id: string) => void did.push(`release ${handleOf(id)}`) },
    bus: {
      open: () => ({ events: [] }),
      ack: async (_: string, id: string) => void did.push(`ack ${handleOf(id)}`),
    },
    inbox: {
      openItems: (id: string) => inbox.filter((item) => item.id === id),
      cancel: async (item: (typeof inbox)[number]) => {
        inbox = inbox.filter((one) => one !== item)
      },
      accept: async ({ agent, type }: { agent: { id: string }; type: string }) =>
        void inbox.push({ id: agent.id, directive: { sender: { kind: 'daemon' }, type } }),
    },
    rooms: { create: async () => undefined, all: () => [] },
    team: { fileAt: () => ({ agents: team }), agents: () => [...agents.values()] },
  }
  const finder = new AgentFinder(parts)
  const { sessions, rooms, inbox: items } = parts
  const others = { sessions, team: { rooms }, inbox: { inbox: items }, tasks: { layout: async () => null } }
  const agentParts = { ...parts, finder, others } as unknown as AgentParts
  const starting: Pick<TaskParts, 'launch' | 'resumeOne'> = {
    launch: (...start) => launch(agentParts, ...start),
    resumeOne: (...start) => resumeOne(agentParts, ...start),
  }
  const services = { ...parts, finder, ...starting } as unknown as TaskParts
  const agent = (handle: string, given: Partial<Agent> = {}): void =>
    void agents.set(`agt_${handle}`, anAgent({ id: `agt_${handle}`, project, handle, cwd, ...given }))
  /** A running task with these agents, the first as its lead. */
  const running = async (name: string, ...handles: string[]): Promise<Task> => {
    const task = await make(name)
    for (const [index, handle] of handles.entries()) {
      if (!agents.has(`agt_${handle}`)) agent(handle)
      await join(task, handle, index === 0 ? 'lead' : 'member')
    }
    return tasks.move(task, 'start', null, person)
  }
  const toldTypes = (handle: string): string[] =>
    inbox.filter(({ id }) => id === `agt_${handle}`).map(({ directive }) => directive.type)
  return { services, agentParts, cwd, project, tasks, team, agent, running, did, toldTypes }
}
