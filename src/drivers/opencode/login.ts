import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Login } from '../login.ts'

export const login: Login = {
  variables: [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GITHUB_TOKEN',
    'OPENCODE_API_KEY',
  ],
  files: (env) => [
    join(env['XDG_DATA_HOME'] || join(env['HOME'] ?? homedir(), '.local', 'share'), 'opencode', 'auth.json'),
  ],
  // It has models that need no login, and its configuration can name any provider.
  mayBeElsewhere: () => true,
  command: 'opencode auth login',
}
