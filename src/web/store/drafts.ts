import { nameOf, type Target } from './target.ts'

/** What a person has typed for an agent and not yet sent: it survives a reload. */
const prefix = 'rein.draft.'
const keyOf = (agent: Target): string => prefix + nameOf(agent)

export const readDraft = (agent: Target): string => localStorage.getItem(keyOf(agent)) ?? ''

export const writeDraft = (agent: Target, text: string): void => {
  if (text === '') localStorage.removeItem(keyOf(agent))
  else localStorage.setItem(keyOf(agent), text)
}

/** Everything that has a draft. */
export const listDrafts = (): Target[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const [project = '', handle = ''] = key.slice(prefix.length).split('/')
      return { project, handle }
    })
