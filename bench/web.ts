import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Client } from '../src/client/client.ts'
import { browserProgram } from '../test/support/abilities.ts'
import { allScopes, enter, pairDevice } from '../test/support/page-client.ts'
import { type Box, createBox } from '../test/process/harness.ts'
import { desktop, startBrowser } from '../test/web/browser.ts'
import { agentPath, goTo, isConnected } from '../test/web/harness.ts'
import { scrollToStart, writeHistory } from '../test/web/history.ts'
import { type Findings, median, ms, percentile, times, type Topic } from './measure.ts'

const agents = 20
const changes = 100
const loads = 20
const stuckTabs = 20
const streams = 8
const turns = 10_000
const goals = { changeMs: 150, paintMs: 300, stuckMb: 2, taskMs: 100 }

const handleOf = (at: number): string => `worker-${at % agents}`

/** A browser that belongs to this machine, on the page of this daemon. */
const openPage = async (
  browser: Browser,
  client: Client,
): Promise<{ page: Page; context: BrowserContext; origin: string }> => {
  const context = await browser.newContext(desktop)
  const page = await context.newPage()
  const { url } = await client.pairStart({ scopes: allScopes, host: '127.0.0.1' })
  await page.goto(url)
  await isConnected(page)
  return { page, context, origin: new URL(url).origin }
}

/** Runs in the page: when the row of an agent shows this. */
const shownAt = (handle: string, text: string): string => `new Promise((resolve) => {
  const isShown = () => [...document.querySelectorAll('.agent')].some((row) =>
    row.querySelector('.agent-link').textContent === ${JSON.stringify(handle)} && row.textContent.includes(${JSON.stringify(text)}))
  const observer = new MutationObserver(() => {
    if (!isShown()) return
    observer.disconnect()
    resolve(Date.now())
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
})`

/** From the request that changes an agent to the row that shows it, and to the line of a client in Node. */
const measureChanges = async (page: Page, client: Client, cwd: string): Promise<{ dom: number[]; line: number[] }> => {
  const [dom, line]: [number[], number[]] = [[], []]
  const open = new Map<string, number>()
  for (let at = 0; at < changes; at += 1) {
    const handle = handleOf(at)
    const count = (open.get(handle) ?? 0) + 1
    open.set(handle, count)
    const shown = page.evaluate(shownAt(handle, `${count} unseen`)) as Promise<number>
    const told = (async () => {
      for await (const { agents: all } of client.watch({ all: true, detail: true }))
        if (all.some((agent) => agent.handle === handle && agent.inbox.queued === count)) return Date.now()
      return Number.NaN
    })()
    // Both listen before anything changes.
    await pause(100)
    const began = Date.now()
    await client.tell({ target: handle, cwd, text: `change ${at}`, from: 'bench' })
    dom.push((await shown) - began)
    line.push((await told) - began)
  }
  return { dom, line }
}

/** Since the navigation began, until all agents are in the document and a frame was drawn. */
const measureLoads = async (page: Page): Promise<number[]> => {
  const taken: number[] = []
  await page.addInitScript({
    content: `window.painted = new Promise((resolve) => {
      const look = () => document.querySelectorAll('.agent').length >= ${agents}
        ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look)
      look()
    })`,
  })
  for (let at = 0; at < loads; at += 1) {
    await page.reload()
    taken.push(await page.evaluate('window.painted'))
  }
  return taken
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** What the daemon grows by for each tab that asked for everything and never reads. */
const measureStuck = async (box: Box, client: Client, agent: string): Promise<number> => {
  const { pid } = await client.status()
  const device = await pairDevice(client, box.registered()?.port ?? 0)
  const before = residentMb(pid)
  for (let at = 0; at < stuckTabs; at += 1) {
    const tab = await enter(device)
    tab.ws.pause()
    for (let stream = 0; stream < streams; stream += 1) tab.open('feed', { agent, after: 0 })
  }
  await pause(5_000)
  return (residentMb(pid) - before) / stuckTabs
}

const measureScroll = async (page: Page, agent: { project: string; handle: string }): Promise<number> => {
  await goTo(page, agentPath(agent))
  await page
    .locator('.list-row')
    .filter({ hasText: `Reply number ${turns - 1}.` })
    .waitFor()
  const scrolled = (await page.evaluate(scrollToStart('started (stream'))) as { longest: number; rows: number }
  if (scrolled.rows < 3 * turns) throw new Error(`Only ${scrolled.rows} rows were scrolled.`)
  return scrolled.longest
}

const run = async (): Promise<Findings> => {
  if (browserProgram === null) throw new Error('This needs a browser: apt-get install chromium')
  const endings: (() => Promise<void> | void)[] = []
  const atTheEnd = (end: () => Promise<void> | void): void => void endings.unshift(end)
  try {
    const box = createBox({ REIN_CHECK_ANSWERS: '0' }, atTheEnd)
    const client = box.client()
    for (let at = 0; at < agents; at += 1) await box.runningAgent(handleOf(at))
    const browser = await startBrowser(atTheEnd)
    const { page } = await openPage(browser, client)
    const { dom, line } = await measureChanges(page, client, box.cwd)
    const painted = await measureLoads(page)

    const [first] = await client.ps({})
    const { value } = await client.tail({ topic: 'agents', after: 0 }).next()
    await client.stop()
    writeHistory(box.paths.database, (value as { agent: string }).agent, turns)
    await client.hello()
    const agent = { project: first?.project ?? '', handle: handleOf(0) }
    await isConnected(page)
    const stuck = await measureStuck(box, client, `${agent.project}/${agent.handle}`)
    const longest = await measureScroll(page, agent)
    return {
      head: ['', 'median', 'p95', 'against'],
      rows: [
        [
          'a change to the row of one of 20 agents',
          ms(median(dom)),
          ms(percentile(dom, 0.95)),
          times(median(dom) / median(line)),
        ],
        ['the same to a line of a client in Node', ms(median(line)), ms(percentile(line, 0.95)), '1.00 ×'],
        ['a load until 20 agents are drawn', ms(median(painted)), ms(percentile(painted, 0.95)), ''],
        [`longest task while ${turns} turns are scrolled`, longest === 0 ? 'none over 50 ms' : ms(longest), '', ''],
        ['memory of the daemon for a tab that never reads', `${stuck.toFixed(2)} MB`, '', ''],
      ],
      goals: [
        { what: 'p95 of a change, in ms', value: percentile(dom, 0.95), limit: goals.changeMs, kind: 'at most' },
        { what: 'median of a load, in ms', value: median(painted), limit: goals.paintMs, kind: 'at most' },
        { what: 'longest task, in ms', value: longest, limit: goals.taskMs, kind: 'at most' },
        { what: 'MB for a stuck tab', value: stuck, limit: goals.stuckMb, kind: 'at most' },
      ],
      notes: [
        `Each change is a \`tell\`, timed from before its request: the commit to the disk is part of it. ${changes} changes, ${loads} loads, ${stuckTabs} stuck tabs with ${streams} streams each over a history of ${turns} turns.`,
      ],
    }
  } finally {
    for (const end of endings) await end()
  }
}

export const web: Topic = { title: 'The page', run }
