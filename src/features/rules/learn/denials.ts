import type { Action } from '../../../contract/action.ts'
import type { Proposal } from '../../../contract/outputs/rule-tools.ts'
import { commonKind, grouped, kindOf, plain } from './evidence.ts'
import { type DraftRule, nameOf, proposalOf } from './proposal.ts'

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
export const fromDenials = (answers: readonly Answered[]): Proposal[] => {
  const inShell = answers.flatMap((answer) =>
    answer.action.kind === 'shell'
      ? [{ ...answer, ...kindOf(answer.action.command), command: answer.action.command }]
      : [],
  )
  const ofFiles = answers.flatMap((answer) => {
    const { action } = answer
    return action.kind === 'write' || action.kind === 'edit' || action.kind === 'delete'
      ? [{ ...answer, path: action.path }]
      : []
  })
  return [
    ...grouped(inShell, ({ program, subcommand }) => `${program} ${subcommand}`).flatMap((group) => {
      const kind = commonKind(group.filter(({ isAllowed }) => !isAllowed).map(({ command }) => command))
      if (kind === null) return []
      const { program, subcommand, flags } = kind
      const shell = {
        program,
        ...(subcommand === '' ? {} : { subcommand }),
        ...(flags.length === 0 ? {} : { all_flags: [...flags] }),
      }
      return propose(group, [program, subcommand, ...flags], ['no', 'ask-before'], { on: 'shell', when: { shell } })
    }),
    ...grouped(ofFiles, ({ path }) => path).flatMap((group) => {
      const [{ path } = { path: '' }] = group
      const names = ['no-change-of', 'ask-before-change-of'] as const
      return propose(group, [path], names, { on: ['write', 'edit', 'delete'], files: path })
    }),
  ]
}

/** A rule of the first name where nobody ever allowed it, else one of the second that asks. */
const propose = (
  answers: readonly Answered[],
  words: readonly string[],
  [always, mostly]: readonly [string, string],
  about: Pick<DraftRule, 'on' | 'when' | 'files'>,
): Proposal[] => {
  const denied = answers.filter(({ isAllowed }) => !isAllowed)
  if (denied.length < least) return []
  const isAlways = denied.length === answers.length
  const what = words.filter((word) => word !== '').join(' ')
  const said = denied.findLast(({ reason }) => reason !== '')?.reason
  const rule = {
    name: nameOf(isAlways ? always : mostly, ...words),
    ...about,
    action: isAlways ? ('block' as const) : ('ask' as const),
    message:
      said === undefined
        ? `A person has refused \`${what}\` before. Do it another way, or ask.`
        : `A person has refused \`${what}\` before: ${plain(said)}`,
  }
  const evidence = denied.map(({ at, who, action, reason }) => {
    const done = action.kind === 'shell' ? action.command : 'path' in action ? action.path : action.kind
    return { at, who, what: reason === '' ? done : `${done}: ${reason}` }
  })
  return [proposalOf('denied', rule, evidence)]
}
