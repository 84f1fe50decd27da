import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { deployAssets } from './assets.ts'
import type { Base } from '../../base/base.ts'
import type { HostKind } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { quoted } from '../../base/util/shell.ts'
import type { Driver, Installed, LaunchContext } from '../../drivers/contract.ts'
import { detect, findProgram } from '../../drivers/detect.ts'
import { installCommand } from '../../drivers/login.ts'
import { isAtLeast } from '../../drivers/version.ts'
import { agentEnv, waitersDir } from './agent-env.ts'
import { agentToken } from '../identity/tokens.ts'
import { fixPrograms } from './fixed-programs.ts'

type Env = Record<string, string>

/** Each agent has a bridge for as long as it runs: it passes lines on, and need not be fast at anything. */
const smallHeap = ['--max-semi-space-size=1', '--no-opt', '--no-sparkplug']

/** What the user said about where this CLI is. */
export const configuredPath = ({ settings }: Pick<Base, 'settings'>, { name }: Driver): string | null =>
  settings[`${name}.path` as 'claude.path'] ?? null

/** The CLI as it is installed here; an error that says what to do if it cannot be used in this host. */
export const findCli = async (
  parts: Pick<Base, 'settings'>,
  driver: Driver,
  host: HostKind,
  env: Env,
): Promise<Installed> => {
  const configured = configuredPath(parts, driver)
  const installed = await detect(driver, env, configured)
  if (installed === null) throw missingCli(driver, await findProgram(driver, env, configured))
  // Without hooks a terminal can still be typed to, with care; a stream could not tell what arrived.
  if (host !== 'stream' || isAtLeast(installed.version, driver.minVersion)) return installed
  throw new ReinError(
    'version_too_old',
    `${driver.title} ${installed.version} is too old; ${driver.minVersion} is needed.`,
    `Upgrade it (it is at ${installed.path}): ${installCommand(driver)}@latest`,
  )
}

const missingCli = (driver: Driver, path: string | null): ReinError =>
  path === null || !existsSync(path)
    ? new ReinError(
        'driver_missing',
        `${driver.title} was not found.`,
        `Install it: ${installCommand(driver)}. If it is installed elsewhere, say where, as in: rein config set ${driver.name}.path ~/bin/${driver.program}`,
      )
    : new ReinError(
        'driver_missing',
        `${driver.title} is at ${path}, but does not say its version.`,
        `Try it: ${quoted(path)} --version`,
      )

/** Everything a driver needs to start its CLI as this agent; what it is pointed at is put in its place. Without a launch it is not to be started. */
export const launchContext = (
  { paths, endpoint, settings }: Pick<Base, 'paths' | 'endpoint' | 'settings'>,
  driver: Driver,
  host: HostKind,
  installed: Installed,
  env: Env,
  agent: { id: string; handle: string; cwd: string },
  launch: number | null,
): LaunchContext => {
  const transport = { kind: settings['hooks.transport'], url: `http://127.0.0.1:${endpoint.port}` }
  const [programs, skills] = ['../bin', '../skills'].map((dir) => join(import.meta.dirname, dir)) as [string, string]
  const findsSkills = driver.findsSkills?.(agent.cwd, env) ?? false
  const assets = { version: installed.version, host, programs, skills: findsSkills ? null : skills, transport }
  const files = fixPrograms(driver.assets(assets), { paths, deadlineMs: settings['hooks.deadline_ms'] })
  return {
    installed,
    host,
    assets: deployAssets(paths.plugins, `${driver.name}-${installed.version}`, files),
    mcp: [process.execPath, ...smallHeap, join(programs, 'rein.cjs'), 'mcp'],
    findsSkills,
    private: join(paths.state, 'agents', agent.id, 'home'),
    env: agentEnv(env, {
      agent: agent.id,
      handle: agent.handle,
      token: agentToken(endpoint.secret, agent.id, launch),
      paths,
      deadlineMs: settings['hooks.deadline_ms'],
      waiters: waitersDir(paths, agent.id),
      cwd: agent.cwd,
    }),
    newConversation: uuid(),
  }
}
