/** Which files a script of sed names: `w` and `r`, as commands and as a flag of `s`. */
export interface SedFiles {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** Addresses: numbers, `$`, `/…/I`, `\c…c`, with what stands between them. */
const ADDRESS = /(?:[\d$,~+!\s;{}]|\/(?:[^/\\\n]|\\.)*\/[IM]*|\\([^\\\n])(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)*/y
/** Labels and numbers end with the line, or before the next command. */
const WORD = /[^;\n}]*/y
const LINE = /[^\n]*/y
/** The text of `a`, `i` and `c` goes on behind a backslash at the end of a line. */
const TEXT = /(?:[^\\\n]|\\[^])*/y

const take = (pattern: RegExp, script: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(script)?.[0] ?? ''
}

/** Past the separator that ends what is looked for, or what is put in its place. */
const pastPart = (script: string, separator: string, from: number): number => {
  let at = from
  while (at < script.length && script[at] !== separator) at += script[at] === '\\' ? 2 : 1
  return at + 1
}

export function sedFiles(script: string): SedFiles {
  const found = { reads: [] as string[], writes: [] as string[] }
  let at = 0
  const name = (kind: keyof SedFiles): void => {
    const line = take(LINE, script, at)
    if (line.trim() !== '') found[kind].push(line.trim())
    at += line.length
  }
  while (at < script.length) {
    at += take(ADDRESS, script, at).length
    const command = script[at] ?? ''
    at += 1
    if (command === 's' || command === 'y') {
      const separator = script[at] ?? ''
      at = pastPart(script, separator, pastPart(script, separator, at + 1))
      at += take(/[gpeIiMm\d]*/y, script, at).length
      if (command === 's' && script[at] === 'w') {
        at += 1
        name('writes')
      }
    } else if (/[wW]/.test(command)) name('writes')
    else if (/[rR]/.test(command)) name('reads')
    else if (/[aic]/.test(command)) at += take(TEXT, script, at).length
    else if (/[btT:qQlLev]/.test(command)) at += take(WORD, script, at).length
    else if (command === '#') at += take(LINE, script, at).length
    // sed stops at what is no command, and so does the time that this takes.
    else if (!/[=dDgGhHnNpPxzF]/.test(command)) break
  }
  return found
}
