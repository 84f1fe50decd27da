export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const option = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value])

/** In one word, so that a value which begins with a dash is not taken for a flag. */
export const joinedOption = (flag: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${flag}=${value}`]
