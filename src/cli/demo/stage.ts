import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../client/client.ts'
import type { Env } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import { parseObject, textOf } from '../../util/ndjson.ts'
import { reinPaths } from '../../util/paths.ts'
import { scenario } from './story.ts'

/** Where the demo happens: a home, a project, a scripted model and a daemon of its own. */
export interface Stage {
  home: string
  project: string
  modelUrl: string
  client: Client
  /** The environment for the agent: no account, no telemetry, nothing of the user's. */
  agentEnv: Record<string, string>
  /** Resolves when the scripted model waits at this gate. */
  reached: (gate: string) => Promise<void>
  /** Lets the scripted model go on after a WAIT step. */
  release: (gate: string) => void
  /** Ends everything and leaves nothing behind. */
  clear: () => Promise<void>
}

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)))

export const setStage = async (env: Env): Promise<Stage> => {
  const root = await mkdtemp(join(tmpdir(), 'rein-demo-'))
  const home = join(root, 'rein')
  const project = join(root, 'greeter')
  await mkdir(home, { mode: 0o700 })
  await mkdir(project)
  await writeFile(join(project, 'greeting.txt'), 'Good morning\n')
  const model = await startModel(root)
  const daemonEnv = { ...env, REIN_HOME: home, REIN_CLAUDE_PATH: env['REIN_CLAUDE_PATH'] ?? ownClaude() }
  const paths = reinPaths({
    env: daemonEnv,
    homedir: homedir(),
    platform: process.platform,
    uid: process.getuid?.() ?? 0,
  })
  const client = createClient({ paths, env: daemonEnv, start: true })
  return {
    home,
    project,
    modelUrl: model.url,
    client,
    agentEnv: agentEnv(env, root, model.url),
    reached: (gate) => model.reached(gate),
    release: (gate) => model.say(`release ${gate}`),
    clear: async () => {
      await client.down({ target: 'worker-1', cwd: project }).catch(() => undefined)
      await client.stop().catch(() => undefined)
      model.end()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** The Claude Code that this checkout installed; elsewhere the user's own is looked for on PATH. */
const ownClaude = (): string | undefined => {
  const path = join(packageDir, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe')
  return existsSync(path) ? path : undefined
}

const agentEnv = (env: Env, home: string, modelUrl: string): Record<string, string> => ({
  PATH: env['PATH'] ?? '',
  TERM: env['TERM'] ?? 'dumb',
  HOME: home,
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: 'sk-ant-scripted',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  IS_SANDBOX: '1',
})

interface Model {
  url: string
  say(line: string): void
  reached(gate: string): Promise<void>
  end(): void
}

const startModel = async (root: string): Promise<Model> => {
  const file = join(root, 'scenario.txt')
  await writeFile(file, scenario)
  const program = fileURLToPath(new URL('./sim.js', import.meta.url))
  const child = spawn(process.execPath, [program, '--scenario', file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const nextLine = async (): Promise<string> => ((await once(lines, 'line')) as [string])[0]
  const say = (line: string): void => void child.stdin.write(`${line}\n`)
  const url = textOf(parseObject(await nextLine())?.['url'])
  if (url === null) throw new ReinError('failed', 'The scripted model did not start.')
  const reached = async (gate: string): Promise<void> => {
    say(`await ${gate}`)
    while (parseObject(await nextLine())?.['reached'] !== gate);
  }
  return { url, say, reached, end: () => void child.stdin.end() }
}
