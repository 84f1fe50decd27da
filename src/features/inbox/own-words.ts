import type { OwnWords } from '../../agents/agents.ts'
import { type AgentRef, byRein } from '../../contract/identity.ts'
import type { Inbox } from './inbox.ts'
import type { Item } from './receipt.ts'

/** Puts what Rein itself says into an agent's inbox. */
export const sayTo = (inbox: Inbox, { id, project, handle }: AgentRef, words: OwnWords): Promise<Item> =>
  inbox.accept({ agent: { id, project, handle }, from: 'rein', sender: byRein, ...words })

/** Takes back what Rein said to an agent in words of these types. */
export const withdraw = async (inbox: Inbox, agent: string, types: readonly string[]): Promise<void> => {
  for (const item of inbox.openItems(agent)) {
    const { sender, type } = item.directive
    if (sender.kind === 'daemon' && types.includes(type)) await inbox.cancel(item, byRein)
  }
}
