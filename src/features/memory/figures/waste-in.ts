import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WasteView } from '../../../contract/outputs/memory.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { type MeasuredCommand, measureTranscript } from './meter.ts'
import { type OpenTranscript, type WasteProgress, wasteOf } from './waste.ts'

/** The cost of useless commands in these transcripts, and in all below these directories. */
export const wasteIn = (paths: readonly string[], onProgress: (progress: WasteProgress) => void): Promise<WasteView> =>
  wasteOf(
    transcriptsIn(paths, (path) => measureTranscript(path, findDriver)),
    (author, version) => (version === null ? null : findDriver(author).fileTools(version)),
    onProgress,
  )

/** The transcripts among these files, and in these directories however deep, each opened when its turn comes. */
export async function* transcriptsIn(
  paths: readonly string[],
  read: (path: string) => AsyncIterable<MeasuredCommand>,
): AsyncGenerator<OpenTranscript> {
  for (const path of paths) for await (const file of filesIn(path)) yield { path: file, commands: read(file) }
}

/** Links in a directory are not followed, so that nothing is read twice. */
async function* filesIn(path: string): AsyncGenerator<string> {
  // A path that is no readable directory is left to the reader, which reports the cause.
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null)
  if (entries === null) yield path
  for (const entry of entries?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
    if (entry.isDirectory()) yield* filesIn(join(path, entry.name))
    else if (entry.isFile() && entry.name.endsWith('.jsonl')) yield join(path, entry.name)
  }
}
