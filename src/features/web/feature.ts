import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Device } from '../../contract/device.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { DeviceView, PairInput, webRoutes } from '../../contract/routes/web.ts'
import { pairingText } from '../../contract/socket-terms.ts'
import { onBeat } from '../../base/util/beat.ts'
import { readHosts } from '../../base/util/hosts.ts'
import type { Feature } from '../feature.ts'
import { PairingCodes } from './codes.ts'
import { Devices } from './devices.ts'
import { checkSigned } from './keys.ts'
import { removeOldOpeners, removeOpener, writeOpener } from './opener.ts'
import { pageAddress } from './page-address.ts'

interface WebApi {
  findDevice: Devices['find']
  connectDevice: Devices['connect']
  revokeDevices: Devices['revokeAll']
  /** All that were ever paired. */
  readonly devices: Devices['all']
  /** Other names under which the page is reached. */
  hosts: readonly string[]
  /** `admit` is asked once the code is known to be right; the code is spent either way. */
  pairDevice: (given: z.infer<typeof PairInput> & { origin: string }, admit: () => Promise<void>) => Promise<Device>
}

const sweepMs = 30_000

/** The page's devices: how they are paired, what they may do, and that they can be revoked. */
export const web: Feature<'web', typeof webRoutes, object, WebApi> = {
  name: 'web',
  create: (base) => {
    const { settings, endpoint, journal, paths, now } = base
    const hosts = readHosts(settings['web.hosts'] ?? '') ?? []
    const onWrong = (count: number): void => journal.write('codes', { refused: count })
    const codes = new PairingCodes({ now, random: randomBytes, onWrong })
    const devices = new Devices({ ...base, onTrouble: base.troubleIn('web') })
    let stopSweeping: (() => void) | null = null
    const view = ({ id, name, scopes, pairedAt, lastSeenAt, revokedAt }: Device): DeviceView => {
      const connections = devices.connectionsOf(id)
      return { id, name, scopes, pairedAt, lastSeenAt, revokedAt, connections }
    }
    const handlers: Handlers<typeof webRoutes> = {
      pairStart: ({ input: { scopes, name = null, host, ...wanted } }) => {
        const address = pageAddress(host, hosts, endpoint.port)
        let opener: string | null = null
        const { code, expiresAt } = codes.make({ scopes, name }, () => opener !== null && removeOpener(opener))
        const url = `${address}/#pair=${code}`
        if (wanted.opener) opener = writeOpener(paths.runtime, url)
        return { code, url, scopes, expiresAt, opener }
      },
      devices: ({ input: { all } }) => devices.all.filter(({ revokedAt }) => all || revokedAt === null).map(view),
      webHosts: () => ({ hosts: [...hosts], port: endpoint.port }),
      revokeDevice: async ({ actor, params }) => view(await devices.revoke(params.id, actor)),
    }
    return {
      handlers,
      open: () => {
        removeOldOpeners(paths.runtime)
        devices.load()
      },
      start: () => {
        stopSweeping = onBeat(sweepMs, () => codes.sweep())
      },
      stop: () => {
        stopSweeping?.()
        codes.clear()
      },
      reload: () => devices.load(),
      api: {
        hosts,
        pairDevice: async ({ code, signature, ...own }, admit) => {
          const grant = codes.take(code)
          checkSigned(own.key, pairingText(own.origin, code), signature)
          await admit()
          return devices.pair(grant, own)
        },
        findDevice: (id) => devices.find(id),
        connectDevice: (...connection) => devices.connect(...connection),
        revokeDevices: () => devices.revokeAll(),
        get devices() {
          return devices.all
        },
      },
    }
  },
}
