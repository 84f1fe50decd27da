import { type Signal, signal } from '@preact/signals'
import { nameOf, type Target } from './target.ts'

const prefix = 'rein.draft.'

/** Where drafts are kept over a reload: `localStorage`, which all pages of the browser share. */
interface DraftStore {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
}

/** What a person has typed for each agent and not yet sent. */
export class Drafts {
  readonly #store: DraftStore
  readonly #drafts = new Map<string, Signal<string>>()

  constructor(store: DraftStore) {
    this.#store = store
  }

  /** What its box shows. */
  of(agent: Target): Signal<string> {
    const key = prefix + nameOf(agent)
    const known = this.#drafts.get(key)
    if (known !== undefined) return known
    const draft = signal(this.#store.getItem(key) ?? '')
    this.#drafts.set(key, draft)
    return draft
  }

  write(agent: Target, text: string): void {
    this.of(agent).value = text
    this.save(agent)
  }

  /** Its box is empty; the store has the text until `save`: the page may be gone before it is kept elsewhere. */
  empty(agent: Target): void {
    this.of(agent).value = ''
  }

  /** What the box shows is what the store has. */
  save(agent: Target): void {
    const key = prefix + nameOf(agent)
    const text = this.of(agent).value
    try {
      if (text === '') this.#store.removeItem(key)
      else this.#store.setItem(key, text)
    } catch {
      // A full store: it stays in this page.
    }
  }

  /** What was not taken stands before what was typed since. */
  handBack(agent: Target, text: string): void {
    const typed = this.of(agent).value
    this.write(agent, typed === '' ? text : `${text}\n\n${typed}`)
  }

  /** Another page of the browser has written it. */
  onStored(key: string | null, text: string | null): void {
    const draft = this.#drafts.get(key ?? '')
    if (draft !== undefined) draft.value = text ?? ''
  }
}

/** Everything that has a draft. */
export const listDrafts = (): Target[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const [project = '', handle = ''] = key.slice(prefix.length).split('/')
      return { project, handle }
    })
