import { expect, test } from 'vitest'
import { lookUntil } from '../e2e/look.ts'
import { inState } from '../e2e/terminal.ts'
import { phone, startKeepingBrowser, watchPage } from './browser.ts'
import { allScopes, asksFirst, isConnected, pairingUrl, startAsking } from './harness.ts'

interface Shown {
  title: string
  body: string
  actions: { action: string; title: string }[]
}

const shownNotices = `navigator.serviceWorker.ready.then(async (registration) =>
  (await registration.getNotifications()).map(({ title, body, actions }) => ({
    title, body, actions: actions.map(({ action, title }) => ({ action, title })),
  })))`

test('a push is shown with its two actions, one without a question with none, and nonsense is shown, too', async () => {
  const rein = await startAsking()
  const { context } = await startKeepingBrowser(phone)
  const url = await pairingUrl(rein, { name: 'phone', scopes: allScopes })
  const { origin } = new URL(url)
  await context.grantPermissions(['notifications'], { origin })
  const { page, ran, troubles } = await watchPage(context)
  await page.goto(url)
  await isConnected(page)
  await rein.up('RUN:touch ran.txt; echo it-$((40+2))-ran ;; SAY:done', asksFirst)
  await inState(rein, 'awaiting_permission')
  const [asked] = await rein.client.questions({})
  await page.evaluate(`navigator.serviceWorker.ready.then(() => undefined)`)

  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (found !== undefined) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const push = (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  const shown = (count: number) =>
    lookUntil(
      (): Promise<Shown[]> => page.evaluate(shownNotices),
      ({ length }) => length === count,
    )

  const { agent, question } = asked ?? {}
  const about = { id: question?.id, project: agent?.project, handle: agent?.handle }
  const message = {
    event: 'asks',
    title: 'worker asks',
    body: 'worker asks you something.',
    url: '/#/questions',
    at: 1,
  }
  await push(JSON.stringify({ ...message, tag: 'one', question: about, actions: ['allow', 'deny'] }))
  expect(await shown(1)).toEqual([
    {
      title: 'worker asks',
      body: 'worker asks you something.',
      actions: [
        { action: 'allow', title: 'Allow once' },
        { action: 'deny', title: 'Deny' },
      ],
    },
  ])
  await push(JSON.stringify({ ...message, tag: 'two', question: null, actions: ['allow', 'deny'] }))
  await push('no JSON')
  const all = await shown(3)
  expect(all.map(({ actions }) => actions.length).toSorted((a, b) => a - b)).toEqual([0, 0, 2])
  expect(all.map(({ title }) => title).toSorted()).toEqual(['Rein', 'worker asks', 'worker asks'])
  expect([ran, troubles]).toEqual([[], []])
})
