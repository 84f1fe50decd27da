import { describe, expect, test } from 'vitest'
import type { Device } from '../contract/device.ts'
import { webChecks } from './web-checks.ts'

const paired = (pairedAt: number, revokedAt: number | null): Device => ({
  id: `dev_${pairedAt}`,
  name: 'phone',
  scopes: ['read'],
  key: { kty: 'EC', crv: 'P-256', x: '', y: '' },
  origin: 'http://127.0.0.1:4000',
  pairedAt,
  revokedAt,
  lastSeenAt: null,
})

const portChecks = (
  lost: { port: number; at: number } | undefined,
  all: readonly Device[],
  portRefusal: { port: number; reason: string } | null = null,
) => {
  const endpoint = { port: 5000, ...(lost === undefined ? {} : { lost }) }
  const checks = webChecks({ base: { endpoint }, features: { apis: { web: { devices: all } } }, portRefusal })
  return checks.filter(({ name }) => name === 'port')
}

describe('rein doctor', () => {
  test('says that the port of the page was lost until a device is paired again, whichever daemon runs', () => {
    const lost = { port: 4000, at: 10 }
    const detail = expect.stringMatching(/^Another program had port 4000, .* The page is at port 5000 now\. .* revoked/)
    expect(portChecks(lost, [paired(5, 10)])).toMatchObject([{ ok: false, detail, hint: 'rein web' }])
    expect(portChecks(lost, [paired(5, 10), paired(11, null)])).toEqual([])
    expect(portChecks(undefined, [paired(5, null)])).toEqual([])
  })

  test('says of a port that cannot be had for another reason that, and no more', () => {
    const [check, ...others] = portChecks(undefined, [], { port: 80, reason: 'listen EACCES 127.0.0.1:80' })
    expect(check?.detail).toBe(
      'Port 80 could not be had when the daemon started (listen EACCES 127.0.0.1:80). The page is at port 5000.',
    )
    expect(others).toEqual([])
  })
})
