import type { Language, Query, QueryMatch, QueryPredicate } from '@vscode/tree-sitter-wasm'
import { RE2JS } from 're2js'
import type { Library } from './grammar.ts'

/** A predicate that the library does not evaluate. */
type Condition = (match: QueryMatch) => boolean

export interface CompiledQuery {
  query: Query
  /** The conditions of each pattern. */
  conditions: readonly (readonly Condition[])[]
}

const longest = 16 * 1024

/** Throws an Error that says where the query is wrong. */
export const compileQuery = (library: Library, grammar: Language, source: string): CompiledQuery => {
  if (source.length > longest) throw new Error('The query is longer than 16 KiB.')
  let query: Query
  try {
    query = new library.Query(grammar, withOwnMatch(source))
  } catch (error) {
    const { index } = error as { index?: number }
    const before = source.slice(0, index ?? 0).split('\n')
    const place = index === undefined ? '' : ` at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
    throw new Error(`The query is wrong${place}: ${messageOf(error)}`, { cause: error })
  }
  try {
    if (query.captureNames.length === 0)
      throw new Error('The query captures nothing. Name what it is about: `(identifier) @name`.')
    return { query, conditions: query.predicates.map((list) => list.map(toCondition)) }
  } catch (error) {
    query.delete()
    throw error
  }
}

/** The library would run these with JavaScript's expressions, which can take forever; of this name it leaves them to us. */
const withOwnMatch = (source: string): string =>
  source.replace(/"(?:\\[^]|[^"\\])*"|;[^\n]*|#((?:any-)?(?:not-)?)match\?/g, (token, kind: string | undefined) =>
    kind === undefined ? token : `#${kind}Match?`,
  )

const toCondition = ({ operator, operands }: QueryPredicate): Condition => {
  const [subject, pattern, ...rest] = operands
  const [, any, not] = /^(any-)?(not-)?Match\?$/.exec(operator) ?? []
  if (!operator.endsWith('Match?')) throw new Error(`The query is wrong: there is no predicate \`#${operator}\`.`)
  if (subject?.type !== 'capture' || pattern?.type !== 'string' || rest.length > 0)
    throw new Error('The query is wrong: `#match?` takes a capture and an expression.')
  let expression: RE2JS
  try {
    expression = RE2JS.compile(pattern.value)
  } catch (error) {
    throw new Error(`The query is wrong: in \`#match?\` ${messageOf(error)}`, { cause: error })
  }
  const fits = (text: string): boolean => expression.matcher(text).find() === (not === undefined)
  return ({ captures }) => {
    const texts = captures.filter(({ name }) => name === subject.name).map(({ node }) => node.text)
    if (texts.length === 0) return not !== undefined
    return any === undefined ? texts.every(fits) : texts.some(fits)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
