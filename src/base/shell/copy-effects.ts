import { type Call, given, has, type Path, pathOf, paths, type Teller } from './effect-calls.ts'
import { withoutEnd } from './ends.ts'
import { baseName } from './programs.ts'
import type { Field } from './state.ts'

/** Where copies land: in the directory, if it is one, else under the name itself. A name with a dot in it is taken for a file. */
export function landing(
  call: Call,
  sources: readonly Field[],
  target: Field | undefined,
  isDirectory: boolean,
): readonly Path[] {
  if (target === undefined) return [null]
  const to = pathOf(target, call.place)
  if (to === null) return [null]
  // What a source is called where it lands: of `host:file` and `s3://bucket/file` the file.
  const inside = sources.map((source) =>
    source.isKnown ? `${to}/${baseName(withoutEnd(source.text, '/')).replace(/^[\w.@-]+:+/, '')}` : null,
  )
  if (isDirectory || /(?:^|\/)\.{0,2}$/.test(target.text)) return inside
  return /[^.]\./.test(baseName(target.text)) ? [to] : [to, ...inside]
}

interface Copied {
  readonly sources: readonly Field[]
  readonly targets: readonly Path[]
  /** Where a directory would lie then. */
  readonly trees: readonly Path[]
}

function copied(call: Call): Copied {
  const [directory] = given(call, '-t', '--target-directory')
  const words = call.options.operands
  const sources = directory === undefined ? words.slice(0, -1) : words
  const target = directory ?? (words.length > 1 ? words.at(-1) : undefined)
  const trees = landing(call, sources, target, true)
  if (target !== undefined && has(call, '-T', '--no-target-directory')) {
    const to = [pathOf(target, call.place)]
    return { sources, targets: to, trees: to }
  }
  return { sources, targets: landing(call, sources, target, directory !== undefined || sources.length > 1), trees }
}

export const copies: Teller = (call) => {
  const { sources, targets, trees } = copied(call)
  const isWhole = has(call, '-r', '-R', '-a', '--recursive', '--archive')
  return { reads: paths(call, sources), writes: targets, trees: isWhole ? trees : [] }
}
export const moves: Teller = (call) => {
  const { sources, targets, trees } = copied(call)
  const from = paths(call, sources)
  return { writes: [...from, ...targets], deletes: from, trees: [...from, ...trees] }
}
export const links: Teller = (call) => {
  const { operands: words } = call.options
  const [only] = words
  if (words.length !== 1 || only === undefined) {
    const { targets } = copied(call)
    return { writes: targets, trees: targets }
  }
  return { writes: landing(call, [only], { ...only, text: '.' }, true) }
}
