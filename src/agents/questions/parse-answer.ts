import type { Answer } from '../../contract/host.ts'

/** The words of `rein answer`, and of a person on a channel. */
export const parseAnswer = (text: string): Answer => {
  if (text === 'allow') return { kind: 'allow' }
  return text === 'deny' ? { kind: 'deny', message: null } : { kind: 'text', text }
}
