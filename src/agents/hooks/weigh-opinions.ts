import type { Decision, HookCall, HookEvent, HookReply, ResponderReply, Verdict } from '../../contract/hooks.ts'
import { type Opinion, type OpinionKind, opinionKinds } from '../../contract/opinion.ts'

/** The opinions of one responder; a decision or a verdict without one is its opinion. */
export const opinionsIn = (by: string, { opinions, decision, verdict }: ResponderReply): readonly Opinion[] => {
  if (opinions !== undefined) return opinions
  if (decision != null) return [{ by, ...decision }]
  if (verdict === undefined) return []
  return [verdict.kind === 'allow' ? { by, kind: 'approve', reason: '' } : { by, ...verdict }]
}

const strength = (kind: OpinionKind): number => opinionKinds.indexOf(kind)

/** deny > ask > rewrite > warn > context > log > approve; of equal ones the first. */
export const strongest = (opinions: readonly Opinion[]): Opinion | null =>
  opinions.reduce<Opinion | null>(
    (best, one) => (best === null || strength(one.kind) < strength(best.kind) ? one : best),
    null,
  )

/** Strongest first; equal ones keep their order. */
export const byStrength = (opinions: readonly Opinion[]): Opinion[] =>
  opinions.toSorted((a, b) => strength(a.kind) - strength(b.kind))

/** The call with what it was rewritten to; only the one tool that it is about. */
export const withInput = (call: HookCall, input: Record<string, unknown>): HookCall => {
  const [tool, ...others] = call.tools
  return tool === undefined ? call : { ...call, tools: [{ ...tool, input }, ...others] }
}

type Decided = Pick<HookReply, 'decision' | 'verdict'>

// An `ask` rules out an approval.
const deciding: Partial<Record<HookEvent, (opinions: readonly Opinion[]) => Decided>> = {
  before_tool: (opinions) => ({ decision: decisionOf(opinions) }),
  permission: (opinions) => {
    const first = strongest(opinions.filter(({ kind }) => kind === 'deny' || kind === 'ask' || kind === 'approve'))
    if (first === null || first.kind === 'ask') return { decision: null }
    const verdict: Verdict =
      first.kind === 'deny' ? { kind: 'deny', reason: reasonsOf(withBestRule(opinions), 'deny') } : { kind: 'allow' }
    return { decision: null, verdict }
  },
  prompt: (opinions) => ({ decision: decisionOf(opinions.filter(({ kind }) => kind === 'deny')) }),
}

/** The outcome of all opinions on a call. */
export const decided = ({ event }: Pick<HookCall, 'event'>, opinions: readonly Opinion[]): Decided =>
  deciding[event]?.(opinions) ?? { decision: null }

/** A person is asked about what will run. */
const decisionOf = (opinions: readonly Opinion[]): Decision | null => {
  const first = strongest(opinions)
  const input = opinions.findLast(({ kind }) => kind === 'rewrite')?.input
  if (first?.kind === 'deny') return { kind: 'deny', reason: reasonsOf(withBestRule(opinions), 'deny') }
  if (first?.kind === 'ask') return { kind: 'ask', reason: first.reason, ...(input === undefined ? {} : { input }) }
  if (first?.kind === 'rewrite' && input !== undefined)
    return { kind: 'rewrite', input, reason: reasonsOf(opinions, 'rewrite') }
  return null
}

const isOfRule = ({ by, kind }: Opinion): boolean => kind === 'deny' && by.startsWith('rule ')

/** Only the first denying rule gives its reason: a refusal with one reason is understood. */
const withBestRule = (opinions: readonly Opinion[]): readonly Opinion[] => {
  const best = opinions.find(isOfRule)
  return opinions.filter((one) => one === best || !isOfRule(one))
}

/** All reasons are given, so that all can be fixed at once; the last rewrite includes the others. */
const reasonsOf = (opinions: readonly Opinion[], wanted: OpinionKind): string =>
  [...new Set(opinions.flatMap(({ kind, reason }) => (kind === wanted && reason !== '' ? [reason] : [])))].join('\n\n')
