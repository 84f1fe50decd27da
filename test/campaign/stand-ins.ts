import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeAccount } from './account.ts'
import { play } from './campaign.ts'
import type { Options } from './options.ts'
import { readReceipts } from './receipts.ts'
import { createStage, type Env, whenBrokenOff, writeStandIn } from './stage.ts'
import { count, judge, type Tally } from './tally.ts'

/** The campaign with stand-in agents, whose own account of what their models got is the truth. */
export const runStandIns = async (options: Options): Promise<Tally> => {
  const root = mkdtempSync(join(tmpdir(), 'rein-campaign-'))
  const stage = createStage(writeStandIn(root, options.standIn), root)
  whenBrokenOff(stage.close)
  const truths = join(root, 'truth')
  mkdirSync(truths)
  const handles = Array.from({ length: options.agents }, (_, n) => `agent-${n + 1}`)
  const fileOf = (handle: string): string => join(truths, `${handle}.jsonl`)
  let launches = 0
  const envOf = (handle: string): Env => {
    launches += 1
    return { ...stage.env, CAMPAIGN_TRUTH: fileOf(handle), CAMPAIGN_SEED: String(options.seed * 10_000 + launches) }
  }
  try {
    const played = await play(stage, options, { handles, envOf, prompt: () => 'Go on.' })
    const receipts = readReceipts(stage.paths)
    const account = takeAccount(handles.map(fileOf), receipts, played.deaths)
    const counts = { ...played.counts, ...count(played.accepted, receipts, account) }
    const mode = options.isControl ? 'stand-in agents, answered before the commit' : 'stand-in agents'
    return { mode, seed: options.seed, counts, failures: judge(counts, options.isControl) }
  } finally {
    stage.close()
  }
}
