import type { NoticeOptions } from './notification.ts'

/** The part of a service worker's world that is used here: its types exclude those of a page. */
export interface WorkerScope {
  readonly location: { origin: string }
  readonly registration: { showNotification(title: string, options: NoticeOptions): Promise<void> }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void
}

interface PageClient {
  readonly visibilityState: string
  focus(): Promise<unknown>
  postMessage(message: object, transfer?: readonly MessagePort[]): void
}

interface LastingEvent {
  waitUntil(done: Promise<unknown>): void
}

interface WorkerEvents {
  install: LastingEvent
  activate: LastingEvent
  fetch: LastingEvent & { readonly request: Request; respondWith(response: Promise<Response>): void }
  push: LastingEvent & { readonly data: { text(): string } | null }
  notificationclick: LastingEvent & {
    readonly action: string
    readonly notification: { readonly data: unknown; close(): void }
  }
}
