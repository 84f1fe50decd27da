/** How YAML tables write a list: one element stands without brackets. */
export type OneOrMore<T> = T | readonly T[]

export const listElements = <T>(value: OneOrMore<T> | undefined): T[] =>
  value === undefined ? [] : ([value].flat() as T[])

/** Reads a pattern of a YAML table, written as in JavaScript: `/…/i`. A slash in it needs no backslash. */
export const parsePattern = (text: string): RegExp => {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}
