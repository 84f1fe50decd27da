import { basename } from 'node:path'
import type { Projects } from '../projects/projects.ts'
import { isRestOf, type Supervisor } from '../supervisor.ts'
import type { Settings } from '../../base/config/settings.ts'
import { type Agent, isAlive, type ProcessRef } from '../../contract/agent.ts'
import { handlePattern } from '../../contract/handle.ts'
import { emptyReply, type HookCall } from '../../contract/hooks.ts'
import type { Driver } from '../../drivers/contract.ts'
import { detect, installedAt } from '../../drivers/detect.ts'
import { awaitStartTime, isShell, parentPid, programOf, readAncestors } from '../../base/util/process.ts'
import type { Journal } from '../../contract/logs.ts'
import { configuredPath } from '../launch/launch-context.ts'

interface Parts {
  supervisor: Supervisor
  journal: Journal
  projects: Pick<Projects, 'of'>
  settings: Settings
}

/** Agents that people started by hand, where `rein setup` has put hooks: found by the process that calls. */
export class OutsideAgents {
  readonly #parts: Parts
  /** What a process said while it was being looked at, in order. */
  readonly #joining = new Map<number, HookCall[]>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The call with its agent. The first calls of an unknown process only make it known. */
  identify(driver: Driver, call: HookCall, handle: string | null): HookCall {
    const pid = this.#callerOf(driver, call)
    if (pid === null) return call
    const known = this.#find(pid)
    if (known !== null) return known.driver === driver.name ? { ...call, agent: known.id, pid } : call
    const said = this.#joining.get(pid)
    if (said !== undefined) said.push(call)
    else if (call.event !== 'session_end') void this.#join(driver, call, pid, handle)
    return call
  }

  /** The same for what was said while no daemon was there: a process that is not known by now stays so. */
  recognise(driver: Driver, call: HookCall): HookCall {
    const pid = this.#callerOf(driver, call)
    const known = pid === null ? null : this.#find(pid)
    return known?.driver === driver.name ? { ...call, agent: known.id, pid } : call
  }

  #living(): Agent[] {
    return this.#parts.supervisor.agents.filter(({ host, state }) => host === 'outside' && isAlive(state))
  }

  /** The process that is known already, or that can be: null if no such CLI has called. */
  #callerOf(driver: Driver, { agent, pid: called }: HookCall): number | null {
    if (agent !== null || called === null) return null
    // Hooks may be run by a shell that the CLI started.
    const pid = isShell(called) ? (parentPid(called) ?? called) : called
    return this.#find(pid) === null ? findCliAbove(pid, driver, configuredPath(this.#parts, driver)) : pid
  }

  /** A CLI may run its hooks in a helper process of its own. */
  #find(pid: number): Agent | null {
    const living = this.#living().filter(({ process }) => process !== null && !this.#joining.has(process.pid))
    if (living.length === 0) return null
    const parent = parentPid(pid)
    const mine = (agent: Agent): boolean => agent.process?.pid === pid || agent.process?.pid === parent
    return living.find(mine) ?? null
  }

  async #join(driver: Driver, call: HookCall, pid: number, handle: string | null): Promise<void> {
    const said = [call]
    this.#joining.set(pid, said)
    const { supervisor, journal, projects } = this.#parts
    try {
      const process: ProcessRef = { pid, startTime: (await awaitStartTime(pid)) ?? '' }
      const cwd = call.cwd ?? '/'
      const running = programOf(pid, driver.program)
      const { env } = globalThis.process
      // Where its process does not show which one it is, it is taken for the one that is installed here.
      const installed =
        running === null
          ? await detect(driver, env, configuredPath(this.#parts, driver))
          : await installedAt(running, env)
      const program = running ?? installed?.path ?? null
      const project = await projects.of(cwd)
      const name = this.#handle(handle, cwd, project, driver)
      const found = { process, cwd, project, driver, program, handle: name, version: installed?.version ?? '' }
      const joined = await supervisor.join(found)
      for (const one of said) {
        const own = { ...one, agent: joined.agent.id, pid }
        joined.hearHook(own)
        joined.settleHook(own, emptyReply, false)
      }
    } catch (cause) {
      journal.write('trouble', { where: 'hand-started agent', reason: String(cause) })
    } finally {
      this.#joining.delete(pid)
    }
  }

  /** What it wants to be called if that is free, else its directory with the first free number. */
  #handle(wanted: string | null, cwd: string, project: string, driver: Driver): string {
    const there = this.#parts.supervisor.agents.filter((agent) => agent.project === project)
    const isFree = (name: string): boolean =>
      handlePattern.test(name) &&
      there.every((agent) => agent.handle !== name || isRestOf(agent, { project, handle: name, driver }))
    if (wanted !== null && isFree(wanted)) return wanted
    const base = wanted !== null && handlePattern.test(wanted) ? wanted : plain(basename(cwd))
    for (let n = 1; ; n += 1) if (isFree(`${base}-${n}`)) return `${base}-${n}`
  }
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 50) || 'agent'

/**
 * The process of the CLI that a hook was called from: the caller, or the nearest that it descends from. Null: whoever called
 * a hook by hand, in a shell of a person say, is no agent, and neither is the terminal around that.
 */
export const findCliAbove = (
  pid: number,
  driver: Pick<Driver, 'program' | 'npmPackage'>,
  configured: string | null,
): number | null => {
  for (const one of readAncestors(pid))
    if (one.programs.some((name) => name === configured || isProgramOf(driver, name))) return one.pid
  return null
}

/**
 * By its name (`claude`, `claude.exe`, `codex-linux-x64`, `.claude-wrapped`), a version that it keeps
 * (`…/claude/versions/2.1.9`), or a file of its package. Any other directory may be somebody's home, or a project.
 */
const isProgramOf = ({ program, npmPackage }: Pick<Driver, 'program' | 'npmPackage'>, name: string): boolean => {
  // Linux says so of a program that was updated while it runs.
  const path = name.toLowerCase().replace(/ \(deleted\)$/, '')
  const [last = '', directory, above] = path.split('/').toReversed()
  const own = last.replace(/^\./, '')
  return (
    (own.startsWith(program) && build.test(own.slice(program.length))) ||
    (directory === 'versions' && above === program && /^\d/.test(last)) ||
    (npmPackage !== undefined && path.includes(`/node_modules/${npmPackage}/`))
  )
}

/** What may follow the name of a program. */
const build = /^(\.(exe|[cm]?js)|-wrapped|-(linux|darwin|x64|arm64|x86_64|aarch64)(-.*)?)?$/
