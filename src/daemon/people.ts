import type { Agent } from '../contract/agent.ts'
import type { BusEvent } from '../contract/team.ts'
import { redact } from '../base/redact/redact.ts'
import type { ChannelServices } from './channels.ts'
import type { Journal } from '../contract/logs.ts'

/** Says something on every human channel of a project. */
export const tellPeople = (
  { channels, sender }: Pick<ChannelServices, 'channels' | 'sender'>,
  journal: Journal,
  project: string,
  text: string,
): void => {
  const trouble = (cause: unknown): void => journal.write('trouble', { where: 'people', reason: String(cause) })
  for (const { name } of channels.all.filter(({ isHuman, name: one }) => isHuman && channels.serves(one, project)))
    void sender.send({ kind: 'daemon' }, { channel: name, text: redact(text).text }).catch(trouble)
}

/** Nobody has acknowledged an event; where there is no human channel, only `rein bus status` says so. */
export const tellOverdue = (
  services: Pick<ChannelServices, 'channels' | 'sender'>,
  journal: Journal,
  { id, type, priority, project }: BusEvent,
  late: readonly Agent[],
): void => {
  const handles = late.map(({ handle }) => handle).join(', ')
  journal.write('overdue', { event: id, type, priority, handles })
  const text = `Event ${id} (${type}, ${priority}) was not acknowledged by ${handles || 'anybody'}: rein bus read ${id}`
  tellPeople(services, journal, project, text)
}
