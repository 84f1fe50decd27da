import { type Paired, PairInput } from '../contract/routes/web.ts'
import { ReinError } from '../contract/errors.ts'
import { build, version } from '../base/util/version.ts'
import { refuseAgents } from './actor.ts'
import { parse } from './answers.ts'
import { bodyJson, type Ctx } from './requests.ts'
import type { DaemonParts } from './status.ts'

interface Pairing {
  daemon: Pick<DaemonParts, 'features' | 'origins'>
  id: string
  fit: (answer: Paired) => Paired
}

/** More than a code, a name and a key. */
const maxBytes = 16 * 1024

/** A request without a token: the code is the proof. */
export const answerPairing = async (c: Ctx, { daemon: { features, origins }, id, fit }: Pairing): Promise<Response> => {
  const given = parse(PairInput, await bodyJson(c, maxBytes))
  const origin = c.req.header('origin')
  if (origin === undefined) throw new ReinError('forbidden', 'A device is paired by its page, which says its address.')
  const { supervisor } = features.agents
  const admit = (): Promise<void> => refuseAgents(c.env.incoming.socket, { supervisor, origins })
  const device = await features.apis.web.pairDevice({ ...given, origin }, admit)
  const { name, scopes } = device
  return c.json(fit({ device: { id: device.id, name, scopes }, daemon: { id, version, build } }))
}
