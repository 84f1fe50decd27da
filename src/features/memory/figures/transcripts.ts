import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MeasuredCommand } from './meter.ts'
import type { OpenTranscript } from './waste.ts'

/** Reads one transcript from its beginning. */
export type ReadTranscript = (path: string) => AsyncIterable<MeasuredCommand>

/** The transcripts among these files, and in these directories however deep, each opened when its turn comes. */
export async function* transcriptsIn(paths: readonly string[], read: ReadTranscript): AsyncGenerator<OpenTranscript> {
  for (const path of paths) for await (const file of filesIn(path)) yield { path: file, commands: read(file) }
}

/** Links in a directory are not followed, so that nothing is read twice. */
async function* filesIn(path: string): AsyncGenerator<string> {
  // What is no directory, or none that can be read, is left to the reader: that says what is wrong with it.
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null)
  if (entries === null) yield path
  for (const entry of entries?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
    if (entry.isDirectory()) yield* filesIn(join(path, entry.name))
    else if (entry.isFile() && entry.name.endsWith('.jsonl')) yield join(path, entry.name)
  }
}
