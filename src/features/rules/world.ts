import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Agent } from '../../contract/agent.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { ShellReading } from '../../base/shell/reading.ts'
import { WorkBudget } from '../../base/util/work-budget.ts'
import type { Deeds } from './deeds.ts'
import type { GitLook } from './git.ts'
import type { Awaitable, LeaseOn, World } from './types.ts'

export interface WorldPorts {
  git: GitLook
  deeds: Deeds
  now: () => number
  readShell: (command: string, cwd: string, home: string | null) => Awaitable<ShellReading>
  /** The lease on a file that an agent is about to change. */
  lease: (agent: string, file: string, places: LookedUp) => Promise<LeaseOn>
  /** The home of the agent's own environment. */
  home: (agent: string | null) => string | null
  /** US dollars; null where its CLI does not say. */
  budgetUsed: (agent: string) => number | null
}

/** The facts beside a call that rules may ask for; without an agent only those of the place. */
export const worldOf = (
  { git, deeds, now, readShell, home, budgetUsed, lease }: WorldPorts,
  { cwd, subagent }: Pick<HookCall, 'subagent'> & { cwd: string },
  agent: Agent | null,
  root: string | null,
): World => {
  const at = home(agent?.id ?? null)
  const places = lookedUpFrom(cwd, at)
  return {
    root: root ?? cwd,
    agent:
      agent === null
        ? null
        : { handle: agent.handle, driver: agent.driver, host: agent.host, isSubagent: subagent !== null },
    now,
    branch: () => Promise.resolve(git.branch(root ?? cwd)),
    isDirty: () => git.isDirty(root ?? cwd),
    ...places,
    rootBeside: (top, file) => Promise.resolve(git.rootBeside(top, file)),
    readFile: (file) => readFile(resolved(file, cwd, at), 'utf8').catch(() => null),
    lease: (file) => (agent === null ? Promise.resolve('none') : lease(agent.id, file, places)),
    budgetUsed: () => (agent === null ? null : budgetUsed(agent.id)),
    ran: () => (agent === null ? [] : deeds.ran(agent.id)),
    hasEdited: () => (agent === null ? false : deeds.hasEdited(agent.id)),
    readShell: (command, directory) => readShell(command, directory, at),
  }
}

/** How the paths of a call are looked up. */
export type LookedUp = Pick<World, 'cwd' | 'home' | 'realPath' | 'entries' | 'work'>

/** Enough for a call of a thousand files with all packs; what costs more is a doubt. */
export const callUnits = 15_000_000

export const lookedUpFrom = (cwd: string, home: string | null): LookedUp => ({
  cwd,
  home,
  work: new WorkBudget(callUnits),
  realPath: (file) => realPathOf(resolved(file, cwd, home)),
  entries: async (directory) => {
    try {
      const entries = await readdir(directory, { withFileTypes: true })
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    } catch (error) {
      return /^(?:ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '') ? [] : null
    }
  },
})

/** `..` stays: behind a link it leads elsewhere than it is written. */
const resolved = (file: string, cwd: string, home: string | null): string => {
  if (home !== null && (file === '~' || file.startsWith('~/'))) return home + file.slice(1)
  return path.isAbsolute(file) ? file : `${cwd}/${file}`
}

const mostLinks = 40

/** For a missing file: its name in the real directory, or the target of a dangling link. */
const realPathOf = async (file: string, links = 0): Promise<string> => {
  try {
    return await realpath(file)
  } catch {
    const target = links < mostLinks ? await readlink(file).catch(() => null) : null
    const parent = path.dirname(file)
    if (target !== null) return realPathOf(path.resolve(await realPathOf(parent), target), links + 1)
    return parent === file ? file : path.join(await realPathOf(parent), path.basename(file))
  }
}
