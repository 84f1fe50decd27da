/** The agent CLIs that the tests run, offline against the scripted model. Their versions are pinned in package.json. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Offline } from '../../src/drivers/contract.ts'
import { findDriver } from '../../src/drivers/registry.ts'

const packages = join(import.meta.dirname, '../../node_modules')

export interface Cli extends Offline {
  name: string
  /** The package that holds it. */
  package: string
  /** The API by which it talks to its model. */
  wire: string
  /** The permission mode in which it asks, where its own default may not. */
  askingMode?: string
  /** The step of a script that makes it ask before it runs a command. */
  asking?(command: string): string
}

/** As Rein itself runs it offline. */
const offlineOf = (name: string): Offline => {
  const { offline } = findDriver(name)
  if (offline === null) throw new Error(`${name} has no profile of its own.`)
  return offline
}

const geminiSettings = JSON.stringify({
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
})

const opencodeConfig = (url: string): string => {
  const options = { baseURL: `${url}/v1`, apiKey: 'dummy' }
  const models = { scripted: { name: 'Scripted', tool_call: true } }
  const provider = { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } }
  const permission = { bash: 'ask' }
  return JSON.stringify({ model: 'scripted/scripted', small_model: 'scripted/scripted', provider, permission })
}

export const clis: readonly Cli[] = [
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    wire: 'anthropic',
    ...offlineOf('claude'),
    askingMode: 'default',
  },
  {
    name: 'codex',
    package: '@openai/codex',
    wire: 'responses',
    ...offlineOf('codex'),
    asking: (cmd) =>
      `CALL:exec_command${JSON.stringify({ cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' })}`,
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    wire: 'chat',
    files: (_, cwd) => ({ '.copilot/config.json': JSON.stringify({ trustedFolders: [cwd] }) }),
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'scripted',
    }),
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    wire: 'gemini',
    files: (_, cwd) => ({
      '.gemini/settings.json': geminiSettings,
      '.gemini/trustedFolders.json': JSON.stringify({ [cwd]: 'TRUST_FOLDER' }),
    }),
    env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    wire: 'chat',
    files: (url) => ({ '.config/opencode/opencode.json': opencodeConfig(url) }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      npm_config_fetch_retries: '0',
      // It installs a package at its start; here that is refused at once.
      npm_config_registry: 'http://127.0.0.1:9',
    }),
  },
]

export const cliNamed = (name: string): Cli => {
  const found = clis.find((cli) => cli.name === name)
  if (found === undefined) throw new Error(`There is no CLI ${name}.`)
  return found
}

interface Manifest {
  version: string
  bin: Record<string, string>
}

const manifestOf = (cli: Cli, directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, cli.package, 'package.json'), 'utf8')) as Manifest

/** The package's only program: its place changes from version to version. */
export const programOf = (cli: Cli, directory = packages): string =>
  join(directory, cli.package, Object.values(manifestOf(cli, directory).bin)[0] ?? '')

export const pinnedVersion = (cli: Cli): string => manifestOf(cli, packages).version

export const driverOf = (cli: Cli) => findDriver(cli.name)

/** Copilot unpacks itself into the cache of every new home: all of them share one. */
const sharedCache = join(tmpdir(), `rein-test-cache-${process.getuid?.() ?? 0}`)

/** Makes a home for a CLI: its files, and nothing of this machine's user. */
export const settle = async (cli: Cli, home: string, url: string, cwd: string): Promise<void> => {
  for (const [name, content] of Object.entries(cli.files(url, cwd))) {
    await mkdir(join(home, dirname(name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
  await mkdir(sharedCache, { recursive: true, mode: 0o700 })
  if (!existsSync(join(home, '.cache'))) await symlink(sharedCache, join(home, '.cache'))
}

export const envOf = (cli: Cli, home: string, url: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  ...cli.env(url),
})
