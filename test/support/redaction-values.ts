import { seeded } from './seeded.ts'

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lower = upper.toLowerCase()
const digits = '0123456789'

/** What a letter between ‹ and › stands for: the signs a made-up value consists of. */
const alphabets: Record<string, string[]> = {
  a: [upper, lower, digits],
  A: [upper, lower],
  b: [upper, lower, digits, '+/'],
  d: [digits],
  D: ['123456789'],
  G: ['023456789ACDEFGHJKLMNPQRSTUVWXYZ'],
  l: [lower],
  m: ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'],
  n: [lower, digits],
  p: [lower, upper, digits, '!%^*_+.-'],
  q: [lower, digits, '!@#%^*_+-=('],
  S: [upper, '234567'],
  T: [upper, '234567'],
  U: [upper, digits],
  w: [upper, lower, digits, '_-'],
  x: ['abcdef', digits],
  X: ['ABCDEF', digits],
}

const pick = (random: () => number, signs: string): string => signs[Math.floor(random() * signs.length)] ?? ''

/** As many signs as asked for; of every group one, for a value of that kind without any would be a rare one. */
const value = (random: () => number, groups: string[], length: number): string => {
  const all = groups.join('')
  const needed = groups.map((group) => pick(random, group))
  const more = Array.from({ length: Math.max(0, length - 2 - needed.length) }, () => pick(random, all))
  const middle = [...needed, ...more].toSorted(() => random() - 0.5)
  const plain = groups.filter((group) => /[A-Za-z0-9]/.test(group)).join('')
  return [pick(random, plain), ...middle, pick(random, plain)].join('').slice(0, length)
}

const uuid = (random: () => number): string =>
  [8, 4, 4, 4, 12].map((length) => value(random, alphabets['x'] ?? [], length)).join('-')

/** Fills ‹a36› and the like with made-up values: no file holds anything that looks like a secret. */
export const fillIn = (template: string, seed: number): string => {
  const random = seeded(seed)
  return template.replace(/‹(\w)(\d*)›/g, (_place, kind: string, length: string) => {
    if (kind === 'g') return uuid(random)
    if (kind === 'e') return '\x1b'
    if (kind === 'h') return '-----'
    if (kind === 'r') return '\r'
    return value(random, alphabets[kind] ?? [], Number(length))
  })
}

/** A text, the same with its secrets (between « and ») taken out, and those secrets. */
export const planted = (template: string, mark: string): { text: string; clean: string; secrets: string[] } => ({
  text: template.replace(/[«»]/g, ''),
  clean: template.replace(/«[^»]+»/g, mark),
  secrets: [...template.matchAll(/«([^»]+)»/g)].map(([, secret]) => secret ?? ''),
})
