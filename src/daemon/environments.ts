import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReinPaths } from '../util/paths.ts'

type Env = Record<string, string>

/**
 * The environments that agents were started from, for when they have to be started again. They hold keys, so they lie in
 * the runtime directory, for this user's eyes alone, and are gone when the machine is restarted.
 */
export const environments = (paths: ReinPaths) => {
  const dir = join(paths.runtime, 'environments')
  const file = (id: string): string => join(dir, `${id}.json`)
  return {
    keep: (id: string, env: Env): void => {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      writeFileSync(file(id), JSON.stringify(env), { mode: 0o600 })
    },
    /** Without one: that of the daemon, which was started from a shell of this user's too. */
    of: (id: string): Env => {
      try {
        return JSON.parse(readFileSync(file(id), 'utf8'))
      } catch {
        return Object.fromEntries(
          Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
        )
      }
    },
  }
}
