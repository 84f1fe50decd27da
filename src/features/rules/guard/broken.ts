import type { Surface } from '../../../contract/rule.ts'
import { nearest } from '../../../base/util/nearest.ts'
import { isObject } from '../../../base/util/json.ts'
import type { BrokenGuard, RuleProblem } from '../types.ts'

const tools: readonly Surface[] = ['shell', 'write', 'edit', 'delete', 'read', 'fetch', 'mcp']
const surfaces: readonly Surface[] = [...tools, 'prompt', 'stop']

/** The surfaces that change something. Reading stays allowed: the agent has to report the problem. */
const doing = tools.filter((surface) => surface !== 'read')

const isGuardWord = (word: string): boolean => word.includes('guard') || nearest(word, ['guard']) !== undefined

/** Whether a text that cannot be read may hold a guard, also one that is spelt wrongly. */
export const mayHoldGuard = (text: string): boolean =>
  text.includes('guard') ||
  Array.from(text.matchAll(/\b([\w-]{1,20})["']? *:/g)).some(([, word = '']) => isGuardWord(word))

/** The intended guard of an invalid rule; null if it was no guard, or is switched off. */
export const brokenGuard = (value: unknown): BrokenGuard | null => {
  if (!isObject(value)) return mayHoldGuard(JSON.stringify(value) ?? '') ? { name: null, on: doing } : null
  const isGuard = Object.entries(value).some(([key, given]) => given !== false && isGuardWord(key))
  if (!isGuard || value['enabled'] === false) return null
  const { name } = value
  const given: unknown[] = [value['on']].flat()
  // One word that is wrong may stand for any. Prompts and stops have no guards.
  const isRight = given.length > 0 && given.every((one) => surfaces.includes(one as Surface))
  const on = isRight ? tools.filter((surface) => given.includes(surface)) : doing
  return { name: typeof name === 'string' ? name : null, on }
}

/** The surfaces that a problem denies, unless an earlier version of the rule still holds. */
export const deniedBy = ({ isGuard, isLoaded, guard }: RuleProblem): readonly Surface[] =>
  isGuard && isLoaded !== true ? (guard?.on ?? doing) : []
