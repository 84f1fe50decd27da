import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { ReinError } from '../../contract/errors.ts'
import { type Layout, layoutOf, type Position, positionOf } from './toml-layout.ts'

export interface TomlFile {
  file: string
  text: string
  data: Record<string, unknown>
  layout: Layout
}

const maxBytes = 1024 * 1024

/** A file that is not there is `null`; one that cannot be understood is an error that names the place. */
export const readTomlFile = async (file: string): Promise<TomlFile | null> => {
  const text = await readText(file)
  if (text === null) return null
  return { file, text, data: await parseToml(file, text), layout: layoutOf(text) }
}

/** The parser is loaded here, so that whoever has no file does not wait for it. */
export const parseToml = async (file: string, text: string): Promise<Record<string, unknown>> =>
  parseWith(await import('smol-toml'), file, text)

type Parser = Pick<typeof import('smol-toml'), 'parse' | 'TomlError'>

export const parseWith = ({ parse, TomlError }: Parser, file: string, text: string): Record<string, unknown> => {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '')
    throw unusable(`${file}:${error.line}:${error.column}: not valid TOML: ${reason}.`)
  }
}

const unusable = (message: string): ReinError => new ReinError('invalid_config', message, fixHint)

export const fixHint = 'Fix that file, then run the command again.'

const readText = async (file: string): Promise<string | null> => {
  const stats = await stat(file).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (stats === null) return null
  checkFile(file, stats)
  return decodeToml(file, await readFile(file))
}

/** A repository can hold a FIFO or an endless file under this name. */
export const checkFile = (file: string, stats: Stats): void => {
  if (!stats.isFile()) throw unusable(`${file} is not a regular file.`)
  if (stats.size > maxBytes) throw unusable(`${file} has over ${maxBytes} bytes.`)
}

export const decodeToml = (file: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unusable(`${file} is not valid UTF-8.`)
  }
}

/** Where a value, or the inline table that holds it, stands. */
export const findKey = ({ text, layout }: TomlFile, keyPath: readonly string[]): Position | undefined => {
  const entry = layout.entries.find((each) => each.path.every((name, index) => name === keyPath[index]))
  return entry && positionOf(text, entry.keyStart)
}
