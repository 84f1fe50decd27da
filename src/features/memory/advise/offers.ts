import type { Command } from '../../../contract/command.ts'
import type { LineCache } from '../../../base/shell/line-cache.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { isSayable, type Trap } from '../book/primer.ts'
import type { Variant } from '../book/variant.ts'
import { isPublishing } from '../diagnose/destructive.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import type { Fix } from '../diagnose/fix.ts'
import type { Prediction } from '../predict/event.ts'
import type { About, AdviserPorts } from './about.ts'
import { fixesToTell, fixToOffer, LONGEST_COMMAND } from './fix-choice.ts'
import { type KnownHere, knownHere } from './known-here.ts'
import type { Ground } from './line-from.ts'
import { doublings, type Offer, type Silence, silence } from './offer.ts'
import { budgetOf, isPassthrough, isSpecific, mostlySucceeds } from './rules.ts'
import { fixText, helpedText, meaningText, nextText, toolText, variantText } from './wording.ts'
import { wrongTool } from './wrong-tool.ts'

export type Offers = Iterable<Offer | Silence>

const MOST_RUNS = 2

type Known = Pick<AdviserPorts, 'book' | 'diagnose' | 'settings'> & {
  readonly lines: LineCache
  readonly ground: Ground
}

/** How this project is worked on, as an agent is told. */
export function primerText(known: Known, project: string): string | null {
  const { book, diagnose, settings, lines } = known
  const helped = ({ command, exit, error }: Trap): string | null => {
    const diagnosis = diagnose(project, { command, exit, output: error })
    const fix = learntFix(known, { project, cwd: null }, diagnosis, lines.read(command))
    return fix === undefined || fix.kind === 'again' ? null : helpedText(fix)
  }
  return book(project).primer(budgetOf(settings.tokens, 'primer'), helped)
}

export function primerOffer(known: Known, { project }: About): Offer | Silence {
  const text = primerText(known, project)
  if (text === null) return silence('too little is known')
  return { kind: 'primer', key: 'primer', evidence: 0, text, why: 'start' }
}

/** After commands, best first; with none it was another tool that was used. */
export function* offersAfter(
  known: Known,
  about: About,
  ran: readonly Command[],
  predictions: readonly Prediction[],
): Offers {
  const last = ran.findLast(({ outcome }) => outcome === 'failed') ?? ran.at(-1)
  const line = known.lines.read(last?.command ?? '')
  const isDull = last !== undefined && isPassthrough(line)
  const isLong = last !== undefined && last.outcome !== 'failed' && isSpecific(line)
  if (last?.outcome === 'failed' && !isDull) yield* failureOffers(known, about, last, line)
  else if (last !== undefined && !isDull && !isLong)
    yield* variantOffers(known.book(about.project).variant(line, last.cwd ?? about.cwd))
  yield* toolOffers(known, about, ran)
  if (isDull) yield silence('passthrough')
  else if (isLong) yield silence('specific')
  else yield* nextOffers(known, about, ran, predictions)
}

/** What helped here before what helps anywhere. */
function* failureOffers(known: Known, about: About, { command, exit, output }: Command, line: ShellLine): Offers {
  const diagnosis = known.diagnose(about.project, { command, exit, output: output ?? '' })
  const fix = learntFix(known, about, diagnosis, line)
  if (fix !== undefined) yield fixOffer(fix, diagnosis)
  const book = known.book(about.project)
  const variant = book.variant(line, about.cwd)
  if (variant?.kind === 'program') yield* variantOffers(variant)
  const budget = budgetOf(known.settings.tokens, 'meaning')
  yield meaningOffer(
    diagnosis,
    (run) => book.variant(known.lines.read(run), about.cwd)?.command ?? run,
    command,
    budget,
  )
  yield* variantOffers(variant)
}

interface Asker {
  readonly project: string
  /** Null for whoever may be anywhere in the project. */
  readonly cwd: string | null
}

const learntFix = (
  { book, lines, settings, ground }: Known,
  { project, cwd }: Asker,
  diagnosis: Diagnosis,
  failed: ShellLine,
): Fix | undefined =>
  fixToOffer(fixesToTell(diagnosis.fixes, failed, cwd, ground), failed, {
    book: book(project),
    lines,
    confidence: settings.confidence,
    diagnosis,
  })

const fixOffer = (fix: Fix, { signature }: Diagnosis): Offer => ({
  kind: 'fix',
  key: `fix ${signature.key} ${fix.kind} ${fix.command}`,
  evidence: fix.tried,
  text: fixText(fix),
  why: fix.why,
})

function meaningOffer(
  { explanation, signature }: Diagnosis,
  asHere: (run: string) => string,
  failed: string,
  budget: number,
): Offer | Silence {
  if (explanation === undefined) return silence('unknown failure')
  if (!explanation.isTelling) return silence('says it itself')
  const run = explanation.run
    .map(asHere)
    .filter((command) => isSayable(command, LONGEST_COMMAND) && !isPublishing(command) && command !== failed)
    .slice(0, MOST_RUNS)
  return {
    kind: 'meaning',
    key: `meaning ${explanation.name} ${signature.key}`,
    evidence: 0,
    text: meaningText(explanation.means, run, budget),
    why: explanation.name,
  }
}

function* variantOffers(variant: Variant | null): Offers {
  if (variant === null) return
  const { command, kind, ok, runs } = variant
  yield {
    kind: 'variant',
    key: `variant ${command}`,
    evidence: doublings(ok),
    text: variantText(variant),
    why: `other ${kind}, ${ok} of ${runs}`,
  }
}

function* toolOffers({ settings }: Known, { fileTools }: About, ran: readonly Command[]): Offers {
  if (settings.wrongTool !== 'advise') return
  for (const { command } of ran) {
    const wrong = wrongTool(command, fileTools)
    if (wrong === null) continue
    yield { kind: 'tool', key: `tool ${wrong.kind}`, evidence: 0, text: toolText(wrong), why: wrong.why }
  }
}

/** A line that is likely to come next and succeeds here. */
export function* nextOffers(
  { book, lines, settings, ground }: Pick<Known, 'book' | 'lines' | 'settings' | 'ground'>,
  about: About,
  ran: readonly Command[],
  predictions: readonly Prediction[],
): Offers {
  const sure = predictions.filter(({ score }) => score >= settings.confidence)
  if (sure.length === 0) yield silence('not sure enough')
  const justRun = new Set(ran.map(({ command }) => lines.read(command).text))
  for (const { text: source, reasons } of sure) {
    const known = knownHere(source, about.cwd, { book: book(about.project), lines, ground })
    const text = known?.text ?? source
    const line = lines.read(text)
    if (justRun.has(line.text)) yield silence('just run')
    else if (isPassthrough(line)) yield silence('passthrough')
    else if (!isSayable(text, LONGEST_COMMAND) || isPublishing(text)) yield silence('not to be suggested')
    else if (known === null) yield silence('never run here')
    else yield nextOffer(known, line, reasons)
  }
}

function nextOffer({ text, runs }: KnownHere, line: ShellLine, reasons: readonly string[]): Offer | Silence {
  const { ok, failed, piped } = runs
  if (!mostlySucceeds(ok + piped, failed)) return silence('fails here')
  const often = ok + failed > 0 ? `worked ${ok} of ${ok + failed} times here` : `run ${piped} times here`
  return {
    kind: 'next',
    key: `next ${line.text}`,
    evidence: doublings(ok + piped),
    text: nextText(text, often),
    why: reasons[0] ?? 'likely',
  }
}
