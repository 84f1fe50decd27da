import { programAsset } from '../asset-files.ts'
import type { Asset, AssetContext } from '../contract.ts'
import { freeTools } from '../free-tools.ts'
import { guardProgram } from '../guard.ts'
import { skillFiles } from '../skills.ts'

/** An agent may always answer Rein and its team; everything else stays as the user configured it. */
const policy = `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["rein ack", "rein inbox read"]
decision = "allow"
priority = 100

[[rule]]
mcpName = "rein"
toolName = ${JSON.stringify(freeTools)}
decision = "allow"
priority = 100
`

/** What each agent's private home points to; its settings are the agent's own. */
export const assets = (context: AssetContext): Asset[] => [
  ...['rein-hook', guardProgram].map((name) => programAsset(context.programs, name)),
  { path: 'policies/rein.toml', content: policy, executable: false },
  ...skillFiles(context.skills, 'skills'),
]
