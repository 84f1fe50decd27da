import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

type Listener = (event: Record<string, unknown>) => void

/** The world of a worker, played by the test: caches by name, pages, and what the network answers. */
let kept: Map<string, Map<string, Response>>
let pages: object[]
let network: (path: string) => Promise<Response>
let listeners: Map<string, Listener>

const pathOf = (asked: string | Request): string => (typeof asked === 'string' ? asked : new URL(asked.url).pathname)
const openCache = async (name: string) => {
  const files = kept.get(name) ?? new Map<string, Response>()
  kept.set(name, files)
  return {
    addAll: async (paths: string[]) => {
      for (const path of paths) files.set(path, await network(path))
    },
    match: async (asked: string | Request) => files.get(pathOf(asked))?.clone(),
  }
}
const allCaches = {
  open: openCache,
  keys: async () => [...kept.keys()],
  delete: async (name: string) => kept.delete(name),
  match: async (asked: string | Request) =>
    [...kept.values()]
      .find((files) => files.has(pathOf(asked)))
      ?.get(pathOf(asked))
      ?.clone(),
}

const startWorker = async (hash: string): Promise<void> => {
  listeners = new Map()
  vi.stubGlobal('__SHELL_HASH__', hash)
  vi.resetModules()
  await import('./sw.ts')
  await happen('install')
  await happen('activate')
}
const happen = async (name: string): Promise<void> => {
  let done: Promise<unknown> = Promise.resolve()
  listeners.get(name)?.({ waitUntil: (until: Promise<unknown>) => (done = until) })
  await done
}
const load = async (path: string, mode: string): Promise<string> => {
  const waiting: Promise<unknown>[] = []
  let answer: Promise<Response> | undefined
  listeners.get('fetch')?.({
    waitUntil: (until: Promise<unknown>) => waiting.push(until),
    request: { method: 'GET', url: `http://box${path}`, mode },
    respondWith: (response: Promise<Response>) => (answer = response),
  })
  await Promise.all(waiting)
  if (answer === undefined) throw new Error('The worker did not answer.')
  return (await answer).text()
}
const answerWith = (status: number, text: (path: string) => string) => async (path: string) =>
  new Response(text(path), { status })

beforeEach(() => {
  kept = new Map()
  pages = []
  network = answerWith(200, (path) => `one ${path}`)
  vi.stubGlobal('self', {
    location: { origin: 'http://box' },
    clients: { claim: async () => {}, matchAll: async () => pages },
    skipWaiting: async () => {},
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
  })
  vi.stubGlobal('caches', allCaches)
  vi.stubGlobal('__SHELL_FILES__', ['/assets/main-1.js'])
  vi.stubGlobal('fetch', (asked: string | Request) => network(pathOf(asked)))
})
afterEach(() => vi.unstubAllGlobals())

describe('the page', () => {
  test('comes from the daemon, and as it was last while none answers', async () => {
    await startWorker('one')
    network = answerWith(200, () => 'fresh')
    expect(await load('/', 'navigate')).toBe('fresh')
    network = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await load('/', 'navigate')).toBe('one /')
  })

  test.each([[502], [503], [504]])('is the kept one if a proxy answers %i', async (status) => {
    await startWorker('one')
    network = answerWith(status, () => 'Bad gateway')
    expect(await load('/', 'navigate')).toBe('one /')
  })
})

describe('another build', () => {
  const update = async (): Promise<void> => {
    network = answerWith(200, (path) => `two ${path}`)
    vi.stubGlobal('__SHELL_FILES__', ['/assets/main-2.js'])
    await startWorker('two')
    network = answerWith(404, () => 'gone')
  }

  test('leaves the files of pages that are open, and keeps its own page', async () => {
    await startWorker('one')
    pages = [{}]
    await update()
    expect(await load('/assets/main-1.js', 'cors')).toBe('one /assets/main-1.js')
    network = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await load('/', 'navigate')).toBe('two /')
  })

  test('removes them when a page is loaded and no other is open', async () => {
    await startWorker('one')
    pages = [{}]
    await update()
    pages = []
    await load('/', 'navigate')
    expect([...kept.keys()]).toEqual(['rein-two'])
  })
})
