import { escapeUnsafe } from '../../base/util/visible.ts'

/** Text of others, as a person may see it: nothing in it is hidden. */
export const shown = escapeUnsafe

/** On one line, and not longer than this. */
export const oneLine = (text: string, characters: number): string => {
  const all = Array.from(shown(text.replaceAll(/\s+/g, ' ').trim()))
  return all.length <= characters ? all.join('') : `${all.slice(0, characters - 1).join('')}…`
}
