import { effect, untracked } from '@preact/signals'
import { v7 } from 'uuid'
import type { Priority } from '../../contract/directive.ts'
import { userMember } from '../../contract/person.ts'
import { call, connection, isOpen } from '../link/api.ts'
import { fromRequest, openStore } from '../link/database.ts'
import { Outbox, type Outgoing } from '../link/outbox.ts'
import { tellFailure } from '../parts/toast.tsx'
import { readDraft, writeDraft } from './drafts.ts'
import { targetOf, type Target } from './target.ts'

export const outbox = new Outbox({
  readAll: async () => (await fromRequest((await openStore('outbox', 'readonly')).getAll())) as Outgoing[],
  put: async (outgoing) => {
    await fromRequest((await openStore('outbox', 'readwrite')).put(outgoing))
  },
  remove: async (id) => {
    await fromRequest((await openStore('outbox', 'readwrite')).delete(id))
  },
  isOpen: () => isOpen.peek(),
  tell: ({ id, text, priority, expiresInMs, ...agent }) =>
    call('tell', { id, ...targetOf(agent), text, priority, expiresInMs, from: userMember }),
  now: Date.now,
  onRefused: (outgoing, cause) => {
    const draft = readDraft(outgoing)
    writeDraft(outgoing, draft === '' ? outgoing.text : `${outgoing.text}\n\n${draft}`)
    tellFailure(cause)
  },
})

/** Begins to send what waits, now and whenever the connection is back. */
export const startOutbox = async (): Promise<void> => {
  await outbox.load()
  effect(() => {
    if (connection.value === 'open') void untracked(() => outbox.flush())
  })
}

export const tellAgent = (agent: Target, text: string, priority: Priority, expiresInMs: number | null): void => {
  const { project, handle } = agent
  outbox
    .add({ id: `dir_${v7()}`, project, handle, text, priority, expiresInMs, writtenAt: Date.now() })
    .catch(tellFailure)
}
