import { createHash } from 'node:crypto'
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

/**
 * Hooks for one run, trusted one by one by the hash that Codex itself would keep of them: its flag that switches trust
 * off would also run what a repository brings along and nobody has reviewed.
 */
export const hookSettings = (commandFor: (event: string) => string): string[] => {
  const handlers = hookEvents.map((event) => ({ event, handler: handler(event, commandFor(event)) }))
  const trusted = handlers.map((one) => [
    `/<session-flags>/config.toml:${snakeCase(one.event)}:0:0`,
    { trusted_hash: trustedHash(one.event, one.handler) },
  ])
  return [
    ...handlers.flatMap((one) => setting(`hooks.${one.event}`, [{ hooks: [one.handler] }])),
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
