import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { ReinPaths } from '../../base/util/paths.ts'

export const bootedAt = (): number => Date.now() - uptime() * 1000

type Env = Record<string, string>

export type Environments = ReturnType<typeof environments>

/**
 * The environments that agents were started from, for when they have to be started again. They hold keys, so they lie in
 * the runtime directory, for this user's eyes alone, and none of them outlives a restart of the machine.
 */
export const environments = (paths: ReinPaths, since: number) => {
  const dir = join(paths.runtime, 'environments')
  const file = (id: string): string => join(dir, `${id}.json`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(dir)) if (statSync(join(dir, name)).mtimeMs < since) rmSync(join(dir, name))
  return {
    keep: (id: string, env: Env): void => {
      const draft = `${file(id)}.new`
      writeFileSync(draft, JSON.stringify(env), { mode: 0o600 })
      renameSync(draft, file(id))
    },
    forget: (id: string): void => rmSync(file(id), { force: true }),
    /** Without one, or of nobody yet: that of the daemon, which was started from a shell of this user's too. */
    of: (id: string | undefined): Env => (id === undefined ? null : read(file(id))) ?? ofDaemon(),
  }
}

const read = (path: string): Env | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

const ofDaemon = (): Env => {
  const named = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(named)
}
