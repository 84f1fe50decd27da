import { shortId } from '../contract/ids.ts'
import { briefly } from './brief.ts'
import type { CliContext } from './context.ts'
import { packNames, rulesHere } from './rules/rules-here.ts'
import { readDocsPages } from './system/docs-pages.ts'

/* A shell waits for these at each Tab, so a slow daemon counts as none. */

export const handles = async ({ connect }: CliContext): Promise<string[]> =>
  (await connect(briefly).ps({ all: false })).map(({ handle }) => handle)

export const directives = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).inbox({ cwd: cwd(), all: false })).map(({ id }) => shortId(id))

export const devices = async ({ connect }: CliContext): Promise<string[]> =>
  (await connect(briefly).devices({ all: false })).map(({ name }) => name)

export const channels = async ({ connect }: CliContext): Promise<string[]> =>
  (await connect(briefly).channels()).channels.map(({ name }) => name)

export const rooms = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).rooms({ cwd: cwd() })).map(({ name }) => name)

export const tasks = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).tasks({ cwd: cwd() })).map(({ name }) => name)

export const leases = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).leases({ cwd: cwd() })).map(({ glob }) => glob)

export const events = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).events({ cwd: cwd() })).events.map(({ id }) => shortId(id))

/** Handles come first: they are what people usually type. */
export const sessions = async (context: CliContext): Promise<string[]> => {
  const client = context.connect(briefly)
  const [agents, listed] = await Promise.all([handles(context), client.sessions({ cwd: context.cwd() })])
  return [...new Set([...agents, ...listed.map(({ agent }) => agent)]), ...listed.map(({ id }) => id)]
}

export const notes = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).notes({ cwd: cwd() })).notes.map(({ name }) => name)

export const proposals = async ({ connect, cwd }: CliContext): Promise<string[]> =>
  (await connect(briefly).proposedNotes({ cwd: cwd() })).map(({ name }) => name)

export const settings = async (): Promise<string[]> =>
  (await import('../base/config/settings.ts')).settings.map(({ key }) => key)

export const packs = async (): Promise<string[]> => [...(await packNames())]

export const templates = async (): Promise<string[]> => (await import('../features/rules/templates.ts')).templateNames()

export const rules = async (context: CliContext): Promise<string[]> =>
  (await rulesHere(context)).set.rules.map(({ rule }) => rule.name)

export const docsTopics = async (): Promise<string[]> => readDocsPages().map(({ topic }) => topic)
