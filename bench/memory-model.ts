import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { CommandEvent } from '../src/features/memory/predict/event.ts'
import { Predictor } from '../src/features/memory/predict/predictor.ts'
import { loadPredictor, savePredictor } from '../src/features/memory/predict/snapshot.ts'
import { trainedWeights } from '../src/features/memory/predict/weights.ts'
import { LineCache } from '../src/base/shell/line-cache.ts'
import { madeUpHistory } from './memory-history.ts'
import { serveRole } from './role.ts'

export interface MemoryOrder {
  commands: number
  asked: number
}

export interface MemoryResult {
  /** Per second, batch after batch in turns. */
  readingRates: number[]
  learningRates: number[]
  predicting: number[]
  completing: number[]
  learning: number[]
  /** Bytes beyond those of the empty process: in use; of the whole process at the end; and once garbage is gone. */
  live: number
  peak: number
  resident: number
  snapshotBytes: number
  savingMs: number
  restoringMs: number
}

const batch = 10_000
/** So many questions until the code is compiled as well as it will be. */
const warmUp = 1000

/** One process that learns a long history, and is asked then. */
export const memoryModel = (): void => serveRole(measured)

function measured({ commands, asked }: MemoryOrder): MemoryResult {
  const before = settled()
  const predictor = new Predictor(trainedWeights())
  const rates = learnt(predictor, commands)
  const peak = process.memoryUsage().rss - before.rss
  const after = settled()
  const times = asking(predictor, asked)
  return {
    ...rates,
    ...times,
    live: after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers,
    peak,
    resident: after.rss - before.rss,
    ...saving(predictor),
  }
}

/** What is in use once everything that is not is gone. */
/** What is in use once garbage is collected. */
export function settled(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage()
}

/** Each batch is read twice: for its words and shapes alone, and to be learnt. */
function learnt(predictor: Predictor, commands: number): Pick<MemoryResult, 'readingRates' | 'learningRates'> {
  const [readingRates, learningRates]: [number[], number[]] = [[], []]
  const lines = new LineCache()
  let events: CommandEvent[] = []
  for (const event of madeUpHistory(commands)) {
    events.push(event)
    if (events.length < batch) continue
    readingRates.push(perSecond(events, ({ command }) => lines.read(command)))
    learningRates.push(perSecond(events, (one) => predictor.observe(one)))
    events = []
  }
  return { readingRates, learningRates }
}

const perSecond = (events: readonly CommandEvent[], work: (event: CommandEvent) => unknown): number => {
  const started = performance.now()
  for (const event of events) work(event)
  return (events.length / (performance.now() - started)) * 1000
}

/** In turns, as whoever asks the second question before the same command gets what was made for the first. */
function asking(predictor: Predictor, asked: number): Pick<MemoryResult, 'predicting' | 'completing' | 'learning'> {
  const times = { predicting: [] as number[], completing: [] as number[], learning: [] as number[] }
  for (const event of madeUpHistory(warmUp + 2 * asked)) {
    const typed = event.command.slice(0, 1 + (event.time % 8))
    const isPredicted = Math.floor(event.time / 8) % 2 === 0
    const answering = taken(() => (isPredicted ? predictor.predict(event, 10) : predictor.complete(event, typed, 5)))
    const learning = taken(() => predictor.observe(event))
    if (event.time < warmUp) continue
    times[isPredicted ? 'predicting' : 'completing'].push(answering)
    times.learning.push(learning)
  }
  return times
}

function saving(predictor: Predictor): Pick<MemoryResult, 'snapshotBytes' | 'savingMs' | 'restoringMs'> {
  let parts: Uint8Array[] = []
  const savingMs = taken(() => (parts = savePredictor(predictor)))
  const bytes = Buffer.concat(parts)
  const restoringMs = taken(() => {
    if (loadPredictor(bytes, trainedWeights()) === undefined) throw new Error('the snapshot cannot be read')
  })
  return { snapshotBytes: bytes.length, savingMs, restoringMs }
}

const taken = (work: () => unknown): number => {
  const started = performance.now()
  work()
  return performance.now() - started
}
