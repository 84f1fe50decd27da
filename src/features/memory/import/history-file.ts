import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { ReinError } from '../../../contract/errors.ts'
import { openDatabase } from '../../../base/store/sqlite.ts'
import { keptOutput } from '../recorded.ts'
import { readAtuin } from './atuin/store.ts'
import { BashHistory } from './bash.ts'
import { FishHistory } from './fish.ts'
import type { Found } from './found.ts'
import { type HistoryReader, readHistory } from './history-reader.ts'
import { type HistoryKind, historyKinds, kindOf } from './kind.ts'
import { TranscriptHistory } from './transcript.ts'
import { ZshHistory } from './zsh.ts'

/** A command of a history, with an id that is the same whenever that is read, also when it has grown. */
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

const sayKind = `If it is one, say which: --kind ${historyKinds.join('|')}`

/** The histories of a file, or all transcripts below a directory, oldest first. */
export const openHistory = (place: string, kind?: HistoryKind): History[] => {
  const stat = statSync(place, { throwIfNoEntry: false })
  if (stat === undefined) throw new ReinError('not_found', `There is no file ${place}.`)
  if (stat.isDirectory()) return transcriptsBelow(place).map(({ file, found }) => historyOf(file, found))
  const found = kind ?? kindOf(place)
  if (found === null) throw new ReinError('usage', `${place} does not look like a history that Rein knows.`, sayKind)
  return [historyOf(place, found)]
}

const transcriptsBelow = (directory: string): { file: string; found: HistoryKind }[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file, found: kindOf(file), at: statSync(file).mtimeMs }))
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ file, found }) => (found === null ? [] : [{ file, found }]))

const historyOf = (file: string, kind: HistoryKind): History => ({
  path: file,
  kind,
  commands: () => named(kind, realpathSync(file), kind === 'atuin' ? atuinIn(file) : readFile(file, readers[kind]())),
})

const readers: Record<Exclude<HistoryKind, 'atuin'>, () => HistoryReader> = {
  bash: () => new BashHistory(),
  zsh: () => new ZshHistory(),
  fish: () => new FishHistory(),
  claude: () => new TranscriptHistory('claude'),
  codex: () => new TranscriptHistory('codex'),
}

const readFile = (file: string, reader: HistoryReader): AsyncGenerator<Found> =>
  readHistory(createReadStream(file) as AsyncIterable<Buffer>, reader)

function* atuinIn(file: string): Generator<Found> {
  const db = openDatabase(file, { readOnly: true })
  try {
    yield* readAtuin(db)
  } finally {
    db.close()
  }
}

/** What has no session is one long session of its file. */
async function* named(
  kind: HistoryKind,
  file: string,
  all: AsyncIterable<Found> | Iterable<Found>,
): AsyncGenerator<ImportedCommand> {
  const idOf = ids(kind, file)
  const whole = `${kind}-${hash(file).slice(0, 12)}`
  for await (const { key, ...found } of all) {
    const id = key === null ? idOf(found) : `cmd_${kind}_${key}`
    const output = keptOutput(found.outcome, found.output)
    yield { ...found, id, output, session: found.session ?? whole }
  }
}

/** A history without names: the n-th time that this was run at this time, or in this file where times are not known. */
const ids = (kind: HistoryKind, file: string): ((found: Omit<Found, 'key'>) => string) => {
  const times = new Map<string, number>()
  return ({ command, at }) => {
    const what = hash(JSON.stringify([kind, at ?? file, command]))
    const count = (times.get(what) ?? 0) + 1
    times.set(what, count)
    return `cmd_${kind}_${what.slice(0, 24)}_${count}`
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
