import type { DoctorCheck } from '../contract/routes/daemon.ts'
import type { Endpoint } from '../base/base.ts'
import type { DaemonParts } from './status.ts'

interface Parts {
  base: { endpoint: Pick<Endpoint, 'port' | 'lost'> }
  features: { apis: { web: Pick<DaemonParts['features']['apis']['web'], 'devices'> } }
  portRefusal: DaemonParts['portRefusal']
}

/** Who can reach this daemon from elsewhere, and whether browsers still find the page where they know it. */
export const webChecks = ({ base: { endpoint }, features: { apis }, portRefusal }: Parts): DoctorCheck[] => {
  const devices = apis.web.devices.filter(({ revokedAt }) => revokedAt === null)
  const names = devices.map(({ name, scopes }) => `${name} (${scopes.join(', ')})`)
  const { port, lost } = endpoint
  const problem = { name: 'port', ok: false, optional: true } as const
  const checks: DoctorCheck[] = [
    { name: 'devices', ok: true, detail: names.length === 0 ? 'None is paired.' : names.join('; ') },
  ]
  if (portRefusal !== null)
    checks.push({
      ...problem,
      detail: `Port ${portRefusal.port} could not be had when the daemon started (${portRefusal.reason}). The page is at port ${port}.`,
      hint: 'Free that port, or set daemon.port to another one; then: rein daemon stop',
    })
  // Whoever pairs a browser again has read this, or has got a new page by `rein web`.
  if (lost !== undefined && !apis.web.devices.some(({ pairedAt }) => pairedAt > lost.at))
    checks.push({
      ...problem,
      detail: `Another program had port ${lost.port}, which the page had before, when the daemon started. The page is at port ${port} now. Who had the old port can use what browsers keep for that address, so all devices were revoked: clear the site data of http://127.0.0.1:${lost.port} there, and pair them again.`,
      hint: 'rein web',
    })
  return checks
}
