import type { z } from 'zod'
import type { Adapter, Daemon } from './sdk/adapter.ts'

/** What an adapter of ours has of the world. */
export interface World {
  daemon: Daemon
  env: Record<string, string | undefined>
  /** Where the config file is: relative paths in it start here. */
  dir: string
  /** Rein's state directory. */
  state: string
  now: () => number
  /** Ends early when `signal` is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  log: (line: string) => void
}

/** A kind of adapter that `rein adapter run` knows. */
export interface AdapterKind<Schema extends z.ZodType = z.ZodType> {
  config: Schema
  /** Resolves when it is at work. */
  start(config: z.infer<Schema>, world: World): Promise<Adapter>
}

/** Something in the config that only shows when it is used. */
export class ConfigError extends Error {}
