import type { Page } from 'playwright-core'

/** Keeps what the daemon says from a page, as a bad network does. */
export interface HeldSocket {
  /** Nothing reaches the page any more; what it says still reaches the daemon. */
  hold: () => Promise<unknown>
  /** Ends the connection, and each further one, until `release`. */
  cut: () => Promise<unknown>
  /** Lets one message through, the oldest that is held or else the next that comes, and waits until it is painted. */
  step: () => Promise<unknown>
  /** All that was held comes now, in its order. */
  release: () => Promise<unknown>
}

/** Before the page is loaded. */
export const holdSocket = async (page: Page): Promise<HeldSocket> => {
  await page.addInitScript({ content: holdable })
  const steer = (word: string) => () => page.evaluate(`window.network.${word}()`)
  return { hold: steer('hold'), cut: steer('cut'), step: steer('step'), release: steer('release') }
}

const holdable = `
  const Real = WebSocket
  const open = new Set()
  let held = []
  let [isHeld, isCut] = [false, false]
  let onHeld = () => {}
  const deliver = ([socket, data]) => socket.dispatchEvent(new MessageEvent('message', { data }))
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given)
      open.add(this)
      this.addEventListener('close', () => open.delete(this))
      this.addEventListener('message', (event) => {
        if (!isHeld || !event.isTrusted) return
        event.stopImmediatePropagation()
        held.push([this, event.data])
        onHeld()
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
    step: async () => {
      if (held.length === 0) await new Promise((resolve) => { onHeld = resolve })
      if (held.length > 0) deliver(held.shift())
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    },
    release: () => {
      isHeld = false
      isCut = false
      held.forEach(deliver)
      held = []
      onHeld()
    },
  }
`
