import type { LineCache } from '../../../base/shell/line-cache.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { normalise } from '../../../base/shell/normalise.ts'
import { fillSlots, restyleLine } from './fill.ts'
import { hashText } from './hash.ts'
import type { Lexicon } from './lexicon.ts'
import type { Situation } from './situation.ts'
import type { TemplateRanking } from './template-stage.ts'
import { mostTexts, type TextCandidate, type TextStage } from './text-stage.ts'

const mostShapes = 12
const firstShapes = 4
const filledShapes = 8
const linesPerFirstShape = 6
const linesPerShape = 3
const filledLinesPerShape = 2
const neverRun = 1e6

interface Known {
  readonly lexicon: Lexicon
  readonly lines: LineCache
  readonly stage: TextStage
}

/** The lines that may come next: known ones, and known ones with words of this session. */
export const collectCandidates = (
  { lexicon, lines, stage }: Known,
  situation: Situation,
  rows: Int32Array,
  { symbols, probabilities }: TemplateRanking,
): TextCandidate[] => {
  const { trail } = situation
  const found = new Map<string, TextCandidate>()
  const shapes = new Map(
    symbols
      .map((template, index) => ({ template, likely: probabilities[index + 1] ?? 0 }))
      .toSorted((a, b) => b.likely - a.likely)
      .map(({ template, likely }, rank) => [template, { likely, rank }]),
  )
  const add = (source: string, line: ShellLine, number: number, template: number): void => {
    if (found.size >= mostTexts || found.has(line.text)) return
    const facts = lexicon.texts.value(number)
    const shape = shapes.get(template)
    found.set(line.text, {
      source,
      line,
      number,
      template,
      stub: hashText(line.stub),
      likely: shape?.likely ?? 0,
      rank: shape?.rank ?? shapes.size,
      runs: facts?.runs ?? 0,
      failures: facts?.failures ?? 0,
      idle: facts === undefined ? neverRun : lexicon.now - facts.lastAt,
    })
  }
  const addKnown = (number: number): void => {
    const facts = found.size >= mostTexts ? undefined : lexicon.texts.value(number)
    if (facts !== undefined) add(facts.source, lines.read(facts.source), number, facts.template)
  }
  for (const number of stage.panel.candidates(rows)) addKnown(number)
  for (const file of situation.edited) trail.mention(file, 'path')
  const likeliest = [...shapes].slice(0, mostShapes).map(([template, { rank }]) => ({
    rank,
    numbers: stage.findLines(situation, template, rank < firstShapes ? linesPerFirstShape : linesPerShape),
  }))
  // Each likely shape gets one line before any gets several.
  for (const { numbers } of likeliest) for (const number of numbers.slice(0, 1)) addKnown(number)
  for (const { rank, numbers } of likeliest) {
    for (const number of numbers) addKnown(number)
    for (const number of rank < filledShapes ? numbers.slice(0, filledLinesPerShape) : []) {
      const facts = lexicon.texts.value(number)
      if (facts === undefined) continue
      const line = lines.read(facts.source)
      for (const source of [...restyleLine(line, facts.template, trail), ...fillSlots(facts.source, line, trail)]) {
        if (found.size >= mostTexts || found.has(normalise(source))) continue
        const filled = lines.read(source)
        const known = lexicon.texts.find(filled.text) ?? 0
        if (filled.template === line.template) add(source, filled, known, facts.template)
      }
    }
  }
  return [...found.values()]
}

export interface Choice {
  readonly candidate: TextCandidate
  /** The probability of exactly this line. */
  readonly likely: number
}

/** The weight of a new shape relative to the exact line. */
const shapeWeight = 1.5

/** The best list: likely lines first, and with `areShapesSpread` not the same shape again and again. */
export const chooseCandidates = (choices: readonly Choice[], areShapesSpread: boolean, limit: number): Choice[] => {
  const left = new Set(choices)
  const shown = new Set<number>()
  const chosen: Choice[] = []
  while (chosen.length < limit && left.size > 0) {
    let best: Choice | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const choice of left) {
      const { candidate, likely } = choice
      const worth = likely + (areShapesSpread && !shown.has(candidate.template) ? shapeWeight * candidate.likely : 0)
      if (best !== undefined && worth <= most) continue
      most = worth
      best = choice
    }
    if (best === undefined) break
    left.delete(best)
    shown.add(best.candidate.template)
    chosen.push(best)
  }
  return chosen
}
