import type { Query, Tree } from '@vscode/tree-sitter-wasm'
import { engine, grammarOf } from './grammar.ts'
import { type CompiledQuery, compileQuery } from './tree-query.ts'

/** Where a query fits a text. */
interface TreeFit {
  start: number
  end: number
  captures: Record<string, string>
}

interface CompiledTree {
  /** Null where the text cannot be parsed, or not in time: then the result is unknown. */
  find: (text: string, deadlineMs?: number) => TreeFit[] | null
}

const usualDeadlineMs = 100
/** So much is done however long it takes: on a busy machine, too, the text of a usual file is read. */
const freeSteps = 250
const longest = 1024 * 1024

/** Throws what a person can do something about: an unknown language, a query that cannot be, a grammar from elsewhere. */
export const compileTree = async (language: string, query: string, directory: string): Promise<CompiledTree> => {
  const { library, parser } = await engine()
  const grammar = await grammarOf(language, directory)
  const compiled = compileQuery(library, grammar, query)
  const errors = new library.Query(grammar, '(ERROR) @error')
  const all = { ...compiled, errors }
  const find: CompiledTree['find'] = (text, deadlineMs = usualDeadlineMs) => {
    if (text.length > longest) return null
    const isLate = startDeadline(deadlineMs)
    const tree = parser.setLanguage(grammar).parse(text, null, { progressCallback: isLate })
    // Else it would go on there with the next text.
    if (tree === null) parser.reset()
    try {
      return tree === null ? null : findFits(all, tree, isLate)
    } finally {
      tree?.delete()
    }
  }
  discarded.register(find, [compiled.query, errors])
  return { find }
}

/** WebAssembly memory is not garbage collected: a query is freed with its last reference. */
const discarded = new FinalizationRegistry<readonly Query[]>((queries) => {
  for (const query of queries) query.delete()
})

const startDeadline = (deadlineMs: number): (() => boolean) => {
  const end = performance.now() + deadlineMs
  let steps = 0
  return () => {
    steps += 1
    return steps > freeSteps && performance.now() > end
  }
}

const findFits = (
  { query, conditions, errors }: CompiledQuery & { errors: Query },
  tree: Tree,
  isLate: () => boolean,
): TreeFit[] | null => {
  const matches = query.matches(tree.rootNode, { progressCallback: isLate })
  const fits = matches.filter(
    (match) => !isLate() && (conditions[match.patternIndex] ?? []).every((condition) => condition(match)),
  )
  if (isLate() || query.didExceedMatchLimit()) return null
  if (fits.length === 0 && isMostlyWrong(tree, errors)) return null
  return fits.map(({ captures }) => ({
    start: captures.reduce((least, { node }) => Math.min(least, node.startIndex), captures[0]?.node.startIndex ?? 0),
    end: captures.reduce((most, { node }) => Math.max(most, node.endIndex), 0),
    captures: Object.fromEntries(captures.toReversed().map(({ name, node }) => [name, node.text])),
  }))
}

/** A part of a file has some errors; what is another language has little else. */
const isMostlyWrong = ({ rootNode }: Tree, errors: Query): boolean => {
  if (rootNode.type === 'ERROR') return true
  if (!rootNode.hasError) return false
  const wrong = errors.matches(rootNode).flatMap(({ captures }) => captures.map(({ node }) => node))
  let [length, from] = [0, 0]
  for (const { startIndex, endIndex } of wrong.toSorted((a, b) => a.startIndex - b.startIndex)) {
    length += Math.max(0, endIndex - Math.max(startIndex, from))
    from = Math.max(from, endIndex)
  }
  return length * 2 > rootNode.endIndex - rootNode.startIndex
}
