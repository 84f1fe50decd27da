import { emptyReply, type HookCall } from '../../../contract/hooks.ts'
import type { Surface } from '../../../contract/rule.ts'
import type { Driver } from '../../../drivers/contract.ts'
import { type ToolKind, toolsOfKind } from '../../../drivers/tool-kinds.ts'
import { escaped } from './literals.ts'

/** The kinds of tools that the prefilter distinguishes, by the name of the tool. */
export type GuardKind = 'shell' | 'change' | 'read' | 'fetch' | 'mcp' | 'none'

/** Null for a tool that may be of any kind, like an unknown one: it has no entry. */
const guardKinds: Readonly<Record<ToolKind, GuardKind | null>> = {
  shell: 'shell',
  poll: 'shell',
  change: 'change',
  read: 'read',
  fetch: 'fetch',
  wait: 'none',
  agent: 'none',
  delegate: 'none',
  none: 'none',
  any: null,
}

/** The kinds of tools that can bring about what a rule looks at; a patch may also be given to a shell. */
export const kindOfSurface: Partial<Record<Surface, GuardKind>> = {
  shell: 'shell',
  write: 'change',
  edit: 'change',
  delete: 'change',
  read: 'read',
  fetch: 'fetch',
  mcp: 'mcp',
}

/** The rows of the guard file for a CLI: its tools by kind, and its form of a denial. */
export const driverRows = (driver: Driver): string[][] => [
  ...toolPatterns(driver).map((pattern) => ['tools', driver.name, ...pattern]),
  ...denialForms(driver).map((form) => ['denial', driver.name, form]),
]

/** An expression for each kind, on the name of a tool in lower case. */
const toolPatterns = (driver: Driver): [GuardKind, string][] => {
  const names = new Map<GuardKind, string[]>()
  for (const [kind, guardKind] of Object.entries(guardKinds)) {
    const more = guardKind === null ? [] : toolsOfKind(driver, kind as ToolKind)
    if (guardKind !== null && more.length > 0) names.set(guardKind, [...(names.get(guardKind) ?? []), ...more])
  }
  const own = Array.from(names, ([kind, all]): [GuardKind, string] => [kind, `^(${all.map(inLower).join('|')})$`])
  const prefix = driver.tools.mcp?.prefix ?? ''
  // Without a prefix a tool of a server looks like an unknown tool.
  return prefix === '' ? own : [...own, ['mcp', `^${inLower(prefix)}`]]
}

const inLower = (name: string): string => escaped(name.toLowerCase())

/** `bin/rein-guard` puts the name of the hook and the reason into these places. */
const [eventPlace, reasonPlace] = ['@event@', '@reason@']

/** None for a CLI that takes no denial in words: then the guard denies by its exit code alone. */
const denialForms = ({ name, hooks, minVersion }: Driver): string[] => {
  const call: HookCall = { ...toolCall, driver: name, native: eventPlace }
  const reply = { ...emptyReply, decision: { kind: 'deny' as const, reason: reasonPlace } }
  const form = JSON.stringify(hooks.encode(call, reply, minVersion)) ?? ''
  return form.includes(reasonPlace) ? [form] : []
}

const toolCall = {
  event: 'before_tool',
  agent: null,
  pid: null,
  conversation: null,
  transcript: null,
  cwd: null,
  subagent: null,
  tools: [],
  prompt: null,
  source: null,
  question: null,
  raw: null,
} as const satisfies Partial<HookCall>
