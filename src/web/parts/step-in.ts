/** One further in a list, and round at its ends; -1: nothing was chosen. */
export const stepIn = (count: number, at: number, step: 1 | -1): number => {
  if (at < 0) return step > 0 ? 0 : count - 1
  return (at + step + count) % count
}
