import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ParseError, parse } from 'jsonc-parser'
import { ReinError } from '../../contract/errors.ts'
import { isObject } from '../../base/util/json.ts'
import { orNull } from '../files.ts'
import type { Json } from '../json.ts'

/** The directory in which the CLI keeps everything, below the home that it was given. */
export const geminiDirectory = (env: NodeJS.ProcessEnv): string => join(userHome(env), '.gemini')

export const userHome = (env: NodeJS.ProcessEnv): string => env['GEMINI_CLI_HOME'] || env['HOME'] || homedir()

/** The user's configuration, which may have comments; never the files with credentials beside it. */
export const readSettings = (directory: string): Json => {
  const path = join(directory, 'settings.json')
  const errors: ParseError[] = []
  const settings: unknown = parse(orNull(() => readFileSync(path, 'utf8')) ?? '{}', errors, {
    allowTrailingComma: true,
  })
  if (errors.length === 0 && isObject(settings)) return settings
  throw new ReinError(
    'invalid_config',
    `Gemini's settings cannot be read: ${path}.`,
    'Put its JSON right, and try again.',
  )
}
