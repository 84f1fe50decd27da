import type { Command } from '../../../contract/command.ts'
import type { Proposal } from '../../../contract/outputs/rule-tools.ts'
import { normalise } from '../../../base/shell/normalise.ts'
import { type Evidence, grouped, kindOf } from './evidence.ts'
import { nameOf, proposalOf } from './proposal.ts'

/** A command that was run, with the handle of the agent that ran it or `person`. */
export interface Ran extends Pick<Command, 'command' | 'session' | 'outcome'> {
  at: number
  who: string
}

interface Repair extends Evidence {
  failed: string
  helped: string
}

const least = 3
/** So many commands later it has nothing to do with the failure any more. */
const reach = 3

/** What failed again and again, never worked, and was followed by the same other command that did. */
export const fromFailures = (ran: readonly Ran[]): Proposal[] => {
  const worked = new Set(ran.filter(({ outcome }) => outcome === 'ok').map(({ command }) => normalise(command)))
  const repairs = grouped(ran, ({ session }) => session).flatMap((commands) =>
    commands.flatMap(({ command, outcome, at, who }, index): Repair[] => {
      if (outcome !== 'failed') return []
      const helped = commands.slice(index + 1, index + 1 + reach).find((later) => isRepair(command, later))
      if (helped === undefined) return []
      const [failed, right] = [normalise(command), normalise(helped.command)]
      return [{ at, who, what: `${failed} failed, ${right} worked`, failed, helped: right }]
    }),
  )
  return grouped(
    repairs.filter(({ failed }) => !worked.has(failed)),
    ({ failed }) => failed,
  ).flatMap(propose)
}

/** The same program in another way, or another program for the same thing. */
const isRepair = (failed: string, later: Ran): boolean => {
  if (later.outcome !== 'ok' || normalise(later.command) === normalise(failed)) return false
  const [before, after] = [kindOf(failed), kindOf(later.command)]
  return before.program === after.program || (before.subcommand !== '' && before.subcommand === after.subcommand)
}

const propose = (repairs: readonly Repair[]): Proposal[] => {
  const [most = []] = grouped(repairs, ({ helped }) => helped).toSorted((a, b) => b.length - a.length)
  const [first] = most
  if (repairs.length < least || first === undefined || most.length * 2 < repairs.length) return []
  const { program, subcommand } = kindOf(first.failed)
  const rule = {
    name: nameOf('fails-here', program, subcommand),
    on: 'shell' as const,
    when: {
      regex: {
        pattern: `^\\s*${first.failed.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}\\s*$`,
        on: 'command' as const,
      },
    },
    action: 'warn' as const,
    once: 'session' as const,
    message: `\`${first.failed}\` has failed here ${repairs.length} times. What helped: \`${first.helped}\``,
  }
  return [proposalOf('failed', rule, repairs)]
}
