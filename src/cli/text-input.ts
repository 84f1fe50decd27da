import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { ReinError } from '../contract/errors.ts'

const mib = 1024 * 1024
/** More than any daemon takes: where to stop reading what will be refused anyway. */
const maxBytes = 17 * mib

const fileHint = 'Put it into a file, and send the name of that file.'

/** What to say to an agent: the argument itself, or standard input for `-`. */
export const readTextInput = async (argument: string, stdin: Readable): Promise<string> => {
  // Node puts U+FFFD where an argument is broken; the kernel still has what was typed.
  if (argument.includes('\uFFFD') && process.platform === 'linux')
    decode(readFileSync('/proc/self/cmdline'), 'The text')
  const text = argument === '-' ? await readAll(stdin) : argument
  if (text.trim() === '')
    throw new ReinError(
      'empty_text',
      'There is no text to send.',
      'Give it in quotes, or - to read it from standard input.',
    )
  return text
}

/** The last line break belongs to the shell, not to the text. */
const readAll = async (stdin: Readable): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes)
      throw new ReinError('text_too_large', `Standard input has over ${maxBytes / mib} MiB.`, fileHint)
    chunks.push(chunk)
  }
  return decode(Buffer.concat(chunks), 'Standard input').replace(/\r?\n$/, '')
}

const decode = (bytes: Uint8Array, what: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ReinError('invalid_text', `${what} is not valid UTF-8.`, 'Convert it first, for example with iconv.')
  }
}
