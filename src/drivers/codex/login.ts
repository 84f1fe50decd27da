import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Login } from '../login.ts'
import { homeOf } from './transcript.ts'

export const login: Login = {
  variables: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
  files: (env) => [join(homeOf(env), 'auth.json')],
  // Its configuration can name another provider, or the keyring of the system.
  mayBeElsewhere: (env) => existsSync(join(homeOf(env), 'config.toml')),
  command: 'codex login',
}
