import { Anchors } from './anchors.ts'
import { ArgumentReader } from './arguments.ts'
import { commandKinds, exactKinds, surroundedKinds } from './kinds.ts'
import { looksSecret } from './look.ts'
import type { SecretKind } from './secret-kind.ts'

/** A secret in a text: `text.slice(start, end)`. */
export interface FoundSecret {
  kind: string
  start: number
  end: number
}

/** What is known exactly comes before what is recognised by its surroundings: it names the secret if both find it. */
export const secretKinds: readonly { kind: string; samples: readonly string[] }[] = [
  ...exactKinds,
  ...commandKinds,
  ...surroundedKinds,
]

/** Looks at one place of a text; answers where to look again at the earliest. */
type Look = (text: string, start: number, found: (start: number, end: number) => void) => number

const lookForForm =
  ({ pattern, look }: SecretKind): Look =>
  (text, start, found) => {
    pattern.lastIndex = start
    const match = pattern.exec(text)
    if (match === null) return start
    const from = start + (match[1] !== undefined && match.groups === undefined ? match[1].length : 0)
    const end = start + match[0].length
    const lead = match.groups?.['lead']?.length ?? 0
    if (look !== undefined && !looksSecret(text.slice(from, end), look, text[end] ?? '')) return start
    found(from - lead, end)
    return end
  }

/** Whether a sign of this code may stand in the name of a program: looked up, for it is asked at every other word. */
const inName = Uint8Array.from({ length: 128 }, (_, at) => Number(/[\w.-]/.test(String.fromCharCode(at))))

const standsAlone = (text: string, start: number, end: number): boolean =>
  inName[text.charCodeAt(start - 1)] !== 1 && text.charCodeAt(end) <= space
const space = 32

const lookForArguments =
  (program: string, reader: ArgumentReader): Look =>
  (text, start, found) => {
    const from = start + program.length
    if (!standsAlone(text, start, from)) return start
    return reader.read(text, from, (span) => found(span.start, span.end))
  }

interface Place {
  kind: string
  anchor: string
  look: Look
}

const places: readonly Place[] = [
  ...[...exactKinds, ...surroundedKinds].flatMap((form) => {
    const look = lookForForm(form)
    return form.anchors.map((anchor) => ({ kind: form.kind, anchor, look }))
  }),
  ...commandKinds.flatMap((kind) =>
    kind.commands.map((command) => {
      const program = command.split(' ')[0] ?? command
      const look = lookForArguments(program, new ArgumentReader(kind, command))
      return { kind: kind.kind, anchor: program.toLowerCase(), look }
    }),
  ),
]

const anchors = new Anchors(places.map(({ anchor }) => anchor))

const orderOf = new Map(secretKinds.map(({ kind }, order) => [kind, order]))

/** All secrets of a text in order; none overlaps another. */
export const findSecrets = (text: string): FoundSecret[] => {
  const found: FoundSecret[] = []
  // Up to where each place was read: what was read once is not read again, or hostile text would take for ever.
  const read = new Map<number, number>()
  anchors.each(text, (index, start) => {
    const place = places[index]
    if (place === undefined || start < (read.get(index) ?? 0)) return
    const end = place.look(text, start, (from, to) => found.push({ kind: place.kind, start: from, end: to }))
    if (end > start) read.set(index, end)
  })
  return found.length === 0 ? found : mergeSecrets(withoutHalfMarks(text, found))
}

const mark = /\[redacted:[a-z0-9-]+\]/g

/** A mark of ours is one thing: nothing begins or ends inside it. */
const withoutHalfMarks = (text: string, found: FoundSecret[]): FoundSecret[] => {
  const marks = [...text.matchAll(mark)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }))
  if (marks.length === 0) return found
  const inside = (at: number): boolean => {
    const next = firstAfter(marks, at)
    return next !== undefined && next.start < at
  }
  return found.filter(({ start, end }) => !inside(start) && !inside(end))
}

/** The first of these spans that ends after a place. */
const firstAfter = <T extends { end: number }>(spans: readonly T[], at: number): T | undefined => {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) > at) high = middle
    else low = middle + 1
  }
  return spans[low]
}

/** Secrets that overlap become one, named by the kind that is known best. */
export const mergeSecrets = (found: readonly FoundSecret[]): FoundSecret[] => {
  const merged: FoundSecret[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1)
    if (last === undefined || next.start >= last.end) merged.push({ ...next })
    else {
      last.end = Math.max(last.end, next.end)
      if ((orderOf.get(next.kind) ?? 0) < (orderOf.get(last.kind) ?? 0)) last.kind = next.kind
    }
  }
  return merged
}
