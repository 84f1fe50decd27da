import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Capture } from './capture/capture.ts'
import type { Remembered } from './capture/remembered.ts'
import type { Memory } from './memory.ts'

/** What the handlers of memory work with. */
export interface MemoryParts extends Base, Agents {
  memory: Memory
  remembered: Remembered
  commands: Capture
  /** How a project is worked on, as agents are told. */
  primer: (project: string) => string | null
  dropPending: () => void
  /** Takes over what people's shells have written; a shell that lives is read at the second look. */
  takeShells: () => Promise<void>
}
