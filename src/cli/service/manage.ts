import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { agentSocket } from '../../client/agent-env.ts'
import { daemonScript } from '../../client/start.ts'
import type { ServiceView } from '../../contract/outputs/local.ts'
import { ReinError } from '../../contract/errors.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import type { CliContext } from '../context.ts'
import { launchdService } from './launchd.ts'
import { type ServiceKind, serviceEnv } from './service.ts'
import { authorOf } from './stamp.ts'
import { systemdService } from './systemd.ts'

/** Bringing agents back takes its time. */
const limitMs = 660_000

/** The service of this machine, for this installation of Rein. */
export const serviceHere = ({ env }: CliContext): ServiceKind => {
  if (agentSocket(env) !== undefined)
    throw new ReinError('forbidden', 'An agent may not do this.', 'Ask the person who runs it.')
  const daemon = daemonScript()
  const rein = path.join(path.dirname(daemon), '../bin/rein.cjs')
  const parts = { node: process.execPath, rein, daemon, env: serviceEnv(env) }
  const home = env['HOME'] || homedir()
  if (process.platform === 'darwin') return launchdService(parts, { home, uid: process.getuid?.() ?? 0 })
  if (process.platform === 'linux')
    return systemdService(parts, {
      env,
      home,
      lingers: existsSync(path.join('/var/lib/systemd/linger', userInfo().username)),
    })
  throw new ReinError('refused', `There is no service for ${process.platform}.`, 'After a restart: rein up --all')
}

/** Writes the file and starts the service; refuses to replace a foreign file. */
export const install = async (kind: ServiceKind): Promise<ServiceView> => {
  const before = readOwn(kind.file)
  const what = before === null ? 'created' : before === kind.content ? 'unchanged' : 'changed'
  if (what === 'unchanged' && (await isActive(kind))) return viewOf(kind, what, true, [])
  if (what === 'changed') await deactivate(kind)
  if (what !== 'unchanged') {
    await mkdir(path.dirname(kind.file), { recursive: true })
    await writeFileAtomic(kind.file, kind.content, { mode: 0o644 })
  }
  const left = await runAll(kind.activate)
  return viewOf(kind, what, await isActive(kind), left)
}

/** Takes back exactly what `install` did. */
export const remove = async (kind: ServiceKind): Promise<ServiceView> => {
  if (readOwn(kind.file) === null) return viewOf(kind, 'absent', await isActive(kind), [])
  const left = await deactivate(kind)
  for (const file of [...kind.links, kind.file]) rmSync(file, { force: true })
  return viewOf(kind, 'removed', await isActive(kind), [...left, ...(await runAll(kind.forget))])
}

export const status = async (kind: ServiceKind): Promise<ServiceView> => {
  const before = readFile(kind.file)
  const what = before === null ? 'absent' : before === kind.content ? 'unchanged' : 'outdated'
  return viewOf(kind, what, await isActive(kind), [])
}

const viewOf = (
  { file, content, hint }: ServiceKind,
  what: ServiceView['what'],
  active: boolean | null,
  left: string[],
): ServiceView => ({ file, content, what, isActive: active, left, hint: active === true ? hint : null })

/** Null where the service manager cannot be asked. */
const isActive = async ({ ask }: ServiceKind): Promise<boolean | null> => {
  const code = await exitCode(ask.command)
  if (code === 0) return true
  return ask.no.includes(code) ? false : null
}

const deactivate = async (kind: ServiceKind): Promise<string[]> =>
  (await isActive(kind)) === false ? [] : runAll(kind.deactivate)

const readFile = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** Ours as we wrote it, or none; anything else is refused. */
const readOwn = (file: string): string | null => {
  const text = readFile(file)
  if (text === null || authorOf(text) === 'ours') return text
  throw new ReinError(
    'refused',
    `${file} ${authorOf(text) === 'edited' ? 'was edited since' : 'is not of'} \`rein service install\`.`,
    'Move it away, then try again.',
  )
}

/** The commands that are left to do: those from the first that failed. */
const runAll = async (commands: readonly string[][]): Promise<string[]> => {
  for (const [n, command] of commands.entries())
    if ((await exitCode(command)) !== 0) return commands.slice(n).map((words) => words.join(' '))
  return []
}

/** -1 for a program that is not there, or was ended. */
const exitCode = async ([program = '', ...args]: readonly string[]): Promise<number> => {
  try {
    await promisify(execFile)(program, args, { timeout: limitMs })
    return 0
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    return typeof code === 'number' ? code : -1
  }
}
