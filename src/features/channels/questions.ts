import { createHmac } from 'node:crypto'
import type { Agent, Question } from '../../contract/agent.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'

const asks = { permission: 'asks for permission', plan: 'wants its plan approved', question: 'asks' } as const
/** The longest question that a person reads on a phone. */
const longest = 3_000

/** One asking of one question: a CLI may ask the same again, under the same id. */
export interface Asking {
  agent: Pick<Agent, 'id' | 'handle' | 'since'>
  question: Question
}

/** The code with which an answer names its question: short enough to type, and unguessable without the secret. */
export const codeOf = (secret: string, { agent, question }: Asking): string => {
  // The agent goes on while a call of it is held: that one stays the same.
  const asking = question.id.startsWith('held:') ? '' : agent.since
  return `#${createHmac('sha256', secret).update(`question ${agent.id} ${asking} ${question.id}`).digest('hex').slice(0, 6)}`
}

/** The text of a question for a channel; one that does not fit cannot be answered there. */
export const questionText = (code: string, { agent, question }: Asking): string => {
  const what = escapeUnsafe(describeInput(question))
  const options = (question.options ?? []).map((label, index) => `${index + 1}. ${escapeUnsafe(label)}`)
  const isWhole = what.length <= longest
  return [
    `${agent.handle} ${asks[question.kind]}: ${escapeUnsafe(question.tool)}`,
    ...(question.why === undefined ? [] : [escapeUnsafe(question.why)]),
    isWhole
      ? what
      : `${what.slice(0, longest).replace(/\p{Surrogate}$/u, '')}… and ${what.length - longest} characters more.`,
    ...options,
    isWhole ? howToAnswer(code, question.kind) : `This is too long to be answered here: rein answer ${agent.handle}`,
  ].join('\n')
}

/** What the agent wants to do, field by field. */
export const describeInput = ({ input, summary }: Question): string => {
  const fields = Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return fields.length === 0 ? summary : fields.join('\n')
}

/** Whether it may be answered where it was not shown whole. */
export const isAnswerable = (question: Question): boolean => escapeUnsafe(describeInput(question)).length <= longest

export const howToAnswer = (code: string, kind: Question['kind']): string =>
  kind === 'question'
    ? `Answer: ${code} and the name or number of an option, or your own words`
    : `Answer: ${code} allow, ${code} deny, or ${code} and why not`

/** An answer to a question, if a message is one; empty if it only names the question. */
export const readAnswer = (text: string): { code: string; answer: string } | null => {
  const [, code, answer = ''] = /^(#[0-9a-f]{6})(?:\s+(\S[\s\S]*))?$/i.exec(text.trim()) ?? []
  return code === undefined ? null : { code: code.toLowerCase(), answer }
}

/** Text of an agent must not look like a question of Rein. */
export const withoutCodes = (text: string): string => text.replaceAll(/#(?=[0-9a-f]{6}\b)/gi, '# ')
