import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../client/client.ts'
import { type Env, withoutAgent } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import { offline as claude } from '../../drivers/claude/offline.ts'
import { offline as codex } from '../../drivers/codex/offline.ts'
import { parseObject, textOf } from '../../base/util/json.ts'
import { reinPaths } from '../../base/util/paths.ts'
import { isInstalled } from '../agents/host.ts'

/** Where the demo happens: a home, a project, a scripted model and a daemon of its own. */
export interface Stage {
  home: string
  project: string
  client: Client
  /** The environment for agents: no account, no telemetry, nothing of the user's. */
  agentEnv: Record<string, string>
  /** Resolves when the scripted model waits at this gate. */
  reached: (gate: string) => Promise<void>
  /** Lets the scripted model go on after a WAIT step. */
  release: (gate: string) => void
  /** Ends everything and leaves nothing behind. */
  clear: () => Promise<void>
}

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))

/** A project, and the script of the model in it. */
interface Show {
  project: string
  files: Record<string, string>
  scenario: string
  /** For the daemon, as environment variables. */
  settings?: Record<string, string>
}

/** Plays on a stage and clears it, also after Ctrl-C. */
export const onStage = async (env: Env, show: Show, play: (stage: Stage) => Promise<void>): Promise<void> => {
  let isSeen = false
  // From the beginning on there is something to clear.
  const seen = (async () => {
    await interruption()
    isSeen = true
  })()
  const root = await mkdtemp(join(await realpath(tmpdir()), 'rein-demo-'))
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 5 })
  const stage = await furnish(root, env, show, remove).catch(async (cause: unknown) => {
    await remove()
    throw cause
  })
  try {
    if (!isSeen) await Promise.race([play(stage), seen])
  } finally {
    if (isSeen) process.stderr.write('\nEnding all that was started: this takes some seconds.\n')
    process.on('SIGINT', patience)
    await stage.clear().finally(() => process.off('SIGINT', patience))
  }
}

/** A second Ctrl-C would leave agents behind. */
const patience = (): void => undefined

export const interruption = async (): Promise<void> => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
}

const furnish = async (
  root: string,
  env: Env,
  { project: name, files, scenario, settings = {} }: Show,
  remove: () => Promise<void>,
): Promise<Stage> => {
  const [home, project] = [join(root, 'rein'), join(root, name)]
  await mkdir(home, { mode: 0o700 })
  await writeFiles(project, files)
  const file = join(root, 'scenario.txt')
  await writeFile(file, scenario)
  const program = fileURLToPath(new URL('./sim.js', import.meta.url))
  // Its own process group: Ctrl-C is for the demo, which ends the model last.
  const child = spawn(process.execPath, [program, '--scenario', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const lines = createInterface(child.stdout)
  const nextLine = async (): Promise<string> => ((await once(lines, 'line')) as [string])[0]
  const say = (line: string): void => void child.stdin.write(`${line}\n`)
  const url = textOf(parseObject(await nextLine())?.['url'])
  if (url === null) throw new ReinError('failed', 'The scripted model did not start.')
  const reached = async (gate: string): Promise<void> => {
    say(`await ${gate}`)
    while (parseObject(await nextLine())?.['reached'] !== gate);
  }
  const model = { url, say, reached, end: () => void child.stdin.end() }
  await writeFiles(root, { ...claude.files(model.url, project), ...codex.files(model.url, project) })
  const starts = new Set<Promise<unknown>>()
  const client = countingStarts(daemonAt(home, { ...env, ...settings, ...ownPrograms(env) }), starts)
  return {
    home,
    project,
    client,
    agentEnv: {
      PATH: env['PATH'] ?? '',
      TERM: env['TERM'] ?? 'dumb',
      HOME: root,
      ...claude.env(model.url),
      ...codex.env(model.url),
    },
    reached: (gate) => model.reached(gate),
    release: (gate) => model.say(`release ${gate}`),
    clear: async () => {
      await Promise.allSettled(starts)
      const agents = await client.ps({}).catch(() => [])
      await Promise.allSettled(agents.map(({ handle, cwd }) => client.down({ target: handle, cwd })))
      await client.stop().catch(() => undefined)
      model.end()
      await remove()
    },
  }
}

const writeFiles = async (dir: string, files: Record<string, string>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), content)
  }
}

const daemonAt = (home: string, given: Env): Client => {
  const env = { ...withoutAgent(given), REIN_HOME: home }
  const paths = reinPaths({ env, homedir: homedir(), platform: process.platform, uid: process.getuid?.() ?? 0 })
  return createClient({ paths, env, start: true })
}

/** Clearing waits for agents that are being started: the daemon does not list them yet. */
const countingStarts = (client: Client, starts: Set<Promise<unknown>>): Client => {
  const counted = <T>(start: Promise<T>): Promise<T> => {
    starts.add(start)
    return start
  }
  return {
    ...client,
    up: (input) => counted(client.up(input)),
    orchestrate: (input) => counted(client.orchestrate(input)),
  }
}

/** The CLIs that this checkout installed; elsewhere the user's own are looked for on PATH. */
const ownPrograms = (env: Env): Record<string, string> => {
  const own = {
    REIN_CLAUDE_PATH: '@anthropic-ai/claude-code/bin/claude.exe',
    REIN_CODEX_PATH: '@openai/codex/bin/codex.js',
  }
  return Object.fromEntries(
    Object.entries(own)
      .map(([variable, file]) => [variable, env[variable] ?? join(packageDir, 'node_modules', file)] as const)
      .filter(([, file]) => existsSync(file)),
  )
}

/** Whether a team of two vendors can be shown. */
export const hasCodex = (env: Env): boolean =>
  'REIN_CODEX_PATH' in ownPrograms(env) || isInstalled('codex', env['PATH'] ?? '')
