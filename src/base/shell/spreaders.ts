import { foundBy } from './find.ts'
import { code, type Inner, type InnerReader, line, NONE, past, words } from './inner.ts'
import type { WorkBudget } from '../util/work-budget.ts'
import { type Field, field, unknown, WORD_UNITS } from './state.ts'

const IN_PLACE_OF_INPUT = unknown('{}')

/** Of many nobody reads each. */
const few = (given: readonly (string | null)[]): readonly (string | null)[] =>
  given.length > MOST_GIVEN ? [null] : given
const MOST_GIVEN = 16

/** What comes from its input is put behind the words, or where `-I` says. */
export const xargs: InnerReader = (args, input, work) => {
  const own = past(args, '-I -n -P -L -s -d -E -a --max-args --max-procs --replace --delimiter --arg-file', 0)
  const flags = args.slice(0, args.length - own.length).map(({ text }) => text)
  const replaced = flags
    .map((text, index) => (text === '-I' ? flags[index + 1] : /^-I(.+)|^-i$/.exec(text)?.[1]))
    .find(Boolean)
  const given =
    input === null
      ? [IN_PLACE_OF_INPUT]
      : input
          .split(/[\s\0]+/)
          .filter(Boolean)
          .map(field)
  const base = own.length === 0 ? [field('echo')] : own
  if (replaced === undefined) return words([...base, ...given])
  return few(input?.split('\n').filter(Boolean) ?? [null]).flatMap((text) =>
    words(base.map((each) => filled(each, replaced, text, work))),
  )
}

const filled = (each: Field, place: string, text: string | null, work: WorkBudget): Field => {
  const pieces = each.text.split(place)
  if (pieces.length === 1) return each
  if (text === null) return { ...each, isKnown: false }
  work.spend(each.text.length + (pieces.length - 1) * text.length)
  return { ...each, text: pieces.join(text) }
}

export const parallel: InnerReader = (args, input, work) => {
  const own = past(args, '-j -P -n -N -L --jobs --colsep -C --delay --timeout --joblog --results --retries -a', 0)
  const mark = own.findIndex(({ text }) => text.startsWith(':::'))
  const command = mark < 0 ? own : own.slice(0, mark)
  const listed = mark < 0 ? input?.split('\n').filter(Boolean) : own.slice(mark + 1).map(({ text }) => text)
  const given = few(listed ?? [null])
  const whole = line(command)
  work.spend(given.length * whole.text.length)
  if (command.length === 0) return given.flatMap((text) => code(text === null ? IN_PLACE_OF_INPUT : field(text)))
  return given.flatMap((text) =>
    code(
      whole.text.includes('{}')
        ? filled(whole, '{}', text, work)
        : line([...command, text === null ? IN_PLACE_OF_INPUT : field(text)]),
    ),
  )
}

export const find: InnerReader = (args, _, work) => {
  const found: Inner[] = []
  for (const [index, { text }] of args.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue
    const rest = args.slice(index + 1)
    const end = rest.findIndex((each, at) => each.text === ';' || (each.text === '+' && rest[at - 1]?.text === '{}'))
    const command = end < 0 ? rest : rest.slice(0, end)
    work.spend(args.length)
    for (const each of foundBy(args)) {
      work.spend(WORD_UNITS * command.length)
      found.push(
        ...words(
          command.map((word) => {
            if (word.text === '{}') return each
            return word.text.includes('{}') ? { ...word, isKnown: false } : word
          }),
        ),
      )
    }
  }
  return found
}

export const fd: InnerReader = (args) => {
  const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text))
  if (at < 0) return NONE
  const [pattern, ...starts] = past(args.slice(0, at), '-t -e -d -E -S -c --type --extension --max-depth --exclude', 0)
  const name = pattern === undefined || pattern.text === '.' ? '*' : `*${pattern.text}*`
  const found = starts
    .filter(({ text }) => !text.startsWith('-'))
    .map((start) => ({ ...start, text: `${start.text.replace(/\/$/, '')}/**/${name}`, isPattern: true }))
  return words([
    ...args.slice(at + 1).map((each) => (each.text.includes('{}') ? { ...each, isKnown: false } : each)),
    ...(found.length === 0 ? [IN_PLACE_OF_INPUT] : found),
  ])
}
