import { effect, untracked } from '@preact/signals'
import { v7 } from 'uuid'
import type { Priority } from '../../contract/directive.ts'
import { ReinError } from '../../contract/errors.ts'
import { userMember } from '../../contract/person.ts'
import { call, connection, isOpen } from '../link/api.ts'
import { database } from '../link/database.ts'
import { Outbox, type Outgoing, type StoreStep } from '../link/outbox.ts'
import { after } from '../parts/after.ts'
import { failureText } from '../parts/failure-text.ts'
import { tellFailure } from '../parts/toast.tsx'
import { Drafts } from './drafts.ts'
import { targetOf, type Target } from './target.ts'

export const drafts = new Drafts({
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
  removeItem: (key) => localStorage.removeItem(key),
})

/** All pages of this browser have one store: each tells the others that it changed. */
const pages = new BroadcastChannel('rein-outbox')

const failures: Record<StoreStep, string> = {
  read: 'This browser cannot read what waits to be sent',
  keep: 'This browser cannot keep what waits to be sent, so it is lost if you close the page',
  remove: 'This browser cannot remove what is not to be sent any more, so it may be sent after a reload',
  lock: 'This browser does not let its pages take turns, so what waits stays as it is',
}

const isKnown = async (id: string): Promise<boolean> => {
  try {
    await call('receipt', { id })
    return true
  } catch (cause) {
    if (cause instanceof ReinError && cause.code === 'unknown_directive') return false
    throw cause
  }
}

export const outbox = new Outbox({
  readAll: () => database.read('outbox', (store): IDBRequest<Outgoing[]> => store.getAll()),
  read: (id) => database.read('outbox', (store): IDBRequest<Outgoing | undefined> => store.get(id)),
  put: (outgoing) => database.write('outbox', (store) => store.put(outgoing)),
  remove: (id) => database.write('outbox', (store) => store.delete(id)),
  removeAll: () => database.write('outbox', (store) => store.clear()),
  alone: async (id, act) => navigator.locks.request(`rein-outbox-${id}`, act),
  announce: () => pages.postMessage('changed'),
  isOpen: () => isOpen.peek(),
  tell: ({ id, text, priority, expiresInMs, ...agent }) =>
    call('tell', { id, ...targetOf(agent), text, priority, expiresInMs, from: userMember }),
  isKnown,
  now: Date.now,
  after,
  onRefused: (outgoing, cause) => {
    drafts.handBack(outgoing, outgoing.text)
    tellFailure(cause)
  },
  onAdded: (agent) => drafts.save(agent),
  onTooLate: ({ handle }) =>
    tellFailure(new Error(`This text for ${handle} was sent meanwhile, and no answer came: it may have arrived.`)),
  onStoreFailure: (step, cause) => tellFailure(new Error(`${failures[step]}: ${failureText(cause)}`)),
})

/** Begins to send what waits, now and whenever the connection is back. */
export const startOutbox = async (): Promise<void> => {
  pages.addEventListener('message', () => void outbox.reload())
  addEventListener('storage', ({ key, newValue }) => drafts.onStored(key, newValue))
  await outbox.load()
  effect(() => {
    if (connection.value === 'open') void untracked(() => outbox.flush())
  })
}

/** What its box has goes out: the store of drafts has it until the outbox has. */
export const tellAgent = (agent: Target, text: string, priority: Priority, expiresInMs: number | null): void => {
  const { project, handle } = agent
  drafts.empty(agent)
  outbox
    .add({ id: `dir_${v7()}`, project, handle, text, priority, expiresInMs, writtenAt: Date.now() })
    .catch(tellFailure)
}
