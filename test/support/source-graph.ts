import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'

export interface Import {
  /** Absolute path of a source file, or the name of a package or Node module. */
  target: string
  /** `type` imports vanish, `lazy` ones are loaded by `import()`, `value` ones together with the importing file. */
  kind: 'value' | 'type' | 'lazy'
}

export interface Source {
  file: string
  text: string
  imports: Import[]
  functions: { line: number; lines: number }[]
  strings: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export const SRC = path.join(import.meta.dirname, '../../src')

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function* descend(node: Node): Generator<Node> {
  yield node
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* descend(child)
}

const IMPORTING = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'])
const LAZY = new Set(['ImportExpression'])
const TYPES = new Set(['TSImportType'])
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

function importKind(node: Node): Import['kind'] | undefined {
  if (LAZY.has(node.type)) return 'lazy'
  if (TYPES.has(node.type)) return 'type'
  if (!IMPORTING.has(node.type)) return undefined
  return node['importKind'] === 'type' || node['exportKind'] === 'type' ? 'type' : 'value'
}

function readImport(node: Node, file: string): Import | undefined {
  const kind = importKind(node)
  const source = node['source']
  if (kind === undefined || !isNode(source) || typeof source['value'] !== 'string') return undefined
  const name = source['value']
  return { kind, target: name.startsWith('.') ? path.resolve(path.dirname(file), name) : name }
}

function readString(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type === 'TemplateElement') return (node['value'] as { raw: string }).raw
  return undefined
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined
const countLines = (text: string): number => text.split('\n').length

export function parseSource(file: string, text: string): Source {
  const nodes = [...descend(parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file) as unknown as Node)]
  return {
    file,
    text,
    imports: nodes.map((node) => readImport(node, file)).filter(isDefined),
    functions: nodes
      .filter((node) => FUNCTIONS.has(node.type))
      .map(({ start, end }) => ({ line: countLines(text.slice(0, start)), lines: countLines(text.slice(start, end)) })),
    strings: nodes.map(readString).filter(isDefined),
  }
}

/** All TypeScript under src/. */
export const readSources = (): Source[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(SRC, name))
    .map((file) => parseSource(file, readFileSync(file, 'utf8')))

/** Everything that is loaded when `roots` are: files, packages and Node modules. */
export function reach(sources: Source[], roots: Source[], kinds: Import['kind'][]): Set<string> {
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const reached = new Set(roots.map((root) => root.file))
  for (const file of reached)
    for (const { target, kind } of byFile.get(file)?.imports ?? []) if (kinds.includes(kind)) reached.add(target)
  return reached
}
