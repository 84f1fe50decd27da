import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKey, postPair } from '../support/page-client.ts'
import { phone, startKeepingBrowser, watchPage } from './browser.ts'
import { allScopes, goTo, isConnected, pairingUrl, startAsking } from './harness.ts'

/** Command lines of all processes that this user may see. */
const commandLines = (): string =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')

/** All that any script of this origin could read out of what the browser keeps. */
const dumpStorage = `(async () => {
  const requested = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const databases = await Promise.all((await indexedDB.databases()).map(async ({ name }) => {
    const database = await requested(indexedDB.open(name))
    const stores = await Promise.all([...database.objectStoreNames].map(async (store) => [
      store, await requested(database.transaction(store).objectStore(store).getAll()),
    ]))
    database.close()
    return [name, stores]
  }))
  const keys = databases.flatMap(([, stores]) => stores).flatMap(([, values]) => values).flatMap(({ keys }) => keys ?? [])
  const exported = await Promise.all(keys.map(({ privateKey }) =>
    crypto.subtle.exportKey('jwk', privateKey).then(() => 'exported', (cause) => cause.name)))
  const cached = await Promise.all((await caches.keys()).map(async (name) => {
    const cache = await caches.open(name)
    return Promise.all((await cache.keys()).map(async (request) => [request.url, await (await cache.match(request)).text()]))
  }))
  return {
    exported,
    text: JSON.stringify([databases, { ...localStorage }, { ...sessionStorage }, cached, document.cookie, history.state]),
  }
})()`

test('code, key and token are in no address, no cookie, no storage, no log and no process list', async () => {
  const rein = await startAsking()
  await rein.client.hello()
  const { context } = await startKeepingBrowser(phone)
  const tab = await watchPage(context)
  const answers: { url: string; headers: Record<string, string>; body: string }[] = []
  const reading: Promise<void>[] = []
  tab.page.on('response', (response) => {
    const read = async (): Promise<void> => {
      const body = await response.text().catch(() => '')
      answers.push({ url: response.url(), headers: await response.allHeaders(), body })
    }
    reading.push(read())
  })
  const url = await pairingUrl(rein, { name: 'phone', scopes: allScopes })
  const code = url.split('#pair=')[1] ?? ''
  const { token, secret } = JSON.parse(readFileSync(rein.paths.endpoint, 'utf8')) as { token: string; secret: string }
  expect([code.length, token.length >= 16, secret.length >= 16]).toEqual([22, true, true])

  await tab.page.goto(url)
  await isConnected(tab.page)
  expect(tab.page.url()).not.toContain('pair')
  await rein.up('SAY:hello')
  for (const path of ['/questions', '/rooms', '/tasks', '/settings', '/']) await goTo(tab.page, path)
  await tab.page.goBack()
  await tab.page.reload()
  await isConnected(tab.page)
  await tab.page.evaluate(`navigator.serviceWorker.ready.then(() => undefined)`)

  await Promise.all(reading)
  expect(answers.length).toBeGreaterThan(5)
  for (const { headers } of answers) expect(Object.keys(headers)).not.toContain('set-cookie')
  expect(await context.cookies()).toEqual([])
  const { exported, text } = (await tab.page.evaluate(dumpStorage)) as { exported: string[]; text: string }
  expect(exported).toEqual(['InvalidAccessError'])
  const log = readFileSync(rein.paths.log, 'utf8')
  const places = {
    addresses: answers.map(({ url: asked }) => asked).join('\n'),
    answers: answers.map(({ body }) => body).join('\n'),
    storage: text,
    log,
    processes: commandLines(),
    records: (await rein.rein('daemon', 'logs')).stdout,
  }
  for (const [place, held] of Object.entries(places))
    for (const hidden of [code, token, secret]) expect([place, held.includes(hidden)]).toEqual([place, false])
  // What a browser notes of addresses for itself is of no use to anybody: the code is spent.
  const again = await postPair(Number(new URL(url).port), { code, name: 'thief', key: createKey().key })
  expect(again.status).toBe(403)
  expect(tab.troubles).toEqual([])
  expect(tab.loads).toHaveLength(2)
})
