import { afterEach, expect, test, vi } from 'vitest'

const code = 'AbCd-ef_0123456789abcd'
const replaced: string[] = []

/** A tab at this address. */
const openTab = (hash: string): void => {
  vi.stubGlobal('location', { hash, pathname: '/' })
  vi.stubGlobal('history', { replaceState: (_state: null, _title: string, url: string) => replaced.push(url) })
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  replaced.length = 0
})

test('a code is taken out of the address, as the page is loaded and later', async () => {
  openTab('#/questions')
  const { pairingCode, takePairingCode } = await import('./pairing-code.ts')
  expect([pairingCode, replaced]).toEqual([null, []])
  openTab(`#pair=${code}`)
  expect(takePairingCode()).toBe(code)
  expect(replaced).toEqual(['/#/'])
})

test('what is no code is taken out, too', async () => {
  openTab('#pair=<b>')
  const { pairingCode } = await import('./pairing-code.ts')
  expect([pairingCode, replaced]).toEqual(['', ['/#/']])
})
