import path from 'node:path'
import type { z } from 'zod'
import type { Action } from '../../../contract/action.ts'
import type { RuleTest, Surface } from '../../../contract/rule.ts'
import { plainWorld } from '../plain-world.ts'
import type { LoadedRule, Subject, World } from '../types.ts'

export type Test = z.infer<typeof RuleTest>
type Parts = Exclude<Test['input'], string>

const someFile = 'file.txt'
const noon = Date.UTC(2026, 0, 7, 12)

/** The call that a test describes, and the world around it. Of the project nothing is read: only external programs run there. */
export const testCall = (loaded: LoadedRule, { input }: Test, root: string): { subject: Subject; world: World } => {
  const [first = 'shell'] = loaded.surfaces
  const parts = typeof input === 'string' ? toParts(input, first) : input
  const surface = parts.surface ?? loaded.surfaces.find((one) => hasPartsOf(one, parts)) ?? first
  const file = path.resolve(root, parts.path ?? someFile)
  const { branch = null, agent = 'tester', driver = 'claude', before, ran } = parts
  const subject: Subject = {
    surface,
    action: actionFor(surface, parts),
    tool: surface === 'prompt' || surface === 'stop' ? null : (parts.tool ?? surface),
    input: { ...parts },
    prompt: surface === 'prompt' ? (parts.prompt ?? '') : null,
  }
  const world = plainWorld({
    root,
    home: '/home/tester',
    agent: { handle: agent, driver, host: 'stream', isSubagent: false },
    now: () => noon,
    branch: () => Promise.resolve(branch),
    // Without a file before it, an edit is one of a file that holds just what it replaces.
    readFile: (asked) => Promise.resolve(asked === file ? (before ?? parts.old ?? null) : null),
    ran: () => (ran ?? []).map((command) => ({ command, isSuccess: true, isSinceEdit: true, isThisTurn: true })),
    hasEdited: () => true,
  })
  return { subject, world }
}

/** A text alone is what the first surface of the rule is about. */
const toParts = (text: string, surface: Surface): Parts => {
  if (surface === 'shell') return { command: text }
  if (surface === 'read' || surface === 'delete') return { path: text }
  if (surface === 'fetch') return { url: text }
  if (surface === 'mcp') return { tool: text }
  if (surface === 'prompt') return { prompt: text }
  return surface === 'edit' ? { new: text } : { content: text }
}

const hasPartsOf = (surface: Surface, parts: Parts): boolean => {
  const told: Partial<Record<Surface, boolean>> = {
    shell: parts.command !== undefined,
    fetch: parts.url !== undefined,
    prompt: parts.prompt !== undefined,
    mcp: parts.tool !== undefined,
    edit: parts.new !== undefined || parts.old !== undefined,
    write: parts.content !== undefined,
  }
  return told[surface] === true
}

const actionFor = (surface: Surface, parts: Parts): Action | null => {
  const file = parts.path ?? someFile
  if (surface === 'shell') return { kind: 'shell', command: parts.command ?? '', cwd: null }
  if (surface === 'write') return { kind: 'write', path: file, content: parts.content ?? parts.new ?? '' }
  if (surface === 'edit') {
    const replacement = { old: parts.old ?? '', new: parts.new ?? parts.content ?? '', isEverywhere: false }
    return { kind: 'edit', path: file, replacements: [replacement] }
  }
  if (surface === 'delete' || surface === 'read') return { kind: surface, path: file }
  if (surface === 'fetch') return { kind: 'fetch', url: parts.url ?? '' }
  if (surface !== 'mcp') return null
  const [server = '', ...tool] = (parts.tool ?? '').split('/')
  return { kind: 'mcp', server, tool: tool.join('/') }
}
