import { readHosts } from '../util/hosts.ts'
import { readDuration, readSize, writeDuration, writeSize } from '../util/units.ts'
import type { NumberKind, Unit } from './kinds.ts'
import type { Setting } from './settings.ts'

export type Value = string | number | boolean | null

export type Checked = { ok: true; value: Value } | { ok: false; expected: string }

/** What a setting takes, in words. */
export const expectation = (setting: Setting): string => {
  switch (setting.type) {
    case 'integer':
    case 'number':
      return setting.unit === undefined
        ? `a ${setting.type === 'integer' ? 'whole ' : ''}number from ${setting.min} to ${setting.max}`
        : expectedAmount(setting, setting.unit)
    case 'boolean':
      return 'true or false'
    case 'enum':
      return `one of ${setting.values.join(', ')}`
    case 'name':
      return 'up to 60 letters, digits, - and _'
    case 'hosts':
      return 'names with or without a port, separated by spaces, like box.tail1234.ts.net, or "" for none'
    default:
      return setting.default === null ? 'a line of text, or "" for none' : 'a line of text'
  }
}

const unitNames = { ms: 'milliseconds', s: 'seconds', min: 'minutes', d: 'days', bytes: 'bytes' } as const

const expectedAmount = ({ min, max }: NumberKind, unit: Unit): string => {
  const [what, example] = unit === 'bytes' ? ['size', '64KiB or 4GiB'] : ['duration', '30s or 10m']
  const least = writeValue(unit, min)
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${writeValue(unit, max)}`
  return `a ${what} ${range}, like ${example}; a plain number is ${unitNames[unit]}`
}

/** One of a unit, in milliseconds. */
const unitMs = { ms: 1, s: 1000, min: 60_000, d: 86_400_000 } as const

const writeValue = (unit: Unit, value: number): string =>
  unit === 'bytes' ? writeSize(value) : writeDuration(Math.round(value * unitMs[unit]))

const readAmount = (unit: Unit, text: string): number | null => {
  if (unit === 'bytes') return readSize(text)
  const ms = readDuration(text)
  return ms === null ? null : ms / unitMs[unit]
}

const unitOf = (setting: Setting): Unit | undefined => ('unit' in setting ? setting.unit : undefined)

/** A value as people read it. */
export const formatValue = (setting: Setting, value: Value): string => {
  const unit = unitOf(setting)
  if (unit === undefined || typeof value !== 'number') return String(value ?? '-')
  return writeValue(unit, value)
}

/** A value as TOML gives it. */
export const checkValue = (setting: Setting, given: unknown): Checked => {
  const unit = unitOf(setting)
  const value = unit !== undefined && typeof given === 'string' ? readAmount(unit, given) : given
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
    case 'hosts':
      return typeof value === 'string' && readHosts(value) !== null
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
  if (isPlainNumber(text)) return Number(text)
  return unitOf(setting) === undefined ? undefined : text
}

export const isPlainNumber = (text: string): boolean => /^[+-]?\d+(?:\.\d+)?$/.test(text.trim())
