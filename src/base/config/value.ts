import type { Setting } from './settings.ts'

export type Value = string | number | boolean | null

export type Checked = { ok: true; value: Value } | { ok: false; expected: string }

/** What a setting takes, in words. */
export const expectation = (setting: Setting): string => {
  switch (setting.type) {
    case 'integer':
      return `a whole number from ${setting.min} to ${setting.max}`
    case 'number':
      return `a number from ${setting.min} to ${setting.max}`
    case 'boolean':
      return 'true or false'
    case 'enum':
      return `one of ${setting.values.join(', ')}`
    case 'name':
      return 'up to 60 letters, digits, - and _'
    default:
      return setting.default === null ? 'a line of text, or "" for none' : 'a line of text'
  }
}

/** A value as TOML gives it. */
export const checkValue = (setting: Setting, value: unknown): Checked => {
  if (!fits(setting, value)) return { ok: false, expected: expectation(setting) }
  return { ok: true, value: value === '' ? null : (value as Value) }
}

/** A value as a shell gives it. */
export const parseValue = (setting: Setting, text: string): Checked => checkValue(setting, fromText(setting, text))

const fits = (setting: Setting, value: unknown): boolean => {
  switch (setting.type) {
    case 'integer':
      return Number.isSafeInteger(value) && inRange(setting, value)
    case 'number':
      return inRange(setting, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'enum':
      return typeof value === 'string' && setting.values.includes(value)
    case 'name':
      return typeof value === 'string' && /^[\w-]{1,60}$/.test(value)
    default:
      return typeof value === 'string' && !unprintable.test(value) && (value !== '' || setting.default === null)
  }
}

/** Would break the listing of settings, and no program or model has them in its name. */
const unprintable = /\p{Cc}|\p{Cs}/u

const inRange = ({ min, max }: { min: number; max: number }, value: unknown): boolean =>
  typeof value === 'number' && value >= min && value <= max

const truths: Record<string, boolean> = { true: true, 1: true, on: true, false: false, 0: false, off: false }

const fromText = (setting: Setting, text: string): unknown => {
  if (setting.type === 'boolean') return truths[text.toLowerCase()]
  if (setting.type !== 'integer' && setting.type !== 'number') return text
  return /^[+-]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
}
