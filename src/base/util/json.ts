/** A line that is not a JSON object is `null`: the caller decides what that means. */
export const parseObject = (line: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The value if it is text. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
