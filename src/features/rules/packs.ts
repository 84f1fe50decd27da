import path from 'node:path'
import { loadRules } from './load.ts'
import { packNames, ruleSources } from './sources.ts'

interface PackSummary {
  name: string
  /** The comment at the beginning of its file. */
  description: string
  rules: number
}

/** All packs that come with Rein. */
export const packSummaries = async (state: string): Promise<PackSummary[]> => {
  const sources = await ruleSources(null, { userRules: '', state }, packNames)
  return Promise.all(
    sources
      .filter(({ origin }) => origin === 'pack')
      .map(async (source) => {
        const { rules } = await loadRules([source])
        // The first sentence.
        const description = /^# (.+?\.)(\s|$)/m.exec(source.text)?.[1] ?? ''
        return { name: path.basename(source.file, '.yaml'), description, rules: rules.length }
      }),
  )
}
