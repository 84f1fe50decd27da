const longest = 2 ** 31 - 1

/** Calls back after any length of time, on a monotonic clock; does not keep the process alive. */
export const after = (ms: number, callback: () => void): (() => void) => {
  let timer: NodeJS.Timeout
  const arm = (left: number): void => {
    timer = setTimeout(() => (left > longest ? arm(left - longest) : callback()), Math.min(left, longest)).unref()
  }
  arm(Math.max(0, ms))
  return () => clearTimeout(timer)
}
