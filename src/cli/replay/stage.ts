import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import { reinPaths } from '../../base/util/paths.ts'
import { childEnv } from '../../base/util/proxy-env.ts'
import type { PathPair } from './paths.ts'
import type { Recording } from './recording.ts'
import { bringRules } from './rules.ts'

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
  /** Whether it has other rules than the recording. */
  hasOtherRules: boolean
  /** Ends everything; unless it is kept, nothing stays. */
  clear(isKept: boolean): Promise<void>
}

/** What of the user's environment says how programs are found and what they print. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM', 'TMPDIR', 'SHELL']
/** Nobody listens there: whatever asks for a proxy is refused at once. */
const nowhere = 'http://127.0.0.1:9'
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])

export interface StageOptions {
  modelUrl: string
  env: Env
  /** Where to take the rules for agents from, in place of the recorded ones. */
  rules: string | null
  /** Paths of the recorded tree that no snapshot has: they are copied as they are now. */
  bring: readonly string[]
}

/** The directories of a stage. */
interface Place {
  root: string
  home: string
  rein: string
  tree: string
  cwd: string
}

export const setStage = async (recording: Recording, options: StageOptions): Promise<Stage> => {
  const place = await makePlace(recording)
  const { root, cwd, home } = place
  const { client, state } = daemonAt(place, recording, options.env)
  const clear = async (isKept: boolean): Promise<void> => {
    await client.down({ target: 'replay', cwd }).catch(() => undefined)
    await client.stop().catch(() => undefined)
    if (!isKept) await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await fill(place, state, recording, options)
    await client.hello()
  } catch (cause) {
    await clear(false)
    throw cause
  }
  const env = { ...basics(options.env, home), ...offlineEnv(), ...recording.offline.env(options.modelUrl) }
  const paths = pathsTo(recording, place, options.env)
  return { root, cwd, state, client, env, paths, hasOtherRules: options.rules !== null, clear }
}

const makePlace = async ({ at }: Recording): Promise<Place> => {
  const root = await mkdtemp(path.join(await realpath(tmpdir()), 'rein-replay-'))
  const [home, rein, tree] = ['home', 'rein', 'tree'].map((name) => path.join(root, name)) as [string, string, string]
  for (const dir of [home, rein]) await mkdir(dir, { mode: 0o700 })
  return { root, home, rein, tree, cwd: path.join(tree, at) }
}

const daemonAt = ({ home, rein }: Place, recording: Recording, given: Env): { client: Client; state: string } => {
  const env = { ...basics(given, home), REIN_HOME: rein, ...settingsFor(recording, given) }
  const paths = reinPaths({ env, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 })
  return { client: createClient({ paths, env, start: true }), state: paths.state }
}

const fill = async (
  { tree, cwd, home }: Place,
  state: string,
  { shadow, begin, offline, here }: Recording,
  { modelUrl, rules, bring }: StageOptions,
): Promise<void> => {
  await shadow.copy(begin.snapshot, tree, path.join(state, 'snapshots'))
  await mkdir(cwd, { recursive: true })
  for (const one of bring) await bringPath(here, tree, one)
  if (rules !== null) await bringRules(rules, tree)
  for (const [name, content] of Object.entries(offline.files(modelUrl, cwd))) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 })
    await writeFile(path.join(home, name), content, { mode: 0o600 })
  }
}

/** Nothing from outside of the tree, and nothing that the snapshot has already. */
const bringPath = async (from: string | null, to: string, given: string): Promise<void> => {
  if (from === null)
    throw new ReinError('not_found', `There is no ${given}: the work tree is not here.`, 'Do this in a clone of it.')
  const name = path.relative(from, path.resolve(from, given))
  if (name === '' || name.startsWith('..') || !existsSync(path.join(from, name)))
    throw new ReinError('not_found', `There is no ${given} in ${from}.`)
  if (existsSync(path.join(to, name))) return
  await cp(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true })
}

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
    ...(maxFileBytes === null ? {} : { REIN_SESSIONS_MAX_FILE_BYTES: String(maxFileBytes) }),
    REIN_MEMORY_ADVISE: 'false',
    // Nobody is in a hurry here, and a hook that is late would be missing.
    REIN_HOOKS_DEADLINE_MS: '4000',
  }
}

/** CLIs keep things by directory, under a name that is made of its path. */
const slug = (dir: string): string => dir.replaceAll(/[^a-zA-Z0-9]/g, '-')

const pathsTo = ({ begin, cwd: from }: Recording, { tree, cwd, home }: Place, env: Env): PathPair[] => [
  [begin.root, tree],
  ...(from === begin.root ? [] : [[from, cwd] as const]),
  [slug(from), slug(cwd)],
  ...(env['HOME'] === undefined ? [] : [[env['HOME'], home] as const]),
]
