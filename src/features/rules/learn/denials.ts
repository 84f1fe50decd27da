import type { Action } from '../../../contract/action.ts'
import type { Proposal } from '../../../contract/outputs/rule-tools.ts'
import { commonKind, type Evidence, grouped, kindOf, plain } from './evidence.ts'
import { nameOf, proposalOf } from './proposal.ts'

/** What a person answered to one tool call. */
export interface Answered {
  at: number
  who: string
  action: Action
  isAllowed: boolean
  /** What was said with it; empty for a plain no. */
  reason: string
}

const least = 2

/** What people have refused again and again. What they have sometimes allowed is to be asked. */
export const fromDenials = (answers: readonly Answered[]): Proposal[] => [
  ...grouped(answers.flatMap(shellOnly), ({ command }) => stubOf(command)).flatMap(shellProposal),
  ...grouped(answers.flatMap(fileOnly), ({ path }) => path).flatMap(fileProposal),
]

type ShellAnswer = Answered & { command: string }
type FileAnswer = Answered & { path: string }

const shellOnly = (answer: Answered): ShellAnswer[] =>
  answer.action.kind === 'shell' ? [{ ...answer, command: answer.action.command }] : []

const fileOnly = (answer: Answered): FileAnswer[] => {
  const { action } = answer
  return action.kind === 'write' || action.kind === 'edit' || action.kind === 'delete'
    ? [{ ...answer, path: action.path }]
    : []
}

const stubOf = (command: string): string => {
  const { program, subcommand } = kindOf(command)
  return `${program} ${subcommand}`
}

const shellProposal = (answers: readonly ShellAnswer[]): Proposal[] => {
  const denied = answers.filter(({ isAllowed }) => !isAllowed)
  const kind = commonKind(denied.map(({ command }) => command))
  if (denied.length < least || kind === null) return []
  const { program, subcommand, flags } = kind
  const isAlways = denied.length === answers.length
  const shell = {
    program,
    ...(subcommand === '' ? {} : { subcommand }),
    ...(flags.length === 0 ? {} : { all_flags: [...flags] }),
  }
  const rule = {
    name: nameOf(isAlways ? 'no' : 'ask-before', program, subcommand, ...flags),
    on: 'shell' as const,
    when: { shell },
    action: isAlways ? ('block' as const) : ('ask' as const),
    message: messageOf(denied, [program, subcommand, ...flags].filter((word) => word !== '').join(' ')),
  }
  return [proposalOf('denied', rule, denied.map(evidenceOf))]
}

const fileProposal = (answers: readonly FileAnswer[]): Proposal[] => {
  const denied = answers.filter(({ isAllowed }) => !isAllowed)
  const [first] = denied
  if (denied.length < least || first === undefined) return []
  const isAlways = denied.length === answers.length
  const rule = {
    name: nameOf(isAlways ? 'no-change-of' : 'ask-before-change-of', first.path),
    on: ['write' as const, 'edit' as const, 'delete' as const],
    files: first.path,
    action: isAlways ? ('block' as const) : ('ask' as const),
    message: messageOf(denied, first.path),
  }
  return [proposalOf('denied', rule, denied.map(evidenceOf))]
}

const messageOf = (denied: readonly Answered[], what: string): string => {
  const said = denied.findLast(({ reason }) => reason !== '')?.reason
  return said === undefined
    ? `A person has refused \`${what}\` before. Do it another way, or ask.`
    : `A person has refused \`${what}\` before: ${plain(said)}`
}

const evidenceOf = ({ at, who, action, reason }: Answered): Evidence => {
  const what = action.kind === 'shell' ? action.command : 'path' in action ? action.path : action.kind
  return { at, who, what: reason === '' ? what : `${what}: ${reason}` }
}
