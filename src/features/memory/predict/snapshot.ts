import { TEMPLATE_EXPERTS, TEXT_EXPERTS, STUB_EXPERTS } from './experts.ts'
import { hashText } from './hash.ts'
import { Predictor } from './predictor.ts'
import type { Ranker } from './ranker.ts'
import { TEMPLATE_FEATURES } from './template-stage.ts'
import { TEXT_FEATURES } from './text-stage.ts'
import type { Weights } from './weights.ts'

interface Head {
  readonly shape: number
  readonly sizes: readonly number[]
  readonly now: number
  readonly templates: ReturnType<Predictor['lexicon']['templates']['save']>
  readonly texts: ReturnType<Predictor['lexicon']['texts']['save']>
  readonly sessions: ReturnType<Predictor['sessions']['save']>
  readonly recent: ReturnType<Predictor['recent']['save']>
}

const LENGTH_BYTES = 4

/** Another set of experts or features makes numbers mean something else. */
const SHAPE = hashText(
  [
    TEMPLATE_FEATURES,
    TEXT_FEATURES,
    ...[...TEMPLATE_EXPERTS, ...STUB_EXPERTS, ...TEXT_EXPERTS].map(({ name }) => name),
  ].join(),
)

const tablesOf = ({ templateStage, textStage }: Predictor) => [
  ...[templateStage.panel, templateStage.stubs, textStage.panel].flatMap(({ narrow, wide }) => [narrow, wide]),
  textStage.lines,
]
const rankersOf = ({ agents, people }: Predictor): Ranker[] => [
  agents.template,
  agents.text,
  people.template,
  people.text,
]
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** All that a predictor has learnt, in pieces that are to be written one after the other before anything more is learnt. */
export function snapshot(predictor: Predictor): Uint8Array[] {
  const parts = [
    ...tablesOf(predictor).flatMap((table) => table.save()),
    ...rankersOf(predictor).map(({ weights }) => bytesOf(weights)),
  ]
  const head: Head = {
    shape: SHAPE,
    sizes: parts.map(({ length }) => length),
    now: predictor.lexicon.now,
    templates: predictor.lexicon.templates.save(),
    texts: predictor.lexicon.texts.save(),
    sessions: predictor.sessions.save(),
    recent: predictor.recent.save(),
  }
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return [length, json, ...parts]
}

/** The predictor of a snapshot, or nothing if the snapshot is of another version or damaged: then history is replayed. */
export function restored(bytes: Uint8Array, weights: Weights): Predictor | undefined {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const start = LENGTH_BYTES + buffer.readUInt32LE()
    const head: Head = JSON.parse(buffer.toString('utf8', LENGTH_BYTES, start))
    return head.shape === SHAPE ? filled(new Predictor(weights), head, partsOf(buffer, start, head.sizes)) : undefined
  } catch {
    return undefined
  }
}

function partsOf(buffer: Buffer, start: number, sizes: readonly number[]): Uint8Array[] {
  let at = start
  const parts = sizes.map((size) => {
    at += size
    return buffer.subarray(at - size, at)
  })
  if (at !== buffer.length) throw new Error('a snapshot is cut off')
  return parts
}

function filled(predictor: Predictor, head: Head, parts: readonly Uint8Array[]): Predictor {
  const tables = tablesOf(predictor)
  const each = (parts.length - rankersOf(predictor).length) / tables.length
  for (const [index, table] of tables.entries()) table.load(parts.slice(index * each, (index + 1) * each))
  for (const [index, ranker] of rankersOf(predictor).entries()) {
    const part = parts[tables.length * each + index]
    if (part !== undefined) ranker.weights.set(new Float32Array(new Uint8Array(part).buffer))
  }
  predictor.lexicon.now = head.now
  predictor.lexicon.templates.load(head.templates)
  predictor.lexicon.texts.load(head.texts)
  predictor.sessions.load(head.sessions)
  predictor.recent.load(head.recent, (line) => predictor.lexicon.texts.value(line)?.source ?? '')
  return predictor
}
