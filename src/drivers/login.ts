import { existsSync } from 'node:fs'
import type { Driver } from './contract.ts'

/** How a person logs in to a CLI, and what that leaves behind. Only names are looked at: no secret is ever read. */
export interface Login {
  /** Variables that stand for a login, whatever is in them. */
  variables: readonly string[]
  /** Files that a login leaves. */
  files: (env: NodeJS.ProcessEnv) => string[]
  /** Whether a login may be kept in another way, so that its absence cannot be told. */
  mayBeElsewhere: (env: NodeJS.ProcessEnv) => boolean
  /** What a person types to log in. */
  command: string
}

/** `none`: nothing was found. `unknown`: nothing was found, and there are other ways. */
export type LoginState = 'found' | 'none' | 'unknown'

export const findLogin = (
  { variables, files, mayBeElsewhere }: Login,
  env: NodeJS.ProcessEnv,
  exists: (path: string) => boolean = existsSync,
): LoginState => {
  if (variables.some((name) => env[name])) return 'found'
  if (files(env).some(exists)) return 'found'
  return mayBeElsewhere(env) ? 'unknown' : 'none'
}

export const installCommand = ({ npmPackage }: Pick<Driver, 'npmPackage'>): string => `npm install -g ${npmPackage}`
