import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import type { PrivateFile } from '../../contract/host.ts'
import type { LaunchContext } from '../contract.ts'
import { instructions } from '../deployed.ts'
import { listNames } from '../files.ts'
import { agentSettings, instructionsFile } from './settings.ts'
import { geminiDirectory, readSettings, userHome } from './user-home.ts'

/**
 * The CLI's own records, which it keeps for each home: as soon as another process of it starts in the same project, it
 * deletes conversations there that have no prompt yet, or that were resumed.
 */
const notLinked = ['tmp', 'history', 'projects.json', 'state.json', 'settings.json']

/** The home of one agent's CLI: Rein's settings, and links to everything else of the user's, which only the CLI reads. */
export const privateHome = (request: LaunchRequest, context: LaunchContext): PrivateFile[] => {
  const theirs = geminiDirectory(context.env)
  const ours = join(context.private, '.gemini')
  const skills = join('.agents', 'skills')
  const settings = agentSettings(readSettings(theirs), context)
  return [
    ...links(theirs, ours).filter(({ path }) => !notLinked.includes(basename(path))),
    // The CLI looks for skills in two places: one is the user's, in the other Rein's are beside the user's.
    ...links(join(userHome(context.env), skills), join(context.private, skills)),
    ...links(join(context.assets, 'skills'), join(context.private, skills)),
    { path: join(ours, 'settings.json'), content: `${JSON.stringify(settings, null, 2)}\n` },
    { path: join(ours, instructionsFile), content: `${[instructions, request.system].filter(Boolean).join('\n\n')}\n` },
  ]
}

/** A directory that the CLI has made there by itself stays: it may hold something. */
const links = (from: string, to: string): { path: string; linkTo: string }[] =>
  listNames(from)
    .map((name) => ({ path: join(to, name), linkTo: join(from, name) }))
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
