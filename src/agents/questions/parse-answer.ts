import type { Question } from '../../contract/agent.ts'
import type { Answer } from '../../contract/host.ts'

/** The words of `rein answer`, and of a person on a channel. A question takes any words: there only allow and deny are fixed. */
export const parseAnswer = (text: string, kind: Question['kind']): Answer => {
  const word = kind === 'question' ? text : text.trim().toLowerCase()
  if (word === 'allow' || (kind !== 'question' && yes.includes(word))) return { kind: 'allow' }
  if (word === 'deny' || (kind !== 'question' && no.includes(word))) return { kind: 'deny', message: null }
  return { kind: 'text', text }
}

const yes: readonly string[] = ['yes', 'y']
const no: readonly string[] = ['no', 'n']
