import { briefly } from './brief.ts'
import type { CliContext } from './context.ts'
import { packNames, rulesHere } from './rules/rules-here.ts'

/* A shell waits for these at each Tab, so a slow daemon counts as none. */

export const handles = async (context: CliContext): Promise<string[]> => {
  const agents = await context.connect(briefly).ps({ all: false })
  return agents.map(({ handle }) => handle)
}

export const directives = async (context: CliContext): Promise<string[]> => {
  const items = await context.connect(briefly).inbox({ cwd: context.cwd(), all: false })
  return items.map(({ id }) => id)
}

export const channels = async (context: CliContext): Promise<string[]> => {
  const listed = await context.connect(briefly).channels()
  return listed.channels.map(({ name }) => name)
}

export const rooms = async (context: CliContext): Promise<string[]> => {
  const listed = await context.connect(briefly).rooms({ cwd: context.cwd() })
  return listed.map(({ name }) => name)
}

export const tasks = async (context: CliContext): Promise<string[]> => {
  const listed = await context.connect(briefly).tasks({ cwd: context.cwd() })
  return listed.map(({ name }) => name)
}

export const leases = async (context: CliContext): Promise<string[]> => {
  const held = await context.connect(briefly).leases({ cwd: context.cwd() })
  return held.map(({ glob }) => glob)
}

export const events = async (context: CliContext): Promise<string[]> => {
  const open = await context.connect(briefly).events({ cwd: context.cwd() })
  return open.events.map(({ id }) => id)
}

/** Handles first: they are what is usually typed. */
export const sessions = async (context: CliContext): Promise<string[]> => {
  const client = context.connect(briefly)
  const [agents, listed] = await Promise.all([handles(context), client.sessions({ cwd: context.cwd() })])
  return [...new Set([...agents, ...listed.map(({ agent }) => agent)]), ...listed.map(({ id }) => id)]
}

export const notes = async (context: CliContext): Promise<string[]> => {
  const listed = await context.connect(briefly).notes({ cwd: context.cwd() })
  return listed.notes.map(({ name }) => name)
}

export const proposals = async (context: CliContext): Promise<string[]> => {
  const open = await context.connect(briefly).proposedNotes({ cwd: context.cwd() })
  return open.map(({ name }) => name)
}

export const settings = async (): Promise<string[]> => {
  const table = await import('../base/config/settings.ts')
  return table.settings.map(({ key }) => key)
}

export const packs = async (): Promise<string[]> => [...(await packNames())]

export const templates = async (): Promise<string[]> => (await import('../features/rules/templates.ts')).templateNames()

export const rules = async (context: CliContext): Promise<string[]> =>
  (await rulesHere(context)).set.rules.map(({ rule }) => rule.name)
