import { ReinError } from '../contract/errors.ts'
import { parseObject } from '../base/util/json.ts'
import type { Arrival, ArrivingFile } from './contract.ts'
import type { Json } from './json.ts'

export const transcriptName = 'transcript.jsonl'

/** The transcript among what has come. */
export const readTranscript = async (files: readonly ArrivingFile[]): Promise<string> =>
  (await files.find(({ name }) => name === transcriptName)?.read()) ?? ''

/** A line that is no object would be nothing that a CLI has written. */
export const parseLines = (content: string): Json[] => {
  const lines = content.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const raw = parseObject(line)
    if (raw === null) throw new ReinError('refused', 'A line of the conversation is no JSON object.')
    return raw
  })
}

export const formatLines = (raws: readonly unknown[]): string => raws.map((raw) => `${JSON.stringify(raw)}\n`).join('')

/** A directory of the work tree there is the same one in the work tree here; any other stays what it was. */
export const moveDirectory = (dir: unknown, { from, root }: Pick<Arrival, 'from' | 'root'>): unknown => {
  if (typeof dir !== 'string') return dir
  return dir === from.root || dir.startsWith(`${from.root}/`) ? `${root}${dir.slice(from.root.length)}` : dir
}
