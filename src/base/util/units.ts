/** Amounts as people write them: `250ms`, `30s`, `10m`, `1.5h`, `7d`; `64KiB`, `4GiB`. */

const durations = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const sizes = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const

type Units = Readonly<Record<string, number>>

const parseAmount = (units: Units, text: string): number | null => {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/i.exec(text.trim()) ?? []
  const value = Object.hasOwn(units, unit) ? Math.round(Number(amount) * (units[unit] ?? 0)) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}

/** In milliseconds; null: it is no duration. */
export const readDuration = (text: string): number | null => parseAmount(durations, text)

/** In bytes; null: it is no size. `M`, `MB` and `mib` mean `MiB`; `m` is a minute. */
export const readSize = (text: string): number | null =>
  parseAmount(
    sizes,
    text.trim().replace(/[KMGT]$|[kmgtKMGT][iI]?[bB]$/, (unit: string) => `${unit.charAt(0).toUpperCase()}iB`),
  )

/** In the largest unit that gives a whole number: nothing is lost. */
const writeAmount = (units: Units, value: number): string => {
  const [unit = '', size = 1] = Object.entries(units).findLast(([, each]) => value % each === 0) ?? []
  return value === 0 ? '0' : `${value / size}${unit}`
}

export const writeDuration = (ms: number): string => writeAmount(durations, ms)

export const writeSize = (bytes: number): string => writeAmount(sizes, bytes)
