import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseToml } from '../base/config/toml-file.ts'
import { ChannelName } from '../contract/channel.ts'
import { asReinError } from '../contract/errors.ts'
import { isObject } from '../base/util/json.ts'
import { ConfigError, type World } from './kind.ts'

/** A field that names the channel. */
export const channelNamed = (name: string): z.ZodDefault<typeof ChannelName> => ChannelName.default(name)

/** A secret is never in the config itself, which people show to others. */
export const Secret = z.union(
  [z.strictObject({ file: z.string().min(1) }), z.strictObject({ env: z.string().min(1) })],
  'must be { file = "…" } or { env = "…" }',
)

/** What can be guessed is no secret. */
const shortestSecret = 8

export const readSecret = async (
  field: string,
  secret: z.infer<typeof Secret>,
  { dir, env }: Pick<World, 'dir' | 'env'>,
): Promise<string> => {
  const value = 'env' in secret ? env[secret.env] : await readText(path.resolve(dir, secret.file), field)
  const name = 'env' in secret ? secret.env : secret.file
  if (!value?.trim()) throw new ConfigError(`${field}: ${name} is empty.`)
  if (value.trim().length < shortestSecret)
    throw new ConfigError(`${field}: ${name} has less than ${shortestSecret} characters.`)
  return value.trim()
}

/** JSON if it is named so, else TOML; what is wrong is one line that names the field. */
export const readConfig = async <Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema>> => {
  const text = await readText(file)
  const checked = schema.safeParse(
    file.endsWith('.json')
      ? parseJson(file, text)
      : await parseToml(file, text).catch((cause: unknown) => {
          throw new ConfigError(asReinError(cause).message)
        }),
  )
  if (checked.success) return checked.data
  // `jobs[0].cron: …`
  throw new ConfigError(
    `${file}: ${checked.error.issues
      .map(({ path: steps, message }) => {
        const field = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
        return field === '' ? message : `${field.replace(/^\./, '')}: ${message}`
      })
      .join('; ')}`,
  )
}

const readText = async (file: string, field?: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const isMissing = isObject(cause) && cause['code'] === 'ENOENT'
    const problem = isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${asReinError(cause).message}.`
    throw new ConfigError(field === undefined ? problem : `${field}: ${problem}`)
  }
}

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(`${file}: not valid JSON: ${asReinError(cause).message}`)
  }
}
