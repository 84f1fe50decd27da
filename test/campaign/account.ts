import { readFileSync } from 'node:fs'
import type { Stored } from './receipts.ts'
import type { Counts } from './tally.ts'
import type { TruthLine } from './truth.ts'

/** Rein had written the first offer down, and offered again by its own rules. */
const byRule = 'shown again by rule'
/** Rein had no record of the first offer: the daemon was killed after it had spoken and before it had written. */
const afterKill = 'shown again after a kill'
const unexplained = 'shown again unexplained'

/** What the account of the models says against the receipts. */
export interface Account {
  /** Notes that stood before a model when it replied. */
  got: Set<string>
  /** Receipts that say *seen* by a reply before which the note did not stand. */
  falseSeen: string[]
  /** Acknowledgements that were answered for. */
  acked: Set<string>
  /** How many notes were shown once more while they still stood in the same conversation, by why. */
  shownAgain: Counts
}

/** A death is noted a little after it happened. */
const noticedMs = 1_000

interface Claims {
  receipts: Map<string, Stored>
  /** Which notes are said to be seen by which reply. */
  byReply: Map<string, string[]>
  deaths: number[]
}

export const readTruth = (file: string): TruthLine[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TruthLine)

export const takeAccount = (files: string[], receipts: Map<string, Stored>, deaths: number[]): Account => {
  const shownAgain = { [byRule]: 0, [afterKill]: 0, [unexplained]: 0 }
  const account: Account = { got: new Set(), falseSeen: [], acked: new Set(), shownAgain }
  const byReply = seenClaims(receipts)
  for (const file of files) replay(readTruth(file), { receipts, byReply, deaths }, account)
  // What is left names a reply that no model ever gave.
  account.falseSeen.push(...[...byReply.values()].flat())
  return account
}

const seenClaims = (receipts: Map<string, Stored>): Map<string, string[]> => {
  const claims = new Map<string, string[]>()
  for (const [note, { steps }] of receipts)
    for (const { state, evidence } of steps)
      if (state === 'seen')
        claims.set(evidence?.descendant ?? '', [...(claims.get(evidence?.descendant ?? '') ?? []), note])
  return claims
}

/** Goes through the life of one agent: what its model held, when, and what it replied to. */
const replay = (lines: TruthLine[], claims: Claims, account: Account): void => {
  const held = new Set<string>()
  const unanswered = new Set<string>()
  const shownAt = new Map<string, number>()
  const hold = (note: string): void => [held, unanswered].forEach((one) => one.add(note))
  for (const line of lines) {
    if (line.kind === 'begin' || line.kind === 'forget') for (const one of [held, unanswered]) one.clear()
    if (line.kind === 'begin') line.holds.forEach(hold)
    if (line.kind === 'shown')
      for (const note of line.notes) {
        if (held.has(note)) explainRepeat(note, shownAt.get(note) ?? 0, line.at, claims, account)
        shownAt.set(note, line.at)
        hold(note)
      }
    if (line.kind === 'reply') {
      for (const note of unanswered) account.got.add(note)
      unanswered.clear()
      checkClaims(line.entry, held, claims, account)
    }
    if (line.kind === 'acked') account.acked.add(line.note)
  }
}

const checkClaims = (entry: string, held: Set<string>, { byReply }: Claims, account: Account): void => {
  account.falseSeen.push(...(byReply.get(entry) ?? []).filter((note) => !held.has(note)))
  byReply.delete(entry)
}

const explainRepeat = (note: string, before: number, at: number, claims: Claims, account: Account): void => {
  const offers = (claims.receipts.get(note)?.steps ?? []).filter(({ state }) => state === 'offered')
  const isWritten = offers.some((step) => step.at <= before) && offers.some((step) => step.at > before && step.at <= at)
  const wasKilled = claims.deaths.some((death) => death >= before - noticedMs && death <= at + noticedMs)
  const why = isWritten ? byRule : wasKilled ? afterKill : unexplained
  account.shownAgain[why] = (account.shownAgain[why] ?? 0) + 1
}
