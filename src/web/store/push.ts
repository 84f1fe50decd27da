import { signal } from '@preact/signals'
import { ReinError } from '../../contract/errors.ts'
import { call, isOpen } from '../link/api.ts'
import { hasWorkers, startWorker } from './app-worker.ts'
import { type PushState, pushStateOf } from './push-state.ts'

/** Null while it is looked at. */
export const pushState = signal<PushState | null>(null)
/** Whether notifications say what is asked. */
export const pushShowsDetail = signal(false)

const isSupported = hasWorkers && 'PushManager' in globalThis && 'Notification' in globalThis

const findManager = async (): Promise<PushManager> => {
  await startWorker()
  return (await navigator.serviceWorker.ready).pushManager
}

export const lookAtPush = async (): Promise<void> => {
  const { subscription, showsDetail } = await call('pushKey', {})
  const own = isSupported ? await (await findManager()).getSubscription() : null
  pushShowsDetail.value = showsDetail
  pushState.value = pushStateOf({
    isSupported,
    isSecure: isSecureContext,
    permission: isSupported ? Notification.permission : 'default',
    endpoint: own?.endpoint ?? null,
    service: subscription?.service ?? null,
  })
}

/** Only after a tap: a browser asks the person first. */
export const switchPushOn = async (): Promise<void> => {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') {
    await lookAtPush()
    throw new ReinError('refused', 'The browser did not allow notifications.')
  }
  const { key } = await call('pushKey', {})
  const manager = await findManager()
  // One for another key, of another daemon at this address, could not be used.
  await (await manager.getSubscription())?.unsubscribe()
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint = '', keys = {} } = made.toJSON()
  await call('subscribePush', { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } })
  await lookAtPush()
}

export const switchPushOff = async (): Promise<void> => {
  await call('unsubscribePush', {})
  await dropPush()
  await lookAtPush()
}

/** This browser's end: a service that has lost it tells the daemon. */
const dropPush = async (): Promise<void> => {
  const registration = isSupported ? await navigator.serviceWorker.getRegistration() : undefined
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

/** Also without a connection. */
export const forgetPush = async (): Promise<void> => {
  await dropPush()
  if (isOpen.peek()) await call('unsubscribePush', {})
}

export const testPush = async (): Promise<string> => (await call('testPush', {})).service
