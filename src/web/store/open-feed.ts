import { signal } from '@preact/signals'
import type { LiveEvent } from '../../contract/live.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { link, may, openStream } from '../link/api.ts'
import { Feed, type FeedView } from './feed.ts'
import { addLive, dropWritten, type LivePiece } from './live-text.ts'
import { nameOf, targetOf, type Target } from './target.ts'

type FeedLine = { at: 'begin' | 'resumed' | 'gap'; position: number } | { record: AnyRecord }

const firstLines = 400
const pageLines = 400
/** Lines that come together are shown together. */
const showMs = 16

/** The conversation of one agent while a view shows it: its newest part, older parts as they are asked for, and what it says now. */
export const openFeed = (agent: Target) => {
  let feed = new Feed()
  let isPaging = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const view = signal<FeedView | null>(null)
  const live = signal<readonly LivePiece[]>([])
  const isWhole = signal(false)
  const show = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      view.value = feed.view()
    }, showMs)
  }

  const input = { agent: nameOf(agent), topics: 'turns,directives,agents,sessions' }
  const closeFeed = link.openStream({
    name: 'feed',
    input: { ...input, lines: firstLines },
    resume: () => (feed.lastSeq === null ? { ...input, lines: firstLines } : { ...input, after: feed.lastSeq }),
    onLine: (told) => {
      const line = told as FeedLine
      if ('record' in line) {
        feed.add(line.record)
        const { type, body } = line.record
        if (type === 'turn.entry' && body.role === 'assistant') live.value = dropWritten(live.value, body.blocks)
        if (type === 'turn.ended') live.value = []
      } else if (line.at === 'gap' && feed.lastSeq !== null) feed.addGap()
      show()
    },
  })
  const closeLive = may('control')
    ? openStream('live', targetOf(agent), (event: LiveEvent) => {
        const pieces = addLive(live.value, event)
        if (pieces !== live.value) live.value = pieces
      })
    : () => {}

  const loadOlder = async (): Promise<void> => {
    const before = feed.firstSeq
    if (isPaging || isWhole.value || before === null) return
    isPaging = true
    try {
      const asked = { agent: nameOf(agent), before, lines: pageLines }
      const page = (await link.call({ name: 'page', input: asked, limitMs: 30_000, isRepeatable: true })) as {
        records: AnyRecord[]
        isFirst: boolean
      }
      feed = feed.withOlder(page.records)
      isWhole.value = page.isFirst || page.records.length === 0
      show()
    } finally {
      isPaging = false
    }
  }

  const close = (): void => {
    clearTimeout(timer)
    closeFeed()
    closeLive()
  }
  return { view, live, isWhole, loadOlder, close }
}
