export interface PushFacts {
  /** The browser has service workers and push. */
  isSupported: boolean
  /** https, or this machine. */
  isSecure: boolean
  permission: 'default' | 'granted' | 'denied'
  /** What the browser has, by its endpoint. */
  endpoint: string | null
  /** Where the daemon sends to: the host of the push service; null: nowhere. */
  service: string | null
}

export type PushState =
  | { kind: 'impossible'; why: string }
  | { kind: 'off' }
  | { kind: 'on'; service: string }
  /** One side has it, the other has lost it. */
  | { kind: 'broken' }

export const pushStateOf = ({ isSupported, isSecure, permission, endpoint, service }: PushFacts): PushState => {
  if (!isSecure) return { kind: 'impossible', why: 'Browsers allow notifications only over HTTPS or on this machine.' }
  if (!isSupported)
    return {
      kind: 'impossible',
      why: 'This browser has no push notifications here. On an iPhone or iPad, add the page to the home screen first.',
    }
  if (permission === 'denied')
    return { kind: 'impossible', why: 'This browser blocks notifications of this page: allow them in its settings.' }
  if (service !== null && endpoint !== null && permission === 'granted') return { kind: 'on', service }
  return service === null && endpoint === null ? { kind: 'off' } : { kind: 'broken' }
}
