import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { openView, pairPage, startAsking } from './harness.ts'
import { sharedBrowser } from './shared-browser.ts'
import { scenario, stageTeam } from './views.ts'

const browser = sharedBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Issue {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

test('no view has a serious accessibility issue, light or dark, on a phone or a desktop', async () => {
  const rein = await startAsking({ scenario })
  const views = await stageTeam(rein)
  /** Each element once, with the first view in which it is. */
  const found = new Map<string, string>()
  for (const options of [phone, desktop])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await pairPage(rein, browser(), {
        options: { ...options, colorScheme, reducedMotion: 'reduce' },
      })
      await page.evaluate(axe)
      for (const view of views) {
        await openView(page, view)
        const { violations } = (await page.evaluate(`axe.run()`)) as { violations: Issue[] }
        for (const { id, impact, nodes } of violations)
          if (impact === 'serious' || impact === 'critical')
            for (const { html, failureSummary } of nodes)
              if (!found.has(`${id} ${html}`))
                found.set(`${id} ${html}`, `${view.name} ${options.viewport?.width} ${colorScheme}: ${failureSummary}`)
      }
    }
  expect(Object.fromEntries(found)).toEqual({})
})
