import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Driver, Installed } from './contract.ts'

const run = promisify(execFile)
/** One that hangs is as good as none; a busy machine needs many times what an idle one does. */
const usualLimitMs = 60_000

/** The configured program, else the first of its name on PATH, if it says its version. */
export const detect = async (
  driver: Pick<Driver, 'program'>,
  env: NodeJS.ProcessEnv,
  configuredPath: string | null,
  limitMs = usualLimitMs,
): Promise<Installed | null> => {
  const path = await findProgram(driver, env, configuredPath)
  return path === null ? null : installedAt(path, env, limitMs)
}

/** The configured program, else the first of its name on PATH that may be run. */
export const findProgram = async (
  { program }: Pick<Driver, 'program'>,
  env: NodeJS.ProcessEnv,
  configuredPath: string | null,
): Promise<string | null> => {
  if (configuredPath !== null) return configuredPath
  for (const directory of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const candidate = join(directory, program)
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return candidate
  }
  return null
}

/** The program at this path, if it says its version. */
export const installedAt = async (
  path: string,
  env: NodeJS.ProcessEnv,
  limitMs = usualLimitMs,
): Promise<Installed | null> => {
  try {
    const { stdout } = await run(path, ['--version'], { env, timeout: limitMs, killSignal: 'SIGKILL' })
    const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0]
    return version === undefined ? null : { path, version }
  } catch {
    return null
  }
}
