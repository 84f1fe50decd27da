import type { AdviceKind, Command } from '../../../contract/command.ts'
import type { LineCache } from '../../../base/shell/line-cache.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { isSayable, type Trap } from '../book/primer.ts'
import type { Variant } from '../book/variant.ts'
import { isPublishing } from '../diagnose/destructive.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import type { Fix } from '../diagnose/fix.ts'
import type { Prediction } from '../predict/event.ts'
import type { About, AdviserPorts } from './about.ts'
import { fixesToTell, fixToOffer, longestCommand } from './fix-choice.ts'
import type { Ground } from './ground.ts'
import { findKnownLine } from './line-from.ts'
import { fixText, helpedText, meaningText, nextText, toolText, variantText } from './wording.ts'
import { wrongTool } from './wrong-tool.ts'

/** Something that could be said. */
export interface Offer {
  readonly kind: Exclude<AdviceKind, 'none'>
  /** The same for the same advice. */
  readonly key: string
  /** Higher than before: a reason to say it again. */
  readonly evidence: number
  readonly text: string
  readonly why: string
}

/** Why nothing is said, in the words of the log. */
export const whySilent = [
  'held out',
  'off',
  'not sure enough',
  'too little is known',
  'unknown failure',
  'says it itself',
  'nothing to say',
  'passthrough',
  'specific',
  'cooldown',
  'said before',
  'just run',
  'never run here',
  'fails here',
  'not to be suggested',
  'over budget',
  'no room',
] as const
export type WhySilent = (typeof whySilent)[number]

interface Silence {
  readonly silent: WhySilent
}
const silence = (silent: WhySilent): Silence => ({ silent })

export type Offers = Iterable<Offer | Silence>

type Known = Pick<AdviserPorts, 'book' | 'diagnose' | 'settings'> & {
  readonly lines: LineCache
  readonly ground: Ground
}

const mostRepairs = 2
/** The author of a command this long knows what to do. */
const specificLength = 30
/** A command that fails more often here is not suggested. */
const leastSuccess = 0.6
const charsPerToken = 4

const passthroughs = new Set(
  'ls pwd cd echo printf cat head tail less more grep egrep fgrep rg ag find fd wc tree stat file which type whoami date env printenv true false sleep clear history jq sort uniq cut awk sed diff du df ps touch git-status git-diff git-log git-show git-branch git-blame git-add git-rev-parse git-ls-files git-remote git-grep git-fetch git-stash'.split(
    ' ',
  ),
)

/** Looks or moves about: nothing is worth saying about it. */
const isPassthrough = ({ program, stub }: ShellLine): boolean =>
  program === '' || passthroughs.has(program) || passthroughs.has(stub.replace(' ', '-'))

export const budgetChars = (tokens: number, kind: string): number =>
  tokens * charsPerToken * (kind === 'primer' ? 2 : 1)

/** Only twice as many runs are new evidence. */
const countDoublings = (runs: number): number => Math.floor(Math.log2(runs + 1))

/** How this project is worked on, for an agent. */
export const primerText = (known: Known, project: string): string | null => {
  const { book, diagnose, settings, lines } = known
  const helped = ({ command, exit, error }: Trap): string | null => {
    const diagnosis = diagnose(project, { command, exit, output: error })
    const fix = chooseFix(known, project, null, diagnosis, lines.read(command))
    return fix === undefined || fix.kind === 'again' ? null : helpedText(fix)
  }
  return book(project).primer(budgetChars(settings.tokens, 'primer'), helped)
}

export const primerOffer = (known: Known, { project }: About): Offer | Silence => {
  const text = primerText(known, project)
  if (text === null) return silence('too little is known')
  return { kind: 'primer', key: 'primer', evidence: 0, text, why: 'start' }
}

