import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import type { PrivateFile } from '../../contract/host.ts'
import type { LaunchContext } from '../contract.ts'
import { instructions } from '../deployed.ts'
import { agentSettings, instructionsFile } from './settings.ts'
import { ensureConversations, geminiDirectory, namesIn, readSettings, userHome } from './user-home.ts'

/** The CLI replaces its list of projects as a whole, which would cut the link. */
const notLinked = /^(settings|projects)\.json/

/**
 * The home of one agent's CLI: Rein's settings, and for everything else (login, conversations, commands …) links to the
 * user's own files, which only the CLI reads.
 */
export const privateHome = (request: LaunchRequest, context: LaunchContext): PrivateFile[] => {
  const theirs = geminiDirectory(context.env)
  const ours = join(context.private, '.gemini')
  ensureConversations(theirs)
  const settings = agentSettings(readSettings(theirs), context)
  return [
    ...links(theirs, ours).filter(({ path }) => !notLinked.test(path.slice(ours.length + 1))),
    ...skillLinks(context),
    { path: join(ours, 'settings.json'), content: `${JSON.stringify(settings, null, 2)}\n` },
    { path: join(ours, instructionsFile), content: `${[instructions, request.system].filter(Boolean).join('\n\n')}\n` },
  ]
}

/** The CLI looks for skills in two places: one is the user's as it is, in the other Rein's stand beside the user's. */
const skillLinks = (context: LaunchContext): PrivateFile[] => {
  const skills = join('.agents', 'skills')
  const ours = join(context.private, skills)
  return [...links(join(userHome(context.env), skills), ours), ...links(join(context.assets, 'skills'), ours)]
}

/** A directory that the CLI has made there by itself stays: it may hold something. */
const links = (from: string, to: string): { path: string; linkTo: string }[] =>
  namesIn(from)
    .map((name) => ({ path: join(to, name), linkTo: join(from, name) }))
    .filter(({ path }) => !isDirectory(path))

const isDirectory = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
