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

/** The place of a replay: a home, a tree and a daemon of its own, and nothing of the user's but the tree. */
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

/** The variables that say how programs are found and how they print. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM', 'TMPDIR', 'SHELL']
/** A port without a listener: a program that uses the proxy fails at once. */
const nowhere = 'http://127.0.0.1:9'
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])

interface StageOptions {
  modelUrl: string
  env: Env
  /** A directory with rules for agents, in place of the recorded ones. */
  rules: string | null
  /** Paths of the recorded tree that no snapshot has; they are copied as they are now. */
  bring: readonly string[]
}

export const setStage = async (recording: Recording, options: StageOptions): Promise<Stage> => {
  const { begin, at, driver, program, include, maxFileBytes, offline, here } = recording
  const root = await mkdtemp(path.join(await realpath(tmpdir()), 'rein-replay-'))
  const [home, rein, tree] = ['home', 'rein', 'tree'].map((name) => path.join(root, name)) as [string, string, string]
  for (const dir of [home, rein]) await mkdir(dir, { mode: 0o700 })
  const cwd = path.join(tree, at)
  const user = options.env
  const basics = {
    ...Object.fromEntries(inherited.flatMap((name) => (user[name] === undefined ? [] : [[name, user[name]]]))),
    HOME: home,
  }
  const variable = `REIN_${driver.toUpperCase()}_PATH`
  const own = program !== null && existsSync(program) ? program : user[variable]
  // The same program as in the recording, and the same settings for snapshots. Memory gives no advice.
  const daemonEnv = {
    ...basics,
    REIN_HOME: rein,
    ...(own === undefined ? {} : { [variable]: own }),
    ...(include === '' ? {} : { REIN_SESSIONS_INCLUDE: include }),
    ...(maxFileBytes === null ? {} : { REIN_SESSIONS_MAX_FILE_BYTES: String(maxFileBytes) }),
    REIN_MEMORY_ADVISE: 'false',
    // A late hook would be missing, and there is no hurry here.
    REIN_HOOKS_DEADLINE_MS: '4000',
  }
  const places = { env: daemonEnv, homedir: home, platform: process.platform, uid: process.getuid?.() ?? 0 }
  const daemonPaths = reinPaths(places)
  const client = createClient({ paths: daemonPaths, env: daemonEnv, start: true })
  const { state } = daemonPaths
  const clear = async (isKept: boolean): Promise<void> => {
    await client.down({ target: 'replay', cwd }).catch(() => undefined)
    await client.stop().catch(() => undefined)
    if (!isKept) await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await recording.shadow.copy(begin.snapshot, tree, path.join(state, 'snapshots'))
    await mkdir(cwd, { recursive: true })
    for (const one of options.bring) await bringPath(here, tree, one)
    if (options.rules !== null) await bringRules(options.rules, tree)
    for (const [name, content] of Object.entries(offline.files(options.modelUrl, cwd))) {
      await mkdir(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 })
      await writeFile(path.join(home, name), content, { mode: 0o600 })
    }
    await client.hello()
  } catch (cause) {
    await clear(false)
    throw cause
  }
  const proxyEnv = childEnv(Object.fromEntries(proxies.map((name) => [name, nowhere]))) as Record<string, string>
  const env = {
    ...basics,
    ...proxyEnv,
    GIT_TERMINAL_PROMPT: '0',
    npm_config_offline: 'true',
    ...offline.env(options.modelUrl),
  }
  const paths: PathPair[] = [
    [begin.root, tree],
    ...(recording.cwd === begin.root ? [] : [[recording.cwd, cwd] as const]),
    [slug(recording.cwd), slug(cwd)],
    ...(user['HOME'] === undefined ? [] : [[user['HOME'], home] as const]),
  ]
  return { root, cwd, state, client, env, paths, hasOtherRules: options.rules !== null, clear }
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

/** CLIs keep files per directory, under a name made of its path. */
const slug = (dir: string): string => dir.replaceAll(/[^a-zA-Z0-9]/g, '-')
