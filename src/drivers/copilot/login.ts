import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Login } from '../login.ts'
import { configDirectory } from './transcript.ts'

export const login: Login = {
  variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
  files: (env) => [
    join(
      env['GH_CONFIG_DIR'] || join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'gh'),
      'hosts.yml',
    ),
  ],
  // It keeps the token in the keyring of the system or in its configuration, which holds other things, too.
  mayBeElsewhere: (env) => existsSync(join(configDirectory(env), 'config.json')),
  command: 'copilot login',
}
