import { viewBytes } from './counts.ts'
import { stubExperts, templateExperts, textExperts } from './experts.ts'
import { hashText } from './hash.ts'
import { Predictor } from './predictor.ts'
import { templateFeatures } from './template-stage.ts'
import { textFeatures } from './text-stage.ts'
import { Trail } from './trail.ts'
import type { Weights } from './weights.ts'

interface Head {
  readonly shape: number
  readonly sizes: readonly number[]
  readonly now: number
  readonly templates: ReturnType<Predictor['lexicon']['templates']['save']>
  readonly texts: ReturnType<Predictor['lexicon']['texts']['save']>
  readonly sessions: readonly (readonly [string, ReturnType<Trail['save']>])[]
  readonly recent: ReturnType<Predictor['recent']['save']>
}

const lengthBytes = 4

/** Other experts or features give the saved numbers another meaning. */
const shape = hashText(
  [
    templateFeatures,
    textFeatures,
    ...[...templateExperts, ...stubExperts, ...textExperts].map(({ name }) => name),
  ].join(),
)

const listTables = ({ templateStage, textStage }: Predictor) => [
  ...[templateStage.panel, templateStage.stubs, textStage.panel].flatMap(({ narrow, wide }) => [narrow, wide]),
  textStage.lines,
]
const listRankers = ({ agents, people }: Predictor) => [agents.template, agents.text, people.template, people.text]

/** All that a predictor has learnt, in pieces to be written one after the other before anything more is learnt. */
export const savePredictor = (predictor: Predictor): Uint8Array[] => {
  const { lexicon, sessions, recent } = predictor
  const parts = [
    ...listTables(predictor).flatMap((table) => table.save()),
    ...listRankers(predictor).map(({ weights }) => viewBytes(weights)),
  ]
  const head: Head = {
    shape,
    sizes: parts.map(({ length }) => length),
    now: lexicon.now,
    templates: lexicon.templates.save(),
    texts: lexicon.texts.save(),
    sessions: [...sessions].map(([session, trail]) => [session, trail.save()]),
    recent: recent.save(),
  }
  const json = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32LE(json.length)
  return [length, json, ...parts]
}

/** The predictor of a snapshot, or undefined if that is of another version or damaged: then history is replayed. */
export const loadPredictor = (bytes: Uint8Array, weights: Weights): Predictor | undefined => {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = lengthBytes + buffer.readUInt32LE()
    const head: Head = JSON.parse(buffer.toString('utf8', lengthBytes, at))
    if (head.shape !== shape) return undefined
    const parts = head.sizes.map((size) => {
      at += size
      return buffer.subarray(at - size, at)
    })
    if (at !== buffer.length) return undefined
    const predictor = new Predictor(weights)
    const { lexicon, sessions, recent } = predictor
    const tables = listTables(predictor)
    const rankers = listRankers(predictor)
    const each = (parts.length - rankers.length) / tables.length
    for (const [index, table] of tables.entries()) table.load(parts.slice(index * each, (index + 1) * each))
    for (const [index, ranker] of rankers.entries()) {
      const part = parts[tables.length * each + index]
      if (part !== undefined) ranker.weights.set(new Float32Array(new Uint8Array(part).buffer))
    }
    lexicon.now = head.now
    lexicon.templates.load(head.templates)
    lexicon.texts.load(head.texts)
    for (const [session, state] of head.sessions) {
      const trail = new Trail(session)
      trail.load(state)
      sessions.set(session, trail)
    }
    recent.load(head.recent, (line) => lexicon.texts.value(line)?.source ?? '')
    return predictor
  } catch {
    return undefined
  }
}
