import path from 'node:path'
import { loadRules } from './load.ts'
import type { RuleSource } from './types.ts'

export interface PackSummary {
  name: string
  /** What its file begins with. */
  description: string
  rules: number
}

/** What the packs among these sources hold. */
export const packSummaries = (sources: readonly RuleSource[]): Promise<PackSummary[]> =>
  Promise.all(sources.filter(({ origin }) => origin === 'pack').map(summaryOf))

const summaryOf = async (source: RuleSource): Promise<PackSummary> => {
  const { rules } = await loadRules([source])
  const description = /^# (.+)$/m.exec(source.text)?.[1] ?? ''
  return { name: path.basename(source.file, '.yaml'), description, rules: rules.length }
}
