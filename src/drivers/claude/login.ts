import { join } from 'node:path'
import type { Login } from '../login.ts'
import { readSettingsFile } from './settings.ts'
import { configDirectory } from './transcript.ts'

const variables = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
] as const

/** Settings can name a program that prints the key, or set the variables. */
const namedInSettings = new RegExp(`"(apiKeyHelper|${variables.join('|')})"`)

export const login: Login = {
  variables,
  files: (env) => [join(configDirectory(env), '.credentials.json')],
  // macOS keeps it in the keychain.
  mayBeElsewhere: (env) =>
    process.platform === 'darwin' ||
    namedInSettings.test(readSettingsFile(join(configDirectory(env), 'settings.json'))),
  command: 'claude auth login',
}
