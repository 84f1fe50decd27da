import type { Page } from 'playwright-core'

/** Keeps what the daemon says from a page, as a bad network does. */
export interface HeldSocket {
  /** Nothing reaches the page any more; what it says still reaches the daemon. */
  hold: () => Promise<unknown>
  /** Ends the connection, and each further one, until `release`. */
  cut: () => Promise<unknown>
  /** All that was held comes now, in its order. */
  release: () => Promise<unknown>
}

/** Before the page is loaded. */
export const holdSocket = async (page: Page): Promise<HeldSocket> => {
  await page.addInitScript({ content: holdable })
  const steer = (word: string) => () => page.evaluate(`window.network.${word}()`)
  return { hold: steer('hold'), cut: steer('cut'), release: steer('release') }
}

const holdable = `
  const Real = WebSocket
  const open = new Set()
  let held = []
  let [isHeld, isCut] = [false, false]
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given)
      open.add(this)
      this.addEventListener('close', () => open.delete(this))
      this.addEventListener('message', (event) => {
        if (!isHeld) return
        event.stopImmediatePropagation()
        held.push([this, event.data])
      })
      if (isCut) this.close()
    }
  }
  window.network = {
    hold: () => { isHeld = true },
    cut: () => {
      isCut = true
      for (const socket of open) socket.close()
    },
    release: () => {
      isHeld = false
      isCut = false
      for (const [socket, data] of held) socket.dispatchEvent(new MessageEvent('message', { data }))
      held = []
    },
  }
`
