import { createHash } from 'node:crypto'
import type { Question } from '../contract/agent.ts'

const asks = { permission: 'asks for permission', plan: 'wants its plan approved', question: 'asks' } as const
const longest = 3_000

/** By which an answer names its question: short enough to type on a phone, and no word that a message begins with. */
export const codeOf = (agent: string, question: Question): string =>
  `#${createHash('sha256').update(`${agent}\0${question.id}`).digest('hex').slice(0, 6)}`

/** What a person is asked on a channel. */
export const questionText = (handle: string, code: string, question: Question): string => {
  const fields = Object.entries(question.input).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const what = fields.length === 0 ? question.summary : fields.join('\n')
  const options = (question.options ?? []).map((label, index) => `${index + 1}. ${label}`)
  return [
    `${handle} ${asks[question.kind]}: ${question.tool}`,
    what.length > longest ? `${what.slice(0, longest)}…` : what,
    ...options,
    question.kind === 'question'
      ? `Answer: ${code} and the name or number of an option, or your own words`
      : `Answer: ${code} allow, ${code} deny, or ${code} and why not`,
  ].join('\n')
}

/** An answer to a question, if a message is one. */
export const readAnswer = (text: string): { code: string; answer: string } | null => {
  const [, code, answer] = /^\s*(#[0-9a-f]{6})\s+(\S[\s\S]*?)\s*$/i.exec(text) ?? []
  return code === undefined || answer === undefined ? null : { code: code.toLowerCase(), answer }
}
