import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startBrowser } from './browser.ts'

/** One browser for the tests of a file: each page has a context of its own, as if it were another device. */
export const sharedBrowser = (): (() => Browser) => {
  const endings: (() => Promise<void> | void)[] = []
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser((end) => endings.unshift(end))
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => browser
}
