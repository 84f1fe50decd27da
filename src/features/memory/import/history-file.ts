import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import { openDatabase } from '../../../base/store/sqlite.ts'
import { keptOutput } from '../recorded.ts'
import { readAtuin } from './atuin/store.ts'
import { type Found, type HistoryReader, readHistory } from './history-reader.ts'
import { type HistoryKind, historyKinds, kindOf } from './kind.ts'
import { BashHistory, FishHistory, ZshHistory } from './shell-histories.ts'
import { TranscriptHistory } from './transcript.ts'

/** A command of a history, with an id that stays the same whenever it is read, also when the history has grown. */
export interface ImportedCommand extends Omit<Found, 'key'> {
  id: string
  session: string
}

export interface History {
  path: string
  kind: HistoryKind
  /** In the order in which they were run. */
  commands: () => AsyncGenerator<ImportedCommand>
}

/** The histories of a file, or all transcripts below a directory, oldest first. */
export const openHistory = (place: string, kind?: HistoryKind): History[] => {
  const stat = statSync(place, { throwIfNoEntry: false })
  if (stat === undefined)
    throw new ReinError(
      'not_found',
      `There is no file ${place}.`,
      'Name a history, like ~/.bash_history, or a directory with transcripts.',
    )
  if (stat.isDirectory())
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => ({ file, found: kindOf(file), at: statSync(file).mtimeMs }))
      .toSorted((a, b) => a.at - b.at)
      .flatMap(({ file, found }) => (found === null ? [] : [makeHistory(file, found)]))
  const found = kind ?? kindOf(place)
  if (found === null)
    throw new ReinError(
      'usage',
      `${place} does not look like a history that Rein knows.`,
      `If it is one, say which: --kind ${historyKinds.join('|')}`,
    )
  return [makeHistory(place, found)]
}

const makeHistory = (file: string, kind: HistoryKind): History => ({
  path: file,
  kind,
  commands: () => nameCommands(kind, file),
})

const readers: Record<Exclude<HistoryKind, 'atuin'>, () => HistoryReader> = {
  bash: () => new BashHistory(),
  zsh: () => new ZshHistory(),
  fish: () => new FishHistory(),
  claude: () => new TranscriptHistory('claude'),
  codex: () => new TranscriptHistory('codex'),
}

async function* readCommands(kind: HistoryKind, file: string): AsyncGenerator<Found> {
  if (kind !== 'atuin') {
    yield* readHistory(createReadStream(file) as AsyncIterable<Buffer>, readers[kind]())
    return
  }
  const db = openDatabase(file, { readOnly: true })
  try {
    yield* readAtuin(db)
  } finally {
    db.close()
  }
}

/**
 * Commands without a session are one long session of their file. Commands without an id get one: the n-th time that
 * this was run at this time, or in this file where times are not known.
 */
async function* nameCommands(kind: HistoryKind, place: string): AsyncGenerator<ImportedCommand> {
  const file = realpathSync(place)
  const wholeFile = `${kind}-${hash(file).slice(0, 12)}`
  const times = new Map<string, number>()
  for await (const { key, ...found } of readCommands(kind, place)) {
    let name = key
    if (name === null) {
      const what = hash(JSON.stringify([kind, found.at ?? file, found.command]))
      const count = (times.get(what) ?? 0) + 1
      times.set(what, count)
      name = `${what.slice(0, 24)}_${count}`
    }
    const output = keptOutput(found.outcome, found.output)
    yield { ...found, id: `cmd_${kind}_${name}`, output, session: found.session ?? wholeFile }
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
