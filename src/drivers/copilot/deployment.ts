import { join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { instructions, managedCommand, mcpServerKey, skillDeployments } from '../deployed.ts'
import { hooksFile } from './assets.ts'
import { hookEvents } from './capabilities.ts'
import { configDirectory } from './transcript.ts'

/** A project's hooks run once its folder is trusted, the user's own always. */
export const deployment = (context: SetupContext): Deployment[] => {
  const isProject = context.scope === 'project'
  const directory = isProject ? join(context.project, '.github') : configDirectory(context.env)
  return [
    {
      kind: 'file',
      path: join(directory, 'hooks', 'rein.json'),
      content: `${JSON.stringify(
        hooksFile(
          hookEvents('outside'),
          (event) => managedCommand(context.hook, 'copilot', event),
          (event) => managedCommand(context.guard, 'copilot', event),
        ),
        null,
        2,
      )}\n`,
      executable: false,
    },
    ...skillDeployments(join(directory, 'skills'), context),
    { kind: 'text-block', path: join(directory, 'copilot-instructions.md'), text: instructions },
    mcpServerKey(isProject ? join(context.project, '.mcp.json') : join(directory, 'mcp-config.json'), context),
  ]
}
