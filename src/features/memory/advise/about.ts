import type { Advice } from '../../../contract/command.ts'
import type { FileTools } from '../../../drivers/contract.ts'
import type { Book } from '../book/book.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import type { Failure } from '../diagnose/failure.ts'
import type { Prediction } from '../predict/event.ts'
import type { Ground } from './line-from.ts'
import type { Said } from './session.ts'

/** Who is at work where, in the moment in which something could be said. */
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
  /** Whether the model is told of a rewrite as it is made; else it is told with the result. */
  readonly tellsRewrite: boolean
  /** Characters that may still be said in this moment. */
  readonly room: number
}

/** A prediction is asked for with these. */
export type Asked = Pick<About, 'project' | 'session' | 'author' | 'cwd' | 'tools' | 'edited'> & {
  readonly time: number
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
  /** What was said in this conversation, or would have been, by whichever daemon. */
  readonly saidBefore: (session: string) => readonly Said[]
  readonly now: () => number
  readonly newId: (prefix: string) => string
  /** Something was said, or nothing was said before a command that has come by now. */
  readonly decided: (advice: Advice, about: Pick<About, 'agent' | 'project'>) => void
}
