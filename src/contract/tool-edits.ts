/** A piece of a file that a tool puts another in the place of. */
export interface Edit {
  file: string
  before: string
  after: string
}

type Input = Record<string, unknown>

const fileNames = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path']
const pairs = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
  ['oldText', 'newText'],
  ['old', 'new'],
] as const
const contents = ['content', 'file_text', 'new_source']
const editNames: readonly string[] = [...pairs.flat(), ...contents]
/** Fields with a list of edits, of the file of the call or each of its own. */
const listNames: readonly string[] = ['edits', 'changes']

const nameOf = (input: Input, names: readonly string[]): string | undefined =>
  names.find((each) => typeof input[each] === 'string')

const textOf = (input: Input, names: readonly string[]): string | undefined => {
  const value = input[nameOf(input, names) ?? '']
  return typeof value === 'string' ? value : undefined
}

/** The edits of a tool call, by the field names that the CLIs use. */
export const editsOf = (input: Input): Edit[] => {
  const file = textOf(input, fileNames)
  const replaced = [input, ...listNames.flatMap((name) => listed(input[name]).filter(isInput))].flatMap((part) =>
    replacements(part, file),
  )
  const content = textOf(input, contents)
  if (file === undefined || replaced.length > 0 || content === undefined) return replaced
  return [{ file, before: '', after: content }]
}

const replacements = (part: Input, ofCall: string | undefined): Edit[] => {
  const file = textOf(part, fileNames) ?? ofCall
  if (file === undefined) return []
  return pairs.flatMap(([old, now]) => {
    const [before, after] = [textOf(part, [old]), textOf(part, [now])]
    return before === undefined || after === undefined ? [] : [{ file, before, after }]
  })
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value)

const patchPattern = /^(\*\*\* Begin Patch|--- .*\n\+\+\+ )/m
const patchName = (input: Input): string | undefined =>
  Object.keys(input).find((name) => patchPattern.test(textOf(input, [name]) ?? ''))

/** The lines of a patch that a tool was given as one text. */
export const patchOf = (input: Input): string[] => {
  const patch = input[patchName(input) ?? '']
  return typeof patch === 'string' ? patch.trimEnd().split('\n') : []
}

/** The input besides the edits: a person must not approve what was not shown. */
export const besidesEdits = (input: Input): Input => {
  const edits = editsOf(input)
  const file = textOf(input, fileNames)
  const isShown = (name: string, value: unknown): boolean =>
    name === patchName(input) ||
    (name === nameOf(input, fileNames) && edits.some((edit) => edit.file === value)) ||
    (editNames.includes(name) && edits.some(({ before, after }) => value === before || value === after))
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => !isShown(name, value))
      .flatMap(([name, value]) => {
        if (!listNames.includes(name) || !Array.isArray(value)) return [[name, value]]
        const more = value.map((part) => besidesEdit(part, file)).filter((part) => part !== null)
        return more.length === 0 ? [] : [[name, more]]
      }),
  )
}

/** What a part of a list says besides its edit; null: nothing. */
const besidesEdit = (part: unknown, ofCall: string | undefined): unknown => {
  if (!isInput(part)) return part
  const shown = replacements(part, ofCall)
  if (shown.length === 0) return part
  const isShown = (name: string, value: unknown): boolean =>
    name === nameOf(part, fileNames) ||
    (editNames.includes(name) && shown.some(({ before, after }) => value === before || value === after))
  const more = Object.entries(part).filter(([name, value]) => !isShown(name, value))
  return more.length === 0 ? null : Object.fromEntries(more)
}
