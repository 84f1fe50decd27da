/** What stands in a place of a command that changes from call to call. */
export type SlotKind = 'path' | 'number' | 'url' | 'hex' | 'text' | 'output' | 'variable' | 'value' | 'word'

interface Slot {
  readonly kind: SlotKind
  /** How it is written in a template, with the flag or the name it belongs to. */
  readonly shown: string
  /** Where the changing part begins within the word. */
  readonly from: number
}

const QUOTED = /["'`]|\$\(/
const FLAG_VALUE = /^(--?[A-Za-z][\w-]*=)(.+)$/s
const FLAG_NUMBER = /^(-[A-Za-z]?)\d+$/
const ASSIGNMENT = /^([A-Za-z_]\w*)=/
const URL_START = /^(?:https?:\/\/|git@)/
const NUMBER = /^[+-]?\d+(?:[.,]\d+)*[a-zA-Z%]?$/
const HEX = /^(?=.*\d)[0-9a-f]{7,40}$/
const REVISION = /^HEAD(?:[~^].*)?$/
const PATH = /[/~*]|\.[A-Za-z0-9]{1,5}$|^\.\.?$/

const SHOWN: Readonly<Record<SlotKind, string>> = {
  path: '<PATH>',
  number: '<N>',
  url: '<URL>',
  hex: '<HEX>',
  text: '<STR>',
  output: '<SUB>',
  variable: '<VAR>',
  value: '<V>',
  word: '<W>',
}

const slot = (kind: SlotKind, before = ''): Slot => ({ kind, shown: before + SHOWN[kind], from: before.length })

/** The slot that a word fills, or nothing for a word that is part of the command itself. */
export function slotOf(word: string): Slot | undefined {
  if (word.startsWith('$(') || word.startsWith('`')) return slot('output')
  const flag = FLAG_VALUE.exec(word)
  if (flag?.[1] !== undefined && flag[2] !== undefined) return slot(slotOf(flag[2])?.kind ?? 'word', flag[1])
  const assigned = ASSIGNMENT.exec(word)
  if (assigned !== null) return slot('value', assigned[0])
  if (QUOTED.test(word)) return slot('text')
  const counted = FLAG_NUMBER.exec(word)
  if (counted?.[1] !== undefined) return slot('number', counted[1])
  if (word.startsWith('-')) return undefined
  if (URL_START.test(word)) return slot('url')
  if (word.startsWith('$')) return slot('variable')
  if (NUMBER.test(word)) return slot('number')
  if (HEX.test(word)) return slot('hex')
  if (REVISION.test(word)) return undefined
  return PATH.test(word) ? slot('path') : undefined
}

export const wordSlot: Slot = slot('word')
