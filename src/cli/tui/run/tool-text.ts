import { inputSummary } from '../../../contract/tool-input.ts'
import { counted } from '../../format.ts'
import type { ToolCall } from './blocks.ts'
import { diffOf } from './diff.ts'

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
] as const
const contents = ['content', 'file_text', 'new_source']
const editNames: readonly string[] = [...pairs.flat(), ...contents]

const nameOf = (input: Input, names: readonly string[]): string | undefined =>
  names.find((each) => typeof input[each] === 'string')

const textOf = (input: Input, names: readonly string[]): string | undefined => {
  const value = input[nameOf(input, names) ?? '']
  return typeof value === 'string' ? value : undefined
}

/** The edits of a tool call, by the field names that the CLIs use. */
export const editsOf = (input: Input): Edit[] => {
  const file = textOf(input, fileNames)
  if (file === undefined) return []
  const replaced = [input, ...listed(input)].flatMap((each) =>
    pairs.flatMap(([old, now]) => {
      const [before, after] = [textOf(each, [old]), textOf(each, [now])]
      return before === undefined || after === undefined ? [] : [{ file, before, after }]
    }),
  )
  const content = textOf(input, contents)
  if (replaced.length > 0 || content === undefined) return replaced
  return [{ file, before: '', after: content }]
}

const listed = (input: Input): Input[] =>
  Array.isArray(input['edits']) ? input['edits'].filter((value) => typeof value === 'object' && value !== null) : []

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
  const isShown = (name: string, value: unknown): boolean =>
    name === patchName(input) ||
    (edits.length > 0 && name === nameOf(input, fileNames)) ||
    (editNames.includes(name) && edits.some(({ before, after }) => value === before || value === after))
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => !isShown(name, value))
      .flatMap(([name, value]) => (name === 'edits' ? besidesListed(listed(input)) : [[name, value]])),
  )
}

const besidesListed = (edits: Input[]): [string, unknown][] => {
  const more = edits
    .map((input) => Object.fromEntries(Object.entries(input).filter(([name]) => !editNames.includes(name))))
    .filter((each) => Object.keys(each).length > 0)
  return more.length === 0 ? [] : [['edits', more]]
}

/** A tool call in few words: which file, command or pattern, and how much of it. */
export const callSummary = ({ input }: Pick<ToolCall, 'input'>): string => {
  const edits = editsOf(input)
  if (edits.length > 0) {
    const lines = edits.flatMap(({ before, after }) => diffOf(before, after))
    const count = (sign: string): number => lines.filter((line) => line.sign === sign).length
    return `${edits[0]?.file} +${count('+')} -${count('-')}`
  }
  const pattern = textOf(input, ['pattern', 'query'])
  if (pattern !== undefined) {
    const place = textOf(input, ['path', 'glob'])
    return place === undefined ? pattern : `${pattern} in ${place}`
  }
  if (Array.isArray(input['todos'])) return counted(input['todos'].length, 'item')
  const range = typeof input['offset'] === 'number' ? `:${input['offset']}` : ''
  return Object.keys(input).length === 0 ? '' : `${inputSummary(input)}${range}`
}
