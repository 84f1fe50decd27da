import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Collected } from './collector.ts'
import type { Copied, Mover, MoverPorts } from './mover.ts'
import type { Recorder } from './recorder.ts'
import type { Shadows } from './shadows.ts'
import type { Compactions } from './compactions.ts'

/** What the handlers of sessions work with. */
export interface SessionParts extends Base, Agents {
  shadows: Shadows
  recorder: Recorder
  mover: Mover
  movePorts: MoverPorts & { cut(agent: Agent, chat: Parameters<MoverPorts['cut']>[1], cwd?: string): Promise<Copied> }
  compactions: Compactions
  collectSessions: (onTree: (done: number, total: number) => void) => Promise<Collected[]>
}
