import type { Action, Replacement } from '../contract/action.ts'

/** What a patch does, in the format of `apply_patch` or as a unified diff. */
export const patchActions = (text: string): Action[] => {
  const lines = text.split(/\r?\n/)
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch')
  const read = begin < 0 ? readDiff(lines) : readPatch(lines, begin)
  return typeof read === 'string' ? [{ kind: 'unreadable', why: read }] : read
}

/** Each patch in a longer text, such as a script. */
export const patchesIn = (text: string): Action[] => {
  const patches: string[][] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const mark = line.trim()
    if (mark === '*** Begin Patch') patches.push([])
    isOpen = isOpen ? mark !== '*** End Patch' : mark === '*** Begin Patch'
    if (isOpen || mark === '*** End Patch') patches.at(-1)?.push(line)
  }
  return patches.flatMap((lines) => patchActions(lines.join('\n')))
}

/** What the diff of this one file does, whatever names are in its head. */
export const diffActions = (path: string, diff: string): Action[] => {
  const at = diff.search(/^@@ /m)
  const [head, hunks] = at < 0 ? [diff, ''] : [diff.slice(0, at), diff.slice(at)]
  const side = (mark: RegExp, prefix: string): string => (mark.test(head) ? nowhere : `${prefix}${path}`)
  const [from, to] = [side(/^--- [ab]?\/dev\/null/m, 'a/'), side(/^\+\+\+ [ab]?\/dev\/null/m, 'b/')]
  const actions = patchActions(`--- ${from}\n+++ ${to}\n${hunks}`)
  return actions.map((action) => ('path' in action ? { ...action, path } : action))
}

/** One file of a patch: its head, and the lines below it. */
interface Section {
  head: string
  path: string
  body: string[]
}

const fileHead = /^\s*\*\*\* (Add|Update|Delete) File: (.+)/
const moveHead = /^\s*\*\*\* Move to: (.+)/
const notes = /^\s*\*\*\* (?:End of File|Environment ID: .*)\s*$/

/** A text says why it cannot be read. */
type Read = Action[] | string

const readPatch = (lines: readonly string[], begin: number): Read => {
  const end = lines.findLastIndex((line) => line.trim() === '*** End Patch')
  if (end < begin) return 'the patch has no end'
  const sections: Section[] = []
  for (const line of lines.slice(begin + 1, end)) {
    const [, head, path] = fileHead.exec(line) ?? []
    if (head !== undefined && path !== undefined) sections.push({ head, path: path.trim(), body: [] })
    else if (sections.length === 0 && !notes.test(line) && line.trim() !== '') return `"${line}" stands before any file`
    else if (!notes.test(line)) sections.at(-1)?.body.push(line)
  }
  return sections.length === 0
    ? 'the patch names no file'
    : joined(
        sections.map(({ head, path, body }) => {
          if (head === 'Delete') return [{ kind: 'delete', path }]
          if (head === 'Add') return added(path, body)
          const to = moveHead.exec(body[0] ?? '')?.[1]?.trim()
          const replacements = replacementsIn(to === undefined ? body : body.slice(1))
          if (typeof replacements === 'string') return replacements
          return changed(path, to ?? path, replacements)
        }),
      )
}

const joined = (parts: readonly Read[]): Read => {
  const why = parts.find((part) => typeof part === 'string')
  return why ?? parts.filter((part) => typeof part !== 'string').flat()
}

const added = (path: string, body: readonly string[]): Read => {
  const strange = body.find((line) => !line.startsWith('+') && line.trim() !== '')
  if (strange !== undefined) return `"${strange}" is no line of a new file`
  const content = body.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`)
  return [{ kind: 'write', path, content: content.join('') }]
}

const changed = (from: string, to: string, replacements: readonly Replacement[]): Action[] => [
  ...(replacements.length === 0 ? [] : [{ kind: 'edit' as const, path: from, replacements }]),
  ...(from === to ? [] : [{ kind: 'move' as const, from, to }]),
]

/** Each hunk is one replacement, with the lines around it. */
const replacementsIn = (lines: readonly string[]): Replacement[] | string => {
  const hunks: { old: string[]; new: string[] }[] = []
  for (const line of lines) {
    const mark = line[0] ?? ' '
    if (line.startsWith('@@') || hunks.length === 0) hunks.push({ old: [], new: [] })
    if (line.startsWith('@@') || line.startsWith('\\ No newline')) continue
    if (!' +-'.includes(mark)) return `"${line}" is no line of a change`
    const text = line.slice(1)
    if (mark !== '+') hunks.at(-1)?.old.push(text)
    if (mark !== '-') hunks.at(-1)?.new.push(text)
  }
  return hunks
    .map((hunk) => ({ old: hunk.old.join('\n'), new: hunk.new.join('\n'), isEverywhere: false }))
    .filter((hunk) => hunk.old !== hunk.new)
}

/** One file of a unified diff; `/dev/null` is no file. */
interface FileDiff {
  from: string
  to: string
  body: string[]
}

const nowhere = '/dev/null'
const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

const readDiff = (lines: readonly string[]): Read => {
  const files: FileDiff[] = []
  let [oldLeft, newLeft, from] = [0, 0, '']
  for (const line of lines) {
    const file = files.at(-1)
    if (oldLeft > 0 || newLeft > 0) {
      file?.body.push(line)
      if (!/^[+\\]/.test(line)) oldLeft -= 1
      if (!/^[-\\]/.test(line)) newLeft -= 1
      continue
    }
    const [head, oldCount = '1', newCount = '1'] = hunkHead.exec(line) ?? []
    const [, mark = '', path = ''] = /^(---|\+\+\+|rename from|rename to) ([^\t]+)/.exec(line) ?? []
    if (head !== undefined) [oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
    if (head !== undefined) file?.body.push('@@')
    if (mark === '---' || mark === 'rename from') from = path
    if (mark !== '+++' && mark !== 'rename to') continue
    // git puts `a/` and `b/` before paths, but not where it names a rename.
    const isPrefixed = mark === '+++' && [from, path].every((one) => one === nowhere || /^[ab]\//.test(one))
    const plain = (one: string): string => (isPrefixed && one !== nowhere ? one.slice(2) : one)
    files.push({ from: plain(from), to: plain(path), body: [] })
  }
  if (files.length === 0) return 'it is no patch'
  return oldLeft > 0 || newLeft > 0
    ? 'the patch ends in a hunk'
    : joined(
        files.map(({ from: source, to, body }) => {
          if (to === nowhere) return [{ kind: 'delete', path: source }]
          if (source === nowhere)
            return added(
              to,
              body.filter((line) => line !== '@@' && !line.startsWith('\\')),
            )
          const replacements = replacementsIn(body)
          return typeof replacements === 'string' ? replacements : changed(source, to, replacements)
        }),
      )
}
