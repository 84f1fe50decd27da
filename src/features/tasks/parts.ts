import type { z } from 'zod'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Lease } from '../../contract/lease.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Resumed, UpInput } from '../../contract/routes/agents.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Tasks } from './tasks.ts'
import type { Bus } from '../team/bus/bus.ts'
import type { Rooms } from '../team/rooms/rooms.ts'
import type { SessionsApi } from '../sessions/feature.ts'
import type { Team } from '../team/members.ts'

/** The parts of other features that tasks use. */
export interface TaskNeeds {
  inbox: { inbox: Inbox }
  team: { rooms: Rooms; bus: Bus; team: Team }
  leases: { held(): Lease[]; releaseAll(agent: string, actor: Actor): Promise<unknown> }
  sessions: Pick<SessionsApi, 'isMoving' | 'findTarget' | 'isSessionName'>
  channels: { tellPeople(project: string, text: string): void }
  agents: {
    launch(actor: Actor, input: z.infer<typeof UpInput>, onMade?: (agent: Agent) => Promise<void>): Promise<Agent>
    resumeOne(actor: Actor, agent: Agent, env: Record<string, string> | undefined): Promise<Resumed>
  }
}

/** The parts that handlers of tasks share. */
export interface TaskParts extends Base, Agents {
  tasks: Tasks
  readonly inbox: TaskNeeds['inbox']['inbox']
  readonly rooms: Rooms
  readonly bus: Bus
  readonly team: Team
  readonly leases: TaskNeeds['leases']
  readonly sessions: TaskNeeds['sessions']
  readonly launch: TaskNeeds['agents']['launch']
  readonly resumeOne: TaskNeeds['agents']['resumeOne']
}
