import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { browserProgram } from '../support/abilities.ts'

type AtTheEnd = (end: () => Promise<void> | void) => void

/** Nothing of it leaves the machine; QUIC would be tried first, and root has no sandbox. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A limit that only something that hangs reaches. */
const limitMs = 25_000

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

const createHome = (atTheEnd: AtTheEnd): string => {
  const home = mkdtempSync(join(tmpdir(), 'rein-browser-'))
  atTheEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return home
}

const launchOptions = (home: string) => ({
  ...(browserProgram === null ? {} : { executablePath: browserProgram }),
  args: flags,
  env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
})

/** A browser with a home of its own. */
export const startBrowser = async (atTheEnd: AtTheEnd = onTestFinished): Promise<Browser> => {
  const browser = await chromium.launch(launchOptions(createHome(atTheEnd)))
  atTheEnd(() => browser.close())
  return browser
}

/** A browser that keeps what it is given: it has workers that are woken by a push, and notifications. */
export const startKeepingBrowser = async (
  more: BrowserContextOptions,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<{ context: BrowserContext; profile: string }> => {
  const home = createHome(atTheEnd)
  const profile = join(home, 'profile')
  const context = await chromium.launchPersistentContext(profile, { ...launchOptions(home), ...more })
  atTheEnd(() => context.close())
  return { context, profile }
}

/** What a page must never do, as it was seen by the browser itself. */
export interface Watched {
  page: Page
  /** Violations of the content policy, and errors that nobody caught. */
  troubles: string[]
  /** Hostile text that ran. */
  ran: string[]
  /** Documents that were loaded. */
  loads: string[]
}

/** A page whose browser reports what it does. */
export const watchPage = async (context: BrowserContext): Promise<Watched> => {
  const page = await context.newPage()
  page.setDefaultTimeout(limitMs)
  const watched: Watched = { page, troubles: [], ran: [], loads: [] }
  await page.exposeFunction('reportTrouble', (trouble: string) => void watched.troubles.push(trouble))
  await page.exposeFunction('reportRun', (what: string) => void watched.ran.push(what))
  await page.addInitScript({ content: reportAll })
  page.on('pageerror', ({ message }) => void watched.troubles.push(message))
  page.on('dialog', (dialog) => {
    watched.ran.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('domcontentloaded', () => void watched.loads.push(page.url()))
  return watched
}

/** Runs in the page, before its own scripts. `pwn` is what every hostile text tries to call. */
const reportAll = `
  window.pwn = (what) => void window.reportRun(String(what))
  document.addEventListener('securitypolicyviolation', (event) => {
    void window.reportTrouble([event.violatedDirective, event.blockedURI, event.sample, event.sourceFile].join(' '))
  })
`
