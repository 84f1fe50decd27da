import { readFile } from 'node:fs/promises'
import { loadRules } from './load.ts'
import { packFile } from './sources.ts'

export interface PackSummary {
  name: string
  /** What its file begins with. */
  description: string
  rules: number
}

export const packSummaries = (names: readonly string[]): Promise<PackSummary[]> => Promise.all(names.map(summaryOf))

const summaryOf = async (name: string): Promise<PackSummary> => {
  const file = packFile(name)
  const text = await readFile(file, 'utf8')
  const { rules } = await loadRules([{ origin: 'pack', file, text, isTrusted: true }])
  return { name, description: /^# (.+)$/m.exec(text)?.[1] ?? '', rules: rules.length }
}
