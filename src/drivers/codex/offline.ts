import type { Offline } from '../contract.ts'

export const offline: Offline = {
  files: (url, cwd) => ({
    '.codex/config.toml': `
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
request_max_retries = 0
stream_max_retries = 0
[projects."${cwd}"]
trust_level = "trusted"
`,
  }),
  env: () => ({ SCRIPTED_KEY: 'dummy' }),
}
