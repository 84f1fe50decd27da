const steps = Array.from('▁▂▃▄▅▆▇█')
const eighths = ['', ...Array.from('▏▎▍▌▋▊▉█')]

/** One character for each value, as high as it is beside the largest; where there is no value, a blank. */
export const sparkline = (values: readonly (number | null)[]): string => {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  const stepOf = (value: number): string =>
    steps[Math.round((most === 0 ? 0 : value / most) * (steps.length - 1))] ?? ' '
  return values.map((value) => (value === null ? ' ' : stepOf(value))).join('')
}

/** A bar for a value between 0 and 1, in at most so many characters. */
export const bar = (value: number, width: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, value)) * width * 8)
  return '█'.repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? '')
}

/** Neighbours are put together until there are at most so many. */
export const gathered = <T>(values: readonly T[], most: number): T[][] => {
  const size = Math.max(1, Math.ceil(values.length / most))
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
}
