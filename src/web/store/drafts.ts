import { nameOf, type Target } from './target.ts'

/** What a person has typed for an agent and not yet sent: it survives a reload. */
const keyOf = (agent: Target): string => `rein.draft.${nameOf(agent)}`

export const readDraft = (agent: Target): string => localStorage.getItem(keyOf(agent)) ?? ''

export const writeDraft = (agent: Target, text: string): void => {
  if (text === '') localStorage.removeItem(keyOf(agent))
  else localStorage.setItem(keyOf(agent), text)
}
