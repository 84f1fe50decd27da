import type { Question } from '../../../contract/agent.ts'
import { editsOf, patchOf } from '../../../contract/tool-edits.ts'
import { type Line, oneLine, safe } from '../terminal/line.ts'
import type { Lines } from './blocks.ts'
import { documentLines, editLines, inputLines, type Look, textLines } from './render.ts'

/** The person needs that long to read before a key counts. */
const quietMs = 500
/** A terminal that does not say when it has drawn. */
const silentMs = 3_000

/** A question, and when it can be answered: a key that was meant for something else must not approve. */
export interface Asked {
  question: Question
  lines: Lines
  /** When it was on the screen: sent there, and then drawn, which the terminal says itself. */
  sentAt: number | null
  drawnAt: number | null
  /** The last key that was not for it. */
  keyAt: number
}

export const askedOf = (question: Question): Asked => ({ question, lines: [], sentAt: null, drawnAt: null, keyAt: 0 })

/** The question was visible long enough, and the person was not typing something else. */
export const isAnswerable = ({ sentAt, drawnAt, keyAt }: Asked, now: number): boolean => {
  const shownAt = drawnAt ?? (sentAt === null || now - sentAt < silentMs ? null : sentAt)
  return shownAt !== null && now - Math.max(shownAt, keyAt) >= quietMs
}

const asks = { permission: ['Allow ', '?'], plan: ['Approve this plan? ', ''], question: ['It asks: ', ''] } as const

export const questionLines = ({ question, lines }: Asked, columns: number): Line[] => {
  const look: Look = { columns, isUnfolded: true }
  const options = question.options ?? []
  const [before, after] = asks[question.kind]
  return [
    [],
    [
      { text: `? ${before}`, tone: 'yellow' },
      { text: oneLine(question.tool), tone: 'bold' },
      { text: after, tone: 'yellow' },
    ],
    ...(question.why === undefined ? [] : textLines(`  ${safe(question.why)}`, columns, 'yellow', 2)),
    ...askedLines(question, lines, look),
    ...options.flatMap((option, index) => textLines(`  ${index + 1}. ${oneLine(option)}`, columns, undefined, 5)),
  ]
}

/** Whether a tool call is what is asked about: it is shown once, in the question, to which a CLI may add defaults. */
export const isAskedAbout = (
  { question }: Asked,
  { name, input }: { name: string; input: Record<string, unknown> },
): boolean =>
  question.tool === name &&
  Object.entries(input).every(([field, value]) => JSON.stringify(value) === JSON.stringify(question.input[field]))

const askedLines = ({ kind, input, summary }: Question, begins: Lines, look: Look): Line[] => {
  const plan = input['plan']
  if (kind === 'plan' && typeof plan === 'string') return documentLines(plan, look)
  if (kind === 'question' || Object.keys(input).length === 0) return textLines(safe(summary), look.columns)
  const edits = editsOf(input)
  const files = [...new Set(edits.map(({ file }) => file))]
  return [
    ...files.flatMap((file) => textLines(`    ${oneLine(file)}`, look.columns, 'bold', 4)),
    ...editLines(edits, patchOf(input), begins, look),
    ...inputLines(input, look.columns),
  ]
}

export const answerHint = ({ kind, options = [] }: Question): string => {
  const choice = options.length === 0 ? [] : [`1-${Math.min(9, options.length)} chooses`]
  return kind === 'question'
    ? [...choice, 'or write an answer', 'Esc interrupts'].join(' · ')
    : ['y allows', 'n denies', ...choice, 'or write why not', 'Esc interrupts'].join(' · ')
}

/** The answer that a single key gives, if any. */
export const answerOf = ({ kind, options = [] }: Question, key: string): string | null => {
  if (kind !== 'question' && key === 'y') return 'allow'
  if (kind !== 'question' && key === 'n') return 'deny'
  return /^[1-9]$/.test(key) && Number(key) <= options.length ? key : null
}
