import type { Agent } from '../contract/agent.ts'
import type { BusEvent } from '../contract/team.ts'
import { redact } from '../redact/redact.ts'
import type { ChannelServices } from './channels.ts'
import type { Journal } from './journal.ts'

/** Says something on every human channel of these agents; gives how many there are. */
export const tellPeople = (
  { channels, sender }: Pick<ChannelServices, 'channels' | 'sender'>,
  journal: Journal,
  agents: readonly Agent[],
  text: string,
): number => {
  const trouble = (cause: unknown): void => journal.write('trouble', { where: 'people', reason: String(cause) })
  const theirs = channels.all.filter(
    ({ isHuman, name }) => isHuman && agents.some(({ id }) => channels.leadsTo(name, id)),
  )
  for (const { name } of theirs)
    void sender.send({ kind: 'daemon' }, { channel: name, text: redact(text).text }).catch(trouble)
  return theirs.length
}

/** Nobody has acknowledged an event; where there is no human channel, only `rein bus status` says so. */
export const tellOverdue = (
  services: Pick<ChannelServices, 'channels' | 'sender'>,
  journal: Journal,
  { id, type, priority }: BusEvent,
  late: readonly Agent[],
): void => {
  const handles = late.map(({ handle }) => handle).join(', ')
  journal.write('overdue', { event: id, type, priority, handles })
  const text = `Event ${id} (${type}, ${priority}) was not acknowledged by ${handles || 'anybody'}: rein bus read ${id}`
  tellPeople(services, journal, late, text)
}
