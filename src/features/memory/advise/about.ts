import type { Advice } from '../../../contract/command.ts'
import type { FileTools } from '../../../drivers/contract.ts'
import type { Book } from '../book/book.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import type { Failure } from '../diagnose/signature.ts'
import type { Asked, Prediction } from '../predict/event.ts'
import type { Ground } from './ground.ts'
import type { Said } from './session.ts'

/** The agent and its state at a moment in which advice could be given. */
export interface About {
  readonly project: string
  readonly session: string
  /** The driver. */
  readonly author: string
  readonly agent: string | null
  readonly cwd: string
  readonly fileTools: FileTools
  /** Other tools used since the last command, and files changed since then, oldest first. */
  readonly tools: readonly string[]
  readonly edited: readonly string[]
  /** Whether the CLI tells the model about a rewrite at once; otherwise it is told with the result. */
  readonly tellsRewrite: boolean
  /** Characters that may still be said in this moment. */
  readonly room: number
}

export interface AdviceSettings {
  readonly isOn: boolean
  readonly suggest: boolean
  readonly diagnose: boolean
  readonly rewrite: boolean
  readonly denyFailing: boolean
  readonly wrongTool: 'off' | 'advise' | 'deny'
  readonly confidence: number
  readonly tokens: number
  readonly cooldownMs: number
}

export interface AdviserPorts extends Ground {
  readonly next: (asked: Asked, limit: number) => Prediction[]
  readonly diagnose: (project: string, failure: Failure) => Diagnosis
  readonly book: (project: string) => Book
  readonly settings: AdviceSettings
  readonly isHeldOut: (session: string) => boolean
  /** Earlier advice of this conversation, shown or held out, also of earlier daemons. */
  readonly saidBefore: (session: string) => readonly Said[]
  readonly now: () => number
  readonly newId: (prefix: string) => string
  /** Advice was given, or none was given before a command that has ended by now. */
  readonly decided: (advice: Advice, about: Pick<About, 'agent' | 'project'>) => void
}
