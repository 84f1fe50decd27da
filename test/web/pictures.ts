// `npm run pictures:web`: takes the pictures of docs/web.md, of real agents in a real browser. With --png DIR, it leaves docs/ alone.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startRein } from '../e2e/harness.ts'
import { desktop, phone, startBrowser } from './browser.ts'
import { openView, pairPage } from './harness.ts'
import { recordReceipt } from './record-receipt.ts'
import { scenario, stageTeam } from './views.ts'

const docs = join(import.meta.dirname, '../../docs/web')
const [flag, folder = docs] = process.argv.slice(2)
const isPng = flag === '--png'

const endings: (() => Promise<void> | void)[] = []
const atTheEnd = (end: () => Promise<void> | void): void => void endings.unshift(end)

const takePicture = async (page: Page, name: string): Promise<void> => {
  if (isPng) return void (await page.screenshot({ path: join(folder, `${name}.png`) }))
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}

try {
  mkdirSync(folder, { recursive: true })
  const browser = await startBrowser(atTheEnd)
  writeFileSync(join(folder, 'receipt.svg'), await recordReceipt(browser, atTheEnd))
  const rein = await startRein({ scenario, onTestFinished: atTheEnd })
  const views = await stageTeam(rein)
  for (const options of [phone, desktop])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await pairPage(rein, browser, { options: { ...options, colorScheme, reducedMotion: 'reduce' } })
      for (const view of views) {
        await openView(page, view)
        // An answer counts only after its question was there for a moment.
        if (view.name === 'questions') await page.locator('[data-answer="allow"]:enabled').waitFor()
        await page.evaluate('document.activeElement?.blur()')
        await takePicture(page, `${view.name}-${options.viewport?.width}-${colorScheme}`)
      }
    }
} finally {
  for (const end of endings) await end()
}
