import type { SimRequest } from '../../src/sim/recorder.ts'
import type { Capabilities } from '../../src/drivers/contract.ts'
import { type Cli, driverOf } from '../support/clis.ts'
import { startRein, type TestRein } from '../e2e/harness.ts'
import { installedOf, programFor } from './chosen.ts'

/** Tests run in both at once: they wait for their CLI most of the time. */
export const hosts = ['stream', 'tmux'] as const
export type HostKind = (typeof hosts)[number]

interface Given {
  cli: Cli
  host: HostKind
  onTestFinished: TestRein['onFinished']
}

/** Rein with one agent, which works on its first prompt. */
export const startAgent = async (
  { cli, host, onTestFinished }: Given,
  prompt: string,
  request = {},
): Promise<TestRein> => {
  const rein = await startRein({ cli, program: programFor(cli), onTestFinished })
  await rein.up(prompt, request, { host })
  return rein
}

/** What the driver says about the CLI that is tested. */
export const claimsOf = async (cli: Cli, host: HostKind): Promise<Capabilities> =>
  driverOf(cli).capabilities((await installedOf(cli)).version, host)

export const mainRequests = ({ sim }: TestRein): SimRequest[] => sim.requests.filter(({ isMain }) => isMain)

/** The first request of the model that held the directive. */
export const firstWith = ({ sim }: TestRein, id: string): Promise<SimRequest> =>
  sim.next((request) => request.isMain && request.text.includes(id))
