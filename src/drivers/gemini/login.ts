import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Login } from '../login.ts'
import { geminiDirectory, userHome } from './user-home.ts'

export const login: Login = {
  variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
  files: (env) => ['oauth_creds.json', 'gemini-credentials.json'].map((name) => join(geminiDirectory(env), name)),
  mayBeElsewhere: (env) => [geminiDirectory(env), userHome(env)].some((dir) => existsSync(join(dir, '.env'))),
  command: 'gemini',
}
