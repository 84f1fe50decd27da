import { z } from 'zod'

const Installation = z.object({
  manager: z
    .enum(['npm', 'npx', 'volta', 'pnpm', 'bun', 'clone', 'unknown'])
    .describe('how this Rein was installed, as far as its place tells'),
  root: z.string().describe('the directory of the package'),
  upgrade: z.array(z.string()).describe('the commands that bring it up to date'),
  remove: z.string().nullable().describe('the command that removes the package'),
})

const UpgradeOutput = z.object({
  installed: z.string(),
  newest: z.string().nullable().describe('null: npm could not be asked'),
  why: z.string().nullable().describe('why `newest` is not known'),
  installation: Installation,
  upgraded: z.boolean(),
  daemon: z
    .enum(['restarted', 'not running', 'unchanged'])
    .describe('what became of the daemon; agents run on in any case'),
})

const UninstallOutput = z.object({
  isDone: z.boolean().describe('false: what would be done'),
  agents: z.array(z.string()).describe('agents that are ended'),
  files: z.array(z.string()).describe('files of agent CLIs that Rein’s hooks, skills and MCP server are taken out of'),
  refused: z.array(z.string()).describe('files that Rein could not clean, with the reason'),
  service: z.string().nullable().describe('the file of the service that is removed'),
  data: z.array(z.string()).describe('the directories of Rein’s own data'),
  isPurged: z.boolean().describe('whether the data is deleted, too'),
  left: z.array(z.string()).describe('commands that are left to run'),
})

export type InstallationView = z.infer<typeof Installation>
export type UpgradeView = z.infer<typeof UpgradeOutput>
export type UninstallView = z.infer<typeof UninstallOutput>

export const installationOutputs = {
  'rein upgrade': UpgradeOutput,
  'rein uninstall': UninstallOutput,
}
