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
    ...hookEvents('outside').map((event): Deployment => {
      const item = hooksAt(
        event,
        managedCommand(context.hook, 'gemini', event),
        managedCommand(context.guard, 'gemini', event),
      )
      return { kind: 'json-items', path: settings, at: ['hooks', event], items: [item], marker }
    }),
    mcpServerKey(settings, context),
    ...skillDeployments(join(directory, 'skills'), context),
    { kind: 'text-block', path: join(isProject ? context.project : directory, 'GEMINI.md'), text: instructions },
  ]
}
