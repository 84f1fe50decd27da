import type { Proposal } from '../../../contract/outputs/rule-tools.ts'
import { type Evidence, grouped, kindOf } from './evidence.ts'
import { nameOf, proposalOf } from './proposal.ts'

/** What a person told an agent, and which commands it had run shortly before. */
export interface Said {
  at: number
  who: string
  text: string
  ran: readonly string[]
}

interface Correction extends Evidence {
  wrong: string
  right: string | null
}

const least = 2

const name = String.raw`(?:\x60([^\x60\n]{1,60})\x60|((?:\.?\/)?[\w@.:\/-]+(?: [a-z][\w:-]*)?))`
const patterns: readonly { expression: RegExp; wrong: number; right: number | null }[] = [
  {
    expression: new RegExp(`\\b(?:use|run|prefer) ${name},? (?:instead of|not|rather than) ${name}`, 'i'),
    wrong: 3,
    right: 1,
  },
  { expression: new RegExp(`\\binstead of ${name},? (?:use|run) ${name}`, 'i'), wrong: 1, right: 3 },
  {
    expression: new RegExp(
      `\\b(?:don['’]t|do not|never|stop) (?:use|using|run|running|call|calling) ${name}[,;.:]* +(?:use|run) ${name}`,
      'i',
    ),
    wrong: 1,
    right: 3,
  },
  {
    expression: new RegExp(`\\b(?:don['’]t|do not|never|stop) (?:use|using|run|running|call|calling) ${name}`, 'i'),
    wrong: 1,
    right: null,
  },
]

/** What people told agents about commands that these had run, more than once. */
export const fromCorrections = (said: readonly Said[]): Proposal[] =>
  grouped(said.flatMap(findCorrection), ({ wrong }) => wrong)
    .filter((group) => group.length >= least)
    .map((group) => {
      const [wrong = '', right] = [group[0]?.wrong, group.findLast((each) => each.right !== null)?.right]
      const [program = '', ...subcommand] = wrong.split(' ')
      const rule = {
        name: nameOf('no', wrong),
        on: 'shell' as const,
        when: { shell: { program, ...(subcommand.length === 0 ? {} : { subcommand: subcommand.join(' ') }) } },
        action: 'block' as const,
        message: right ? `Use \`${right}\` in the place of \`${wrong}\`.` : `\`${wrong}\` is not used here.`,
      }
      return proposalOf('corrected', rule, group)
    })

const findCorrection = ({ at, who, text, ran }: Said): Correction[] => {
  for (const { expression, wrong, right } of patterns) {
    const found = expression.exec(text)
    if (found === null) continue
    const named = (group: number): string => (found[group] ?? found[group + 1] ?? '').replace(/[\s.,:;]+$/, '')
    const words = named(wrong)
    // As much of what was said as a command that was run begins with; of `npm please` that is `npm`.
    const [what] = ran.flatMap((command) => {
      const { program, subcommand } = kindOf(command)
      const whole = `${program} ${subcommand}`
      if (words !== program && !words.startsWith(`${program} `)) return []
      return [subcommand !== '' && words.startsWith(whole) ? whole : program]
    })
    // Of what the agent has not run it is only talk.
    return what === undefined ? [] : [{ at, who, what: text, wrong: what, right: right === null ? null : named(right) }]
  }
  return []
}
