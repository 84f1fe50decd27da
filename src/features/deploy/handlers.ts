import type { Placed } from '../../agents/identity/finder.ts'
import { join } from 'node:path'
import type { z } from 'zod'
import type { CleanupInput, DeployView, SetupInput } from '../../contract/routes/deployments.ts'
import type { Deployer, Report, Selection } from './setup.ts'
import { detect } from '../../drivers/detect.ts'
import { drivers } from '../../drivers/registry.ts'
import { readSkills } from '../../drivers/skills.ts'
import { version } from '../../base/util/version.ts'
import { outsideWaiters } from '../../agents/launch/agent-env.ts'
import type { Base } from '../../base/base.ts'
import { configuredPath } from '../../agents/launch/launch-context.ts'

type Input = Placed<z.infer<typeof SetupInput>>

/** Loaded when it is needed: most daemons never deploy anything. */
const engine = () => import('./setup.ts')

export const setup = async (base: Base, input: Input): Promise<DeployView> =>
  viewOf(await (await engine()).setup(deployer(base), selectionOf(input), input.env))

export const cleanup = async (base: Base, input: Placed<z.infer<typeof CleanupInput>>): Promise<DeployView> =>
  viewOf(await (await engine()).cleanup(deployer(base), selectionOf(input), input))

/** Brings older deployments up to date without being asked, and logs what changed. Whether anything did. */
export const refresh = async (base: Base): Promise<boolean> => {
  const { journal } = base
  try {
    const { files } = await (await engine()).refresh(deployer(base), process.env)
    for (const { path, what, reason } of files)
      journal.write('daemon', { what: `deployment ${what}: ${path}${reason === null ? '' : ` (${reason})`}` })
    return files.length > 0
  } catch (cause) {
    base.troubleIn('deployments')(cause)
    return false
  }
}

const deployer = (base: Base): Deployer => {
  const { paths, settings } = base
  return {
    paths,
    deadlineMs: settings['hooks.deadline_ms'],
    version,
    programs: join(import.meta.dirname, '../bin'),
    waiters: outsideWaiters(paths),
    mcp: [join(paths.state, 'bin/rein'), 'mcp'],
    skills: readSkills(join(import.meta.dirname, '../skills')),
    drivers,
    detect: (driver, env) => detect(driver, env, configuredPath(base, driver)),
  }
}

const selectionOf = ({ clis, isGlobal, isShared, isOnPath, cwd, dryRun }: Input): Selection => ({
  clis,
  scope: isGlobal ? 'user' : 'project',
  project: cwd,
  isShared,
  isOnPath,
  dryRun,
})

const viewOf = ({ files, skipped }: Report): DeployView => ({
  files: files.map(({ place, ...file }) => ({ ...file, line: place?.line ?? null, column: place?.column ?? null })),
  skipped,
})
