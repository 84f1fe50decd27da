import { join } from 'node:path'
import type { Deployment, SetupContext } from '../contract.ts'
import { instructions, managedCommand, marker, mcpServerKey, skillDeployments } from '../deployed.ts'
import { hookEvents } from './capabilities.ts'
import { hooksAt } from './settings.ts'
import { geminiDirectory } from './user-home.ts'

/** All of it works in a trusted folder alone: the CLI asks for that when it is started there. */
export const deployment = (context: SetupContext): Deployment[] => {
  const isProject = context.scope === 'project'
  const directory = isProject ? join(context.project, '.gemini') : geminiDirectory(context.env)
  const settings = join(directory, 'settings.json')
  return [
    ...hookEvents('outside').map((event) => hook(settings, event, context)),
    mcpServerKey(settings, context),
    ...skillDeployments(join(directory, 'skills'), context),
    { kind: 'text-block', path: join(isProject ? context.project : directory, 'GEMINI.md'), text: instructions },
  ]
}

const hook = (path: string, event: string, { hook: client, guard }: SetupContext): Deployment => {
  const item = hooksAt(event, managedCommand(client, 'gemini', event), managedCommand(guard, 'gemini', event))
  return { kind: 'json-items', path, at: ['hooks', event], items: [item], marker }
}
