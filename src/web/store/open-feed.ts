import { signal } from '@preact/signals'
import type { LiveEvent } from '../../contract/live.ts'
import type { FeedLine } from '../../contract/routes/feed.ts'
import { call, may, openStream } from '../link/api.ts'
import { Feed, type FeedView } from './feed.ts'
import { addLive, dropWritten, type LivePiece } from './live-text.ts'
import { nameOf, targetOf, type Target } from './target.ts'

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

  const asked = { agent: nameOf(agent) }
  const onLine = (line: FeedLine): void => {
    if ('record' in line) {
      feed.add(line.record)
      const { type, body } = line.record
      if (type === 'turn.entry' && body.role === 'assistant') live.value = dropWritten(live.value, body.blocks)
      if (type === 'turn.ended') live.value = []
    } else if (line.at !== 'resumed') {
      // What was known may not be all up to here: the list begins anew, and older parts are fetched again.
      feed = new Feed()
      isWhole.value = false
    }
    show()
  }
  const closeFeed = openStream('feed', { ...asked, lines: firstLines }, onLine, {
    resume: () => ({ ...asked, lines: firstLines, ...(feed.lastSeq === null ? {} : { after: feed.lastSeq }) }),
  })
  const closeLive = may('control')
    ? openStream('live', targetOf(agent), (event: LiveEvent) => {
        const pieces = addLive(live.value, event)
        if (pieces !== live.value) live.value = pieces
      })
    : () => {}

  const loadOlder = async (): Promise<void> => {
    const known = feed
    const before = known.firstSeq
    if (isPaging || isWhole.value || before === null) return
    isPaging = true
    try {
      const page = await call('page', { ...asked, before, lines: pageLines })
      // It may have begun anew meanwhile: between this page and what it has now records would be missing.
      if (feed !== known) return
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
