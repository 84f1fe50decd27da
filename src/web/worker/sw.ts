import { after } from '../parts/after.ts'
import { decideFetch } from './decide-fetch.ts'
import {
  awaitOutcome,
  decideClick,
  failureOf,
  notificationOf,
  type NoticeData,
  type PageReply,
  readMessage,
} from './notification.ts'
import type { WorkerScope } from './scope.ts'

/** Set by the build: the files of the page, and a hash of them. */
declare const __SHELL_FILES__: readonly string[]
declare const __SHELL_HASH__: string

const worker = self as unknown as WorkerScope
const cacheName = `rein-${__SHELL_HASH__}`
const shellPath = '/'

worker.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName)
      await cache.addAll([shellPath, ...__SHELL_FILES__])
      await worker.skipWaiting()
    })(),
  )
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await removeOldFiles()
      await worker.clients.claim()
    })(),
  )
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const from = decideFetch(request, worker.location.origin)
  if (from === 'shell') {
    event.respondWith(fetchShell(request))
    event.waitUntil(removeOldFiles())
  } else if (from === 'asset') event.respondWith(fetchAsset(request))
})

/** A page that is still open loads more files of its own build, which the daemon may not have any more. */
const removeOldFiles = async (): Promise<void> => {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length > 0) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
}

const findShell = async (): Promise<Response | undefined> => (await caches.open(cacheName)).match(shellPath)

/** The page of the daemon that runs; while none answers, the page says so itself. A proxy answers in its place. */
const fetchShell = async (request: Request): Promise<Response> => {
  try {
    const response = await fetch(request)
    return response.status < 500 ? response : ((await findShell()) ?? response)
  } catch (cause) {
    const kept = await findShell()
    if (kept !== undefined) return kept
    throw cause
  }
}

const fetchAsset = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request)

worker.addEventListener('push', (event) => {
  const message = readMessage(event.data?.text() ?? '')
  event.waitUntil(worker.registration.showNotification(message.title, notificationOf(message)))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(onClick(event.action, event.notification.data as NoticeData))
})

const onClick = async (action: string, data: NoticeData): Promise<void> => {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0]
  const message = decideClick(action, data, { hasPage: page !== undefined, now: Date.now() })
  if (page === undefined) {
    await worker.clients.openWindow(message.url)
    return
  }
  if (message.kind === 'open') {
    page.postMessage(message)
    await page.focus()
    return
  }
  const { port1, port2 } = new MessageChannel()
  const outcome = awaitOutcome((onReply) => {
    port1.addEventListener('message', ({ data: reply }: MessageEvent<PageReply>) => onReply(reply))
    port1.start()
  }, after)
  page.postMessage(message, [port2])
  const became = await outcome
  if (became === 'answered') return
  const { title, options } = failureOf(data, became)
  await worker.registration.showNotification(title, options)
}
