import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Installed } from '../contract.ts'

const run = promisify(execFile)

/** The configured binary, else the first `claude` on PATH that says its version. */
export const detect = async (env: NodeJS.ProcessEnv, configuredPath: string | null): Promise<Installed | null> => {
  const path = configuredPath ?? (await findOnPath('claude', env.PATH ?? ''))
  return path === null ? null : installedAt(path, env)
}

const findOnPath = async (name: string, path: string): Promise<string | null> => {
  for (const directory of path.split(delimiter).filter(Boolean)) {
    const candidate = join(directory, name)
    if (await isExecutable(candidate)) return candidate
  }
  return null
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

const installedAt = async (path: string, env: NodeJS.ProcessEnv): Promise<Installed | null> => {
  try {
    const { stdout } = await run(path, ['--version'], { env, timeout: 20_000 })
    const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0]
    return version === undefined ? null : { path, version }
  } catch {
    return null
  }
}