/** Offers after commands, best first; without commands another tool was used. */
export function* offersAfter(
  known: Known,
  about: About,
  ran: readonly Command[],
  predictions: readonly Prediction[],
): Offers {
  const last = ran.findLast(({ outcome }) => outcome === 'failed') ?? ran.at(-1)
  const line = known.lines.read(last?.command ?? '')
  const isDull = last !== undefined && isPassthrough(line)
  const isSpecific =
    last !== undefined && last.outcome !== 'failed' && trimming(line.text).core.length >= specificLength
  if (last?.outcome === 'failed' && !isDull) yield* failureOffers(known, about, last, line)
  else if (last !== undefined && !isDull && !isSpecific)
    yield* variantOffers(known.book(about.project).variant(line, last.cwd ?? about.cwd))
  for (const { command } of known.settings.wrongTool === 'advise' ? ran : []) {
    const wrong = wrongTool(command, about.fileTools)
    if (wrong !== null)
      yield { kind: 'tool', key: `tool ${wrong.kind}`, evidence: 0, text: toolText(wrong), why: wrong.why }
  }
  if (isDull) yield silence('passthrough')
  else if (isSpecific) yield silence('specific')
  else yield* nextOffers(known, about, ran, predictions)
}

/** Fixes that worked here come before general explanations. */
function* failureOffers(known: Known, about: About, { command, exit, output }: Command, line: ShellLine): Offers {
  const { project, cwd } = about
  const diagnosis = known.diagnose(project, { command, exit, output: output ?? '' })
  const { signature, explanation } = diagnosis
  const fix = chooseFix(known, project, cwd, diagnosis, line)
  if (fix !== undefined) {
    const key = `fix ${signature.key} ${fix.kind} ${fix.command}`
    yield { kind: 'fix', key, evidence: fix.tried, text: fixText(fix), why: fix.why }
  }
  const book = known.book(project)
  const variant = book.variant(line, cwd)
  if (variant?.kind === 'program') yield* variantOffers(variant)
  if (explanation === undefined) yield silence('unknown failure')
  else if (!explanation.isTelling) yield silence('says it itself')
  else {
    const run = explanation.run
      .map((one) => book.variant(known.lines.read(one), cwd)?.command ?? one)
      .filter((one) => isSayable(one, longestCommand) && !isPublishing(one) && one !== command)
      .slice(0, mostRepairs)
    yield {
      kind: 'meaning',
      key: `meaning ${explanation.name} ${signature.key}`,
      evidence: 0,
      text: meaningText(explanation.means, run, budgetChars(known.settings.tokens, 'meaning')),
      why: explanation.name,
    }
  }
  yield* variantOffers(variant)
}

/** `cwd`: null for an agent that may be anywhere in the project. */
const chooseFix = (
  { book, lines, settings, ground }: Known,
  project: string,
  cwd: string | null,
  diagnosis: Diagnosis,
  failed: ShellLine,
): Fix | undefined =>
  fixToOffer(fixesToTell(diagnosis.fixes, failed, cwd, ground), failed, {
    book: book(project),
    lines,
    confidence: settings.confidence,
    diagnosis,
  })

function* variantOffers(variant: Variant | null): Offers {
  if (variant === null) return
  const { command, kind, ok, runs } = variant
  yield {
    kind: 'variant',
    key: `variant ${command}`,
    evidence: countDoublings(ok),
    text: variantText(variant),
    why: `other ${kind}, ${ok} of ${runs}`,
  }
}

/** Lines that are likely to come next and succeed here. */
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
    const known = findKnownLine(source, about.cwd, { book: book(about.project), lines, ground })
    const text = known?.text ?? source
    const line = lines.read(text)
    const { ok, failed, piped } = known?.runs ?? { ok: 0, failed: 0, piped: 0 }
    const wellEnded = ok + piped
    if (justRun.has(line.text)) yield silence('just run')
    else if (isPassthrough(line)) yield silence('passthrough')
    else if (!isSayable(text, longestCommand) || isPublishing(text)) yield silence('not to be suggested')
    else if (known === null) yield silence('never run here')
    else if (wellEnded === 0 || wellEnded < leastSuccess * (wellEnded + failed)) yield silence('fails here')
    else {
      const often = ok + failed > 0 ? `worked ${ok} of ${ok + failed} times here` : `run ${piped} times here`
      yield {
        kind: 'next',
        key: `next ${line.text}`,
        evidence: countDoublings(wellEnded),
        text: nextText(text, often),
        why: reasons[0] ?? 'likely',
      }
    }
  }
}
