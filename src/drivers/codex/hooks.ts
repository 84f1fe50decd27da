import { createHash } from 'node:crypto'
import { guardTimeoutSeconds } from '../guard.ts'
import { setting } from './settings.ts'

/** Codex fires no hook but `Interrupt` at an Esc: that one says nothing that the screen does not. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
] as const

type NativeEvent = (typeof hookEvents)[number]

interface Handler {
  type: 'command'
  command: string
  timeout: number
  additionalContextLimit?: number
}

/** Elsewhere Codex forgets the limit, and the hash would be another one. */
const withContext: readonly NativeEvent[] = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
]

/** The client has its own, much shorter deadlines. Context over the limit is cut; 0 is none. */
export const handler = (event: NativeEvent, command: string): Handler => ({
  type: 'command',
  command,
  timeout: event === 'SessionEnd' ? 3 : 5,
  ...(withContext.includes(event) ? { additionalContextLimit: 0 } : {}),
})

/** The guard comes after the client, so that a hash that was trusted before keeps its index. */
export const handlersFor = (event: NativeEvent, { client, guard }: Commands): Handler[] => [
  handler(event, client(event)),
  ...(event === 'PreToolUse' ? [{ ...handler(event, guard(event)), timeout: guardTimeoutSeconds }] : []),
]

/** What is run at an event. */
interface Commands {
  client: (event: string) => string
  guard: (event: string) => string
}

/**
 * Hooks for one run, trusted one by one by the hash that Codex itself would keep of them: its flag that switches trust
 * off would also run unreviewed hooks of a repository.
 */
export const hookSettings = (commands: Commands): string[] => {
  const all = hookEvents.map((event) => ({ event, handlers: handlersFor(event, commands) }))
  const trusted = all.flatMap(({ event, handlers }) =>
    handlers.map((one, at) => [
      `/<session-flags>/config.toml:${snakeCase(event)}:0:${at}`,
      { trusted_hash: trustedHash(event, one) },
    ]),
  )
  return [
    ...all.flatMap(({ event, handlers }) => setting(`hooks.${event}`, [{ hooks: handlers }])),
    ...setting('hooks.state', Object.fromEntries(trusted)),
  ]
}

/** As Codex computes it: of the canonical JSON of the event and its one handler. */
export const trustedHash = (event: NativeEvent, one: Handler): string => {
  const entries = Object.entries({ ...one, async: false }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const canonical = JSON.stringify({ event_name: snakeCase(event), hooks: [Object.fromEntries(entries)] })
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`
}

const snakeCase = (event: string): string => event.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
