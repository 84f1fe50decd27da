import { settings } from '../../base/config/settings.ts'

/** What the service runs: absolute paths, because it starts without a shell. */
export interface ServiceParts {
  node: string
  rein: string
  daemon: string
  env: Record<string, string>
}

/** How one operating system keeps a program of a user running. */
export interface ServiceKind {
  file: string
  content: string
  /** Links that the service manager makes on activation. */
  links: string[]
  activate: string[][]
  deactivate: string[][]
  forget: string[][]
  /** Succeeds if the service runs, and exits with one of these codes if it does not. */
  ask: { command: string[]; no: number[] }
  hint: string | null
}

/**
 * Where Rein's files are, where agent CLIs are found, and Rein's settings, so that this daemon is like any other.
 * No other variables: they may hold keys, and this is a file.
 */
const carried = ['PATH', 'REIN_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', ...settings.map(({ env }) => env)]

export const serviceEnv = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    carried.flatMap((name) => {
      const value = env[name]
      return value ? [[name, value]] : []
    }),
  )
