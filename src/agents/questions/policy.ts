import type { Agent, Question } from '../../contract/agent.ts'
import type { Opinion } from '../../contract/opinion.ts'
import type { Policy, PolicyAnswer } from '../../contract/policy.ts'
import { isAllowed } from './allowed-calls.ts'

/** One line of a policy: the name it is for, and what it says. */
interface Rule {
  name: string
  answer: PolicyAnswer
}

type Asked = Pick<Question, 'kind' | 'tool'>

/** What a policy says to a question. What has no yes or no is never answered by one. */
export const decidePolicy = (policy: Policy, question: Asked): PolicyAnswer => ruleFor(policy, question).answer

/** The most specific rule counts; of two equal ones the more careful. */
const ruleFor = ({ otherwise, tools }: Policy, question: Asked): Rule => {
  if (question.kind === 'question') return { name: 'question', answer: 'ask' }
  const rules = Object.entries(tools).map(([name, answer]) => ({ name, answer }))
  const names = question.kind === 'plan' ? ['plan', question.tool] : [question.tool]
  const fitting = rules.filter((rule) => names.some((name) => fits(rule.name, name)))
  return fitting.reduce(stronger, { name: '*', answer: otherwise })
}

/** Null for an agent without a policy for this; `isForPerson`: Rein itself wants one to be asked, so nothing is approved. */
export const opinionOf = (
  { request, allowed }: Pick<Agent, 'request' | 'allowed'>,
  question: Question,
  isForPerson = false,
): Opinion | null => {
  const isForGood = !isForPerson && isAllowed(allowed, question)
  if (request?.policy === undefined && !isForGood) return null
  const { name, answer } = ruleFor(request?.policy ?? { otherwise: 'ask', tools: {} }, question)
  const by = `policy ${name}=${answer}`
  if (answer === 'deny')
    return { by, kind: 'deny', reason: `The user's policy for this agent denies this (${question.tool}).` }
  if (isForGood) return { by: `policy always ${question.tool}`, kind: 'approve', reason: '' }
  return { by, kind: answer === 'approve' && !isForPerson ? 'approve' : 'ask', reason: '' }
}

const fits = (name: string, tool: string): boolean =>
  name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : name === tool

const caution = { approve: 0, ask: 1, deny: 2 } as const

const stronger = (a: Rule, b: Rule): Rule => {
  const difference = weight(b) - weight(a)
  return difference > 0 || (difference === 0 && caution[b.answer] > caution[a.answer]) ? b : a
}

/** A whole name beats every beginning of one, and a longer beginning a shorter. */
const weight = ({ name }: Rule): number => (name.endsWith('*') ? name.length : Number.MAX_SAFE_INTEGER)
