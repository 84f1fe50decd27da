import type { Status } from '../../contract/routes/daemon.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { formatAge } from '../format.ts'
import type { Output } from '../output.ts'

export const run = async ({ connect, out, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const status = await connect({ start: false }).status()
  if (json) out.document(status)
  else out.line(statusLine(status, now()))
  noteDamage(status, out)
}

/** Beside what was asked for: whoever looks at agents has to know that something of them may be gone. An older daemon says nothing. */
export const noteDamage = ({ damage = [] }: Partial<Status>, out: Output): void => {
  if (damage.length > 0) out.note(`rein: ${damage.join(' ')} See: rein doctor --quick`)
}

export const statusLine = (status: Status, now: number): string =>
  `The daemon ${status.version} (pid ${status.pid}) runs since ${formatAge(status.since, now)}: ` +
  `${count(status.agents, 'agent')}, ${count(status.directives, 'open directive')}.`

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
