import { computed, effect } from '@preact/signals'
import { call, may, openStream } from '../link/api.ts'
import { after } from '../parts/after.ts'
import { tellFailure } from '../parts/toast.tsx'
import { Conversation } from './conversation.ts'
import { nameOf, targetOf, type Target } from './target.ts'

const firstLines = 400
const pageLines = 400
const newestDirectives = 100

/** The conversation of one agent while a view shows it. */
export const openFeed = (agent: Target) => {
  const asked = { agent: nameOf(agent) }
  const conversation = new Conversation({
    readPage: (before) => call('page', { ...asked, before, lines: pageLines }),
    readDirectives: async () => {
      const receipts = await call('receipts', { ...targetOf(agent), lines: newestDirectives })
      return receipts.map(({ state, steps, at: acceptedAt, ...directive }) => ({
        directive: { ...directive, acceptedAt },
        state,
        steps,
        seq: 0,
      }))
    },
    after,
    onFailure: tellFailure,
  })
  const closeFeed = openStream('feed', { ...asked, lines: firstLines }, (line) => conversation.onLine(line), {
    resume: () => ({ ...asked, lines: firstLines, ...conversation.resume }),
  })
  // Right after a load it is not known yet what this device may.
  const mayFollow = computed(() => may('control'))
  const closeLive = effect(() => {
    if (!mayFollow.value) return undefined
    return openStream('live', targetOf(agent), (event) => conversation.onLive(event), {
      onOpen: () => conversation.onLiveOpened(),
    })
  })
  const close = (): void => {
    conversation.close()
    closeFeed()
    closeLive()
  }
  const { view, live } = conversation
  return { view, live, loadOlder: () => conversation.loadOlder(), close }
}
