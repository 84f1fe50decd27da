import type { z } from 'zod'
import type { TreeMatcher } from '../../../contract/rule.ts'
import { type Check, placeIn } from './answer.ts'
import { tooLong, unknownText, withSuggestion } from './regex.ts'
import { compileTree } from './tree.ts'

const placesMax = 10

/** A part of a file often cannot be parsed by itself, so that is a doubt for guards only. */
export const treeCheck = async (
  { language, query, on, suggestion }: z.infer<typeof TreeMatcher>,
  directory: string,
  isGuard: boolean,
  isLazy: boolean,
): Promise<Check> => {
  let compiled = isLazy ? null : await compileTree(language, query, directory)
  return async (look) => {
    const text = await look.text(on ?? null)
    if (text === null) return null
    if (text.text === null) return unknownText(isGuard, text)
    const long = tooLong(text.text)
    if (long !== null) return long
    compiled ??= await compileTree(language, query, directory)
    const found = compiled.find(text.text, look.world.patienceMs)
    if (found === null) {
      const [why, advice] = [`the text cannot be read as ${language}`, 'Write the whole file, without errors.']
      return isGuard ? { kind: 'doubt', why, advice, isClosed: false } : null
    }
    const [first] = found
    if (first === undefined) return null
    const places = found.slice(0, placesMax).map(({ start, end }) => placeIn(text, start, end))
    return { kind: 'fit', captures: withSuggestion(first.captures, suggestion), places }
  }
}
