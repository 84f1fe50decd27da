import { join } from 'node:path'
import { withBox } from './box.ts'
import { type Conversation, Conversations, findClaude } from './conversations.ts'
import { type Findings, interleave, median, ms, percentile, times, type Topic } from './measure.ts'

const rounds = 5
const calls = 40
/** The first calls of a conversation load what the later ones find in memory. */
const warmUp = 3

type Variant = 'none' | 'without' | 'with'
const variants: readonly Variant[] = ['none', 'without', 'with']
const names: Record<Variant, string> = {
  none: 'no hooks',
  without: "Rein's hooks, memory off",
  with: "Rein's hooks with memory: feed, suggest, diagnose, advise",
}
const off = { REIN_MEMORY_FEED: 'false', REIN_MEMORY_ADVISE: 'false' }

/** The same calls of a real Claude Code, side by side, in a Rein that remembers and in one that does not. */
const run = (): Promise<Findings> =>
  withBox(
    (without) =>
      withBox(async (remembering) => {
        const installed = await findClaude()
        const nobody = join(without.root, 'nobody.sock')
        const plain = new Conversations(without, installed, nobody)
        const taught = new Conversations(remembering, installed, nobody)
        const taken: Record<Variant, number[]> = { none: [], without: [], with: [] }
        for (let round = 0; round < rounds; round += 1) {
          const started: Record<Variant, Conversation> = {
            none: await plain.start('none', calls),
            without: await plain.start('rein', calls),
            with: await taught.start('rein', calls),
          }
          const turn = (variant: Variant) => () => started[variant].call()
          const some = await interleave({ none: turn('none'), without: turn('without'), with: turn('with') }, calls)
          for (const variant of variants) taken[variant].push(...some[variant].slice(warmUp))
          await Promise.all(variants.map((variant) => started[variant].stop()))
        }
        return findings(taken)
      }),
    off,
  )

const findings = (taken: Record<Variant, number[]>): Findings => {
  const added = (variant: Variant): number => median(taken[variant]) - median(taken.none)
  return {
    head: ['one Bash call (`true`) of a real Claude Code', 'p50', 'p95', 'added (p50)', 'compared with memory off'],
    rows: variants.map((variant) => [
      names[variant],
      ms(median(taken[variant])),
      ms(percentile(taken[variant], 0.95)),
      variant === 'none' ? '–' : ms(added(variant)),
      variant === 'none' ? '–' : times(added(variant) / added('without')),
    ]),
    notes: [`${taken.with.length} calls each, in ${rounds} conversations each, side by side.`],
    goals: [
      {
        what: 'added time with memory, compared with memory off:',
        value: added('with') / added('without'),
        limit: 1.1,
        kind: 'at most',
      },
    ],
  }
}

export const memoryHooks: Topic = { title: 'Hooks with command memory', run }
