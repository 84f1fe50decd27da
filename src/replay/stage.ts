import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '../client/client.ts'
import { reinPaths } from '../util/paths.ts'
import { childEnv } from '../util/proxy-env.ts'
import type { PathPair } from './paths.ts'
import type { Recording } from './recording.ts'

type Env = Record<string, string | undefined>

/** Where a recording is played: a home, a tree and a daemon of its own, and nothing of the user's but the tree. */
export interface Stage {
  root: string
  cwd: string
  /** The state directory of the daemon. */
  state: string
  client: Client
  /** For the agent: no account, no telemetry, no network but this machine. */
  env: Record<string, string>
  /** From the recorded paths to those here. */
  paths: readonly PathPair[]
  /** Ends everything; unless it is kept, nothing stays. */
  clear(isKept: boolean): Promise<void>
}

/** What of the user's environment says how programs are found and what they print. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM', 'TMPDIR', 'SHELL']
/** Nobody listens there: whatever asks for a proxy is refused at once. */
const nowhere = 'http://127.0.0.1:9'
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])

export const setStage = async (recording: Recording, modelUrl: string, env: Env): Promise<Stage> => {
  const root = await mkdtemp(path.join(await realpath(tmpdir()), 'rein-replay-'))
  const [home, rein, tree] = ['home', 'rein', 'tree'].map((name) => path.join(root, name)) as [string, string, string]
  for (const dir of [home, rein]) await mkdir(dir, { mode: 0o700 })
  const cwd = path.join(tree, path.relative(recording.begin.root, await realpathOf(recording.cwd)))
  const daemonEnv = { ...basics(env, home), REIN_HOME: rein, ...settingsFor(recording, env) }
  const paths = reinPaths({ env: daemonEnv, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 })
  const client = createClient({ paths, env: daemonEnv, start: true })
  const clear = async (isKept: boolean): Promise<void> => {
    await client.down({ target: 'replay', cwd }).catch(() => undefined)
    await client.stop().catch(() => undefined)
    if (!isKept) await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await recording.shadow.copy(recording.begin.snapshot, tree, path.join(paths.state, 'snapshots'))
    await mkdir(cwd, { recursive: true })
    await settle(home, recording.offline.files(modelUrl, cwd))
    await client.hello()
  } catch (cause) {
    await rm(root, { recursive: true, force: true })
    throw cause
  }
  const agentEnv = { ...basics(env, home), ...offlineEnv(), ...recording.offline.env(modelUrl) }
  return {
    root,
    cwd,
    state: paths.state,
    client,
    env: agentEnv,
    paths: pathsTo(recording, { tree, cwd, home }, env),
    clear,
  }
}

const realpathOf = (dir: string): Promise<string> => realpath(dir).catch(() => dir)

const basics = (env: Env, home: string): Record<string, string> => ({
  ...Object.fromEntries(inherited.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  HOME: home,
})

const offlineEnv = (): Record<string, string> => {
  const env = childEnv(Object.fromEntries(proxies.map((name) => [name, nowhere])))
  return { ...(env as Record<string, string>), GIT_TERMINAL_PROMPT: '0', npm_config_offline: 'true' }
}

/** The same program, and snapshots that are taken as those of the recording were. What Rein learnt is not said. */
const settingsFor = ({ driver, program, include, maxFileBytes }: Recording, env: Env): Record<string, string> => {
  const variable = `REIN_${driver.toUpperCase()}_PATH`
  const own = program !== null && existsSync(program) ? program : env[variable]
  return {
    ...(own === undefined ? {} : { [variable]: own }),
    ...(include === '' ? {} : { REIN_SESSIONS_INCLUDE: include }),
    REIN_SESSIONS_MAX_FILE_BYTES: String(maxFileBytes),
    REIN_MEMORY_ADVISE: 'false',
    // Nobody is in a hurry here, and a hook that is late would be missing.
    REIN_HOOKS_DEADLINE_MS: '4000',
  }
}

const settle = async (home: string, files: Record<string, string>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 })
    await writeFile(path.join(home, name), content, { mode: 0o600 })
  }
}

/** CLIs keep things by directory, under a name that is made of its path. */
const slug = (dir: string): string => dir.replaceAll(/[^a-zA-Z0-9]/g, '-')

const pathsTo = (
  { begin, cwd: from }: Recording,
  { tree, cwd, home }: { tree: string; cwd: string; home: string },
  env: Env,
): PathPair[] => [
  [begin.root, tree],
  ...(from === begin.root ? [] : [[from, cwd] as const]),
  [slug(from), slug(cwd)],
  ...(env['HOME'] === undefined ? [] : [[env['HOME'], home] as const]),
]
