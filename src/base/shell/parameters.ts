import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { type Field, field, LONGEST_VALUE } from './state.ts'

type Texts = (word: Word) => readonly Field[]

/** What `${name…}` becomes with these values of the variable; null where that cannot be told. */
export function operate(
  part: ParameterExpansionPart,
  values: readonly string[] | null,
  texts: Texts,
): readonly Field[] | null {
  const { operation } = part
  if (operation === undefined) return values?.map(field) ?? null
  if (operation.type === 'Default') {
    // `:-` of a variable that the line does not set: what stands there is what it most likely becomes.
    const isAlternative = operation.operator === '+' || operation.operator === ':+'
    if (isAlternative || (!operation.operator.endsWith('?') && (values === null || values.includes(''))))
      return texts(operation.operand)
    return values?.map(field) ?? null
  }
  if (values === null) return null
  const changed = values.map((value) =>
    change(operation, value, (word) => {
      const fields = texts(word)
      const [first] = fields
      return fields.length === 1 && first?.isKnown === true && !first.isPattern ? first.text : null
    }),
  )
  return changed.every((each) => each !== null && each.length <= LONGEST_VALUE)
    ? changed.map((each) => field(each ?? ''))
    : null
}

function change(operation: ParameterOperation, value: string, text: (word: Word) => string | null): string | null {
  switch (operation.type) {
    case 'Slice':
      return slice(value, text(operation.offset), operation.length === undefined ? undefined : text(operation.length))
    case 'Replace':
      return replace(operation.operator, value, text(operation.pattern), text(operation.replacement))
    case 'Remove':
      return remove(operation.operator, value, text(operation.operand) ?? operation.operand.text)
    case 'CaseModification':
      return operation.operand === undefined ? recase(operation.operator, value) : null
    default:
      return null
  }
}

function slice(value: string, offset: string | null, length: string | null | undefined): string | null {
  const from = Number(offset ?? Number.NaN)
  const count = length === undefined ? value.length : Number(length ?? Number.NaN)
  if (!Number.isInteger(from) || !Number.isInteger(count)) return null
  const start = from < 0 ? Math.max(0, value.length + from) : from
  return count < 0 ? value.slice(start, count) : value.slice(start, start + count)
}

function replace(operator: string, value: string, pattern: string | null, by: string | null): string | null {
  if (pattern === null || pattern === '' || by === null) return null
  if (operator === '//') {
    // Null where it would become longer than any value that is kept.
    const pieces = value.split(pattern)
    return value.length + (pieces.length - 1) * by.length > 2 * LONGEST_VALUE ? null : pieces.join(by)
  }
  if (operator === '/#') return value.startsWith(pattern) ? by + value.slice(pattern.length) : value
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, -pattern.length) + by : value
  return value.replace(pattern, () => by)
}

function remove(operator: string, value: string, pattern: string): string | null {
  if (pattern === '') return value
  if (!/^[\w/.:=@ -]+$/.test(pattern)) {
    // Up to a mark, or from one on, as for the directory of a path or the name in it; of other patterns nobody tells.
    const isStart = operator.startsWith('#')
    const [, mark] = (isStart ? UP_TO : FROM).exec(pattern) ?? []
    if (mark === undefined) return null
    const isFirst = operator === '#' || operator === '%%'
    const at = isFirst ? value.indexOf(mark) : value.lastIndexOf(mark)
    if (at < 0) return value
    return isStart ? value.slice(at + mark.length) : value.slice(0, at)
  }
  if (operator.startsWith('#')) return value.startsWith(pattern) ? value.slice(pattern.length) : value
  return value.endsWith(pattern) ? value.slice(0, -pattern.length) : value
}

const UP_TO = /^\*([\w/.:=@-]+)$/
const FROM = /^([\w/.:=@-]+)\*$/

function recase(operator: string, value: string): string {
  if (operator === '^^') return value.toUpperCase()
  if (operator === ',,') return value.toLowerCase()
  const first = value.slice(0, 1)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1)
}
