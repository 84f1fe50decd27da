import type { DoctorCheck } from '../contract/routes/daemon.ts'
import type { DaemonParts } from './status.ts'

/** Who can reach this daemon from elsewhere, and whether browsers still find the page where they know it. */
export const webChecks = ({
  base: { endpoint },
  features: { apis },
  portRefusal,
}: Pick<DaemonParts, 'base' | 'features' | 'portRefusal'>): DoctorCheck[] => {
  const devices = apis.web.all.filter(({ revokedAt }) => revokedAt === null)
  const names = devices.map(({ name, scopes }) => `${name} (${scopes.join(', ')})`)
  return [
    { name: 'devices', ok: true, detail: names.length === 0 ? 'None is paired.' : names.join('; ') },
    ...(portRefusal === null
      ? []
      : [
          {
            name: 'port',
            ok: false,
            optional: true,
            detail: `Another program has port ${portRefusal.port}, which the page had before (${portRefusal.reason}). It is ${endpoint.port} now. What has the old port can use what browsers keep for that address, so all devices were revoked: clear the site data of http://127.0.0.1:${portRefusal.port} there, and pair them again.`,
            hint: 'rein web',
          },
        ]),
  ]
}
