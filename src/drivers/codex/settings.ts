import { isObject } from '../../base/util/json.ts'

/** One of Codex's settings for this run alone. */
export const setting = (key: string, value: unknown): string[] => ['-c', `${key}=${inline(value)}`]

/** JSON's strings are TOML's too. */
const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}=${inline(one)}`)
  return `{${pairs.join(',')}}`
}
