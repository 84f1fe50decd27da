import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startSim } from '../../src/sim/server.ts'

const bin = join(import.meta.dirname, '../../node_modules/.bin')

interface Cli {
  name: string
  wire: string
  /** Files of its home. */
  files: (url: string) => Record<string, string>
  env: (url: string) => Record<string, string>
  args: (prompt: string) => string[]
  /** It takes the prompt on its standard input. */
  stdin?: true
}

const codexConfig = (url: string): string => `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[features]
plugins = false
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`

const opencodeConfig = (url: string): string => {
  const options = { baseURL: `${url}/v1`, apiKey: 'dummy' }
  const models = { scripted: { name: 'Scripted', tool_call: true } }
  const provider = { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } }
  return JSON.stringify({ model: 'scripted/scripted', small_model: 'scripted/scripted', provider })
}

const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
}

const CLIS: Cli[] = [
  {
    name: 'codex',
    wire: 'responses',
    files: (url) => ({ '.codex/config.toml': codexConfig(url) }),
    env: () => ({ SCRIPTED_KEY: 'dummy' }),
    args: (prompt) => ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  },
  {
    name: 'copilot',
    wire: 'chat',
    files: () => ({}),
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'scripted',
    }),
    args: (prompt) => ['-p', prompt, '--allow-all-tools', '--output-format', 'json'],
  },
  {
    name: 'gemini',
    wire: 'gemini',
    files: () => ({ '.gemini/settings.json': JSON.stringify(geminiSettings) }),
    env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    args: (prompt) => ['-p', prompt, '--yolo', '-o', 'stream-json'],
  },
  {
    name: 'opencode',
    wire: 'chat',
    files: (url) => ({ '.config/opencode/opencode.json': opencodeConfig(url) }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      npm_config_fetch_retries: '0',
    }),
    args: () => ['run', '--format', 'json'],
    stdin: true,
  },
]

test.each(CLIS)('a real $name plays a script of the scripted model', async (cli) => {
  const sim = await startSim()
  onTestFinished(() => sim.close())
  const home = await mkdtemp(join(tmpdir(), 'rein-sim-'))
  onTestFinished(() => rm(home, { recursive: true, maxRetries: 5 }))
  await prepare(home, cli.files(sim.url))
  const script = 'RUN:echo one ;; PAR:RUN:echo two && RUN:echo three ;; SAY:all done'
  const output = await run(cli, script, { url: sim.url, home })

  const work = sim.requests.filter(({ isMain }) => isMain)
  expect(work.map(({ reply }) => reply)).toEqual(script.split(' ;; '))
  expect(work.map(({ wire }) => wire)).toEqual([cli.wire, cli.wire, cli.wire])
  expect(work[1]?.newText).toContain('one')
  expect(work[2]?.newText).toMatch(/two[^]*three/)
  expect(output).toMatch(/all( done|[^]*" done)/)
})

const prepare = async (home: string, files: Record<string, string>): Promise<void> => {
  await mkdir(join(home, 'project'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(home, dirname(name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
}

const run = async (cli: Cli, prompt: string, { url, home }: { url: string; home: string }): Promise<string> => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...cli.env(url) }
  const child = spawn(join(bin, cli.name), cli.args(prompt), { cwd: join(home, 'project'), env })
  child.stdin.end(cli.stdin === true ? prompt : '')
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return `${out}\n${problems}`
}
