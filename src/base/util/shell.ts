/** One word for a POSIX shell, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const parts = /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|([^\s'"\\]+)/y

/** What a shell makes of one word without expansions; null where it is not one. */
export const unquoted = (word: string): string | null => {
  let text = ''
  parts.lastIndex = 0
  while (parts.lastIndex < word.length) {
    const [, single, double, escaped, plain] = parts.exec(word) ?? [null]
    const part = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain
    if (part === undefined) return null
    text += part
  }
  return text
}
