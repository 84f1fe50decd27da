import type { Status } from '../../contract/routes/daemon.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted, formatAge } from '../format.ts'
import type { Output } from '../output.ts'

export const run = async ({ connect, out, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const status = await connect({ start: false }).status()
  if (json) out.document(status)
  else out.line(statusLine(status, now()))
  noteDamage(status, out)
}

/** Listing agents has to say that some of their data may be gone. An older daemon does not report damage. */
export const noteDamage = ({ damage = [] }: Partial<Status>, out: Output): void => {
  if (damage.length > 0) out.note(`rein: ${damage.join(' ')} See: rein doctor --quick`)
}

export const statusLine = (status: Status, now: number): string =>
  `The daemon ${status.version} (pid ${status.pid}) runs since ${formatAge(status.since, now)}: ` +
  `${counted(status.agents, 'agent')}, ${counted(status.directives, 'open directive')}.`
