import { computed, type ReadonlySignal } from '@preact/signals'
import { routes as table, type RouteRow } from '../../client/route-table.ts'
import type { ReinError } from '../../contract/errors.ts'
import type { AllRoutes, RouteName } from '../../contract/routes/all.ts'
import type { Card, OutputOf, RequestOf } from '../../contract/routes/route.ts'
import type { WelcomeDevice } from '../../contract/routes/web.ts'
import type { Scope } from '../../contract/scope.ts'
import { socketPath } from '../../contract/socket-terms.ts'
import { after } from '../parts/after.ts'
import { identify } from './device.ts'
import { type ConnectionState, Link } from './link.ts'

/** Routes that answer once, with nothing before. */
type CallName = {
  [Name in RouteName]: AllRoutes[Name] extends { media: string } | { stream: true } | { progress: true } ? never : Name
}[RouteName]
type StreamName = { [Name in RouteName]: AllRoutes[Name] extends { stream: true } ? Name : never }[RouteName]

type Request<Name extends RouteName> = AllRoutes[Name] extends infer C extends Card ? RequestOf<C> : never
type Output<Name extends RouteName> = AllRoutes[Name] extends infer C extends Card ? OutputOf<C> : never

const usualLimitMs = 30_000

export const link = new Link(
  {
    open: ({ onMessage, onClose }) => {
      const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${socketPath}`)
      socket.addEventListener('message', ({ data }) => onMessage(String(data)))
      socket.addEventListener('close', onClose)
      return socket
    },
    identify,
    after,
    random: Math.random,
  },
  Date.now,
)

export const connection: ReadonlySignal<ConnectionState> = link.state
export const me: ReadonlySignal<WelcomeDevice | null> = link.me
export const isOpen = computed(() => connection.value === 'open')
export const may = (scope: Scope): boolean => me.value?.scopes.includes(scope) ?? false
/** The time as the daemon has it: ages are told by one clock. */
export const now = (): number => Date.now() + link.skewMs.value

/** Asks the daemon. A read is repeated after a break; an act whose answer was lost fails and says so. */
export const call = <Name extends CallName>(name: Name, input: Request<Name>): Promise<Output<Name>> => {
  const { limitMs = usualLimitMs, method }: RouteRow = table[name]
  return link.call({ name, input, limitMs, isRepeatable: method === 'GET' }) as Promise<Output<Name>>
}

interface StreamOptions {
  /** The daemon ended it, with an error or without. Without `onEnd` a stream never ends: it is opened again. */
  onEnd?: (error: ReinError | null) => void
  /** The input to open it with after a break. */
  resume?: () => object
  /** It is asked for, at first and again after a break. */
  onOpen?: () => void
}

/** Follows a stream until the returned function is called; it is opened again after a break. */
export const openStream = <Name extends StreamName>(
  name: Name,
  input: Request<Name>,
  onLine: (line: Output<Name>) => void,
  options: StreamOptions = {},
): (() => void) =>
  link.openStream({
    name,
    input,
    onLine: (line) => onLine(line as Output<Name>),
    ...options,
  })
