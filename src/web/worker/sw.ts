import { decideFetch } from './decide-fetch.ts'
import { decideClick, failureOf, notificationOf, type NoticeData, type PageReply, readMessage } from './notification.ts'
import type { PageClient, WorkerScope } from './scope.ts'

/** Set by the build: the files of the page, and a hash of them. */
declare const __SHELL_FILES__: readonly string[]
declare const __SHELL_HASH__: string

const worker = self as unknown as WorkerScope
const cacheName = `rein-${__SHELL_HASH__}`
const shellPath = '/'
const replyLimitMs = 8_000

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
      const names = await caches.keys()
      await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
      await worker.clients.claim()
    })(),
  )
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const from = decideFetch(request, worker.location.origin)
  if (from === 'shell') event.respondWith(fetchShell(request))
  else if (from === 'asset') event.respondWith(fetchAsset(request))
})

/** The page of the daemon that runs; while none answers, the page says so itself. */
const fetchShell = async (request: Request): Promise<Response> => {
  try {
    return await fetch(request)
  } catch (cause) {
    const kept = await caches.match(shellPath)
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
  const message = decideClick(action, data, page !== undefined)
  if (page === undefined) {
    await worker.clients.openWindow(message.url)
    return
  }
  if (message.kind === 'open') {
    page.postMessage(message)
    await page.focus()
    return
  }
  if (await isAnswered(page, message)) return
  const { title, options } = failureOf(data)
  await worker.registration.showNotification(title, options)
}

/** A page that sleeps does not reply: then it is not known to be answered. */
const isAnswered = (page: PageClient, message: object): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(() => resolve(false), replyLimitMs)
    port1.addEventListener('message', ({ data }: MessageEvent<PageReply>) => {
      clearTimeout(timer)
      resolve(data.isAnswered)
    })
    port1.start()
    page.postMessage(message, [port2])
  })
