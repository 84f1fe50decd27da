import { readFile, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Language, Parser } from '@vscode/tree-sitter-wasm'
import { nearest } from '../../../base/util/nearest.ts'

const largestGrammar = 32 * 1024 * 1024

/** The grammars of `@vscode/tree-sitter-wasm`, by the names that rules use. */
const files: Readonly<Record<string, string>> = {
  typescript: 'typescript',
  tsx: 'tsx',
  javascript: 'javascript',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
  csharp: 'c-sharp',
  cpp: 'cpp',
  php: 'php',
  ruby: 'ruby',
  css: 'css',
  bash: 'bash',
  powershell: 'powershell',
  regex: 'regex',
  ini: 'ini',
}
export const treeLanguages = Object.keys(files)

export type Library = typeof import('@vscode/tree-sitter-wasm')

/** One engine for all: its calls are synchronous. */
interface Engine {
  library: Library
  parser: Parser
  directory: string
}

let started: Promise<Engine> | null = null

/** Costs some 30 ms and megabytes: only who has a rule on trees pays. */
export const engine = (): Promise<Engine> => {
  started ??= (async () => {
    const { default: library } = (await import('@vscode/tree-sitter-wasm')) as unknown as { default: Library }
    await library.Parser.init()
    const directory = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'))
    return { library, parser: new library.Parser(), directory }
  })()
  return started
}

const loaded = new Map<string, Promise<Language>>()

/** The grammar of a language by its name, or of a file in `directory`. Its errors tell a person what to do. */
export const grammarOf = async (language: string, directory: string): Promise<Language> => {
  const { library, directory: packaged } = await engine()
  const file = language.endsWith('.wasm')
    ? await findBesideRules(language, directory)
    : join(packaged, fileOf(language))
  const { mtimeMs, size } = await stat(file)
  const key = `${file} ${mtimeMs} ${size}`
  const known = loaded.get(key)
  if (known !== undefined) return known
  if (size > largestGrammar) throw new Error(`The grammar ${file} is larger than 32 MiB.`)
  const loading = readFile(file).then((bytes) =>
    library.Language.load(bytes).catch((error: unknown) => {
      throw new Error(`${file} is no grammar of tree-sitter: ${String(error)}`, { cause: error })
    }),
  )
  loaded.set(key, loading)
  return loading
}

const fileOf = (language: string): string => {
  const name = Object.hasOwn(files, language) ? files[language] : undefined
  if (name !== undefined) return `tree-sitter-${name}.wasm`
  const near = nearest(language, treeLanguages)
  const hint = near === undefined ? '' : ` Did you mean \`${near}\`?`
  throw new Error(`There is no language \`${language}\`.${hint} There are ${treeLanguages.join(', ')}.`)
}

/** A grammar is a program: it comes from the directory of the rules and from nowhere else. */
const findBesideRules = async (path: string, directory: string): Promise<string> => {
  const home = await realpath(directory)
  const file = await realpath(join(home, path)).catch(() => null)
  if (file === null) throw new Error(`There is no grammar ${path} in ${directory}.`)
  if (!file.startsWith(home + sep)) throw new Error(`The grammar ${path} is not in ${directory}.`)
  return file
}
