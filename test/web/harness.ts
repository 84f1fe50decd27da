import type { BrowserContextOptions, Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Scope } from '../../src/contract/scope.ts'
import { startRein, type TestOptions, type TestRein } from '../e2e/harness.ts'
import { type HeldSocket, holdSocket } from './hold-socket.ts'
import { phone, type Watched, watchPage } from './browser.ts'

export const allScopes: Scope[] = ['read', 'tell', 'answer', 'control', 'files', 'admin']

/** Any device but the one of this machine gets a name. */
interface Pairing {
  name?: string
  scopes?: Scope[]
  options?: BrowserContextOptions
}

/** The address that pairs one browser, as a person gets it from the command line. */
export const pairingUrl = async ({ rein }: Pick<TestRein, 'rein'>, { name, scopes }: Pairing): Promise<string> => {
  const given = [...(scopes === undefined ? [] : ['--scope', scopes.join(',')]), ...(name ? ['--name', name] : [])]
  const { code, stdout, stderr } = await rein('web', ...(given.length === 0 ? [] : ['pair', ...given]), '--json')
  if (code !== 0) throw new Error(stderr)
  return (JSON.parse(stdout) as { url: string }).url
}

/** A browser, empty until now, that is paired by a code and shows the agents. */
export const pairPage = async (
  rein: Pick<TestRein, 'rein'>,
  browser: Browser,
  pairing: Pairing = {},
): Promise<Watched & HeldSocket & { origin: string }> => {
  const context = await browser.newContext(pairing.options ?? phone)
  const watched = await watchPage(context)
  const network = await holdSocket(watched.page)
  const url = await pairingUrl(rein, pairing)
  await watched.page.goto(url)
  await isConnected(watched.page)
  return { ...watched, ...network, origin: new URL(url).origin }
}

export const isConnected = (page: Page): Promise<void> =>
  page.locator('.connection-open').waitFor({ state: 'attached' })

/** Goes to a view as a link does: without a load. */
export const goTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(path)}`)

export const agentPath = (agent: { project: string; handle: string }): string =>
  `/agent/${encodeURIComponent(agent.project)}/${encodeURIComponent(agent.handle)}`

/** An agent that asks before it does anything, as most people's do. */
export const startAsking = (options: TestOptions = {}): Promise<TestRein> => startRein({ scenario: '', ...options })
export const asksFirst = { autoApprove: false, permissionMode: 'default' } as const

/** Nothing hostile ran, the browser refused nothing, and the page was loaded once. */
export const expectQuiet = ({ ran, troubles, loads }: Watched): void => {
  expect({ ran, troubles, loads: loads.length }).toEqual({ ran: [], troubles: [], loads: 1 })
}
