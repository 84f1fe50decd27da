import { byRein } from '../../contract/identity.ts'
import type { Agent } from '../../contract/agent.ts'
import type { BusEvent } from '../../contract/team.ts'
import { redact } from '../../base/redact/redact.ts'
import type { ChannelParts } from './parts.ts'

/** Says something on every human channel of a project. */
export const tellPeople = ({ channels, sender, troubleIn }: ChannelParts, project: string, text: string): void => {
  for (const { name } of channels.all.filter(({ isHuman, name: one }) => isHuman && channels.serves(one, project)))
    void sender.send(byRein, { channel: name, text: redact(text).text }).catch(troubleIn('people'))
}

/** Tells people of an unacknowledged event; without a human channel only `rein bus status` shows it. */
export const tellOverdue = (
  parts: ChannelParts,
  { id, type, priority, project }: BusEvent,
  late: readonly Agent[],
): void => {
  const handles = late.map(({ handle }) => handle).join(', ')
  parts.journal.write('overdue', { event: id, type, priority, handles })
  const text = `Event ${id} (${type}, ${priority}) was not acknowledged by ${handles || 'anybody'}: rein bus read ${id}`
  tellPeople(parts, project, text)
}
