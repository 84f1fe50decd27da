import { type Block, weightOf } from './blocks.ts'

/**
 * The conversation as far as it is kept. Full chunks are shared by all that follow, so adding costs the same however
 * long it is; what is too old goes a chunk at a time.
 */
export interface Transcript {
  /** All but the last have `chunkBlocks` blocks. */
  chunks: readonly Chunk[]
  first: number
  end: number
  weight: number
}

interface Chunk {
  blocks: readonly Block[]
  weight: number
}

const chunkBlocks = 128
export const keptBlocks = 20_000
const keptCharacters = 8_000_000

export const emptyTranscript: Transcript = { chunks: [], first: 0, end: 0, weight: 0 }

export const blockAt = ({ chunks, first, end }: Transcript, n: number): Block | undefined => {
  if (n < first || n >= end) return undefined
  const index = n - first
  return chunks[Math.floor(index / chunkBlocks)]?.blocks[index % chunkBlocks]
}

/** The last one that everybody sees. */
export const lastBlock = (transcript: Transcript): Block | undefined => {
  let n = transcript.end - 1
  while (blockAt(transcript, n)?.kind === 'other') n -= 1
  return blockAt(transcript, n)
}

export const withBlock = (transcript: Transcript, block: Block): Transcript => {
  const { chunks, first, end } = transcript
  const weight = weightOf(block)
  const last = chunks.at(-1)
  const isFull = last === undefined || last.blocks.length === chunkBlocks
  const grown = isFull
    ? [...chunks, { blocks: [block], weight }]
    : [...chunks.slice(0, -1), { blocks: [...last.blocks, block], weight: last.weight + weight }]
  return bounded({ chunks: grown, first, end: end + 1, weight: transcript.weight + weight })
}

/** Another one in its place; nothing, if it is no longer kept. */
export const withReplaced = (transcript: Transcript, n: number, block: Block): Transcript => {
  const before = blockAt(transcript, n)
  if (before === undefined) return transcript
  const place = Math.floor((n - transcript.first) / chunkBlocks)
  const more = weightOf(block) - weightOf(before)
  const chunks = transcript.chunks.map((chunk, index) =>
    index !== place
      ? chunk
      : {
          blocks: chunk.blocks.with((n - transcript.first) % chunkBlocks, block),
          weight: chunk.weight + more,
        },
  )
  return bounded({ ...transcript, chunks, weight: transcript.weight + more })
}

/** Without what came from this block on. */
export const cutAt = (transcript: Transcript, n: number): Transcript => {
  const { chunks, first } = transcript
  const kept = Math.max(0, n - first)
  const whole = chunks.slice(0, Math.floor(kept / chunkBlocks))
  const part = (chunks[whole.length]?.blocks ?? []).slice(0, kept % chunkBlocks)
  const weight = part.reduce((sum, block) => sum + weightOf(block), 0)
  const left = part.length === 0 ? whole : [...whole, { blocks: part, weight }]
  return { chunks: left, first, end: first + kept, weight: left.reduce((sum, chunk) => sum + chunk.weight, 0) }
}

/** Where the last so many turns begin; 0 if it has no more than these. */
export const beginOfTurns = (transcript: Transcript, count: number): number => {
  let left = count
  for (let n = transcript.end - 1; n >= transcript.first; n -= 1) {
    if (blockAt(transcript, n)?.kind === 'prompt') left -= 1
    if (left === 0) return n
  }
  return transcript.first
}

const bounded = (transcript: Transcript): Transcript => {
  const { chunks, first, end, weight } = transcript
  const [oldest] = chunks
  const fits = end - first <= keptBlocks && weight <= keptCharacters
  if (fits || oldest === undefined || chunks.length === 1) return transcript
  return bounded({ chunks: chunks.slice(1), first: first + chunkBlocks, end, weight: weight - oldest.weight })
}
