/** Without such letters at its end. A loop, because an expression looks at each run of them once for each letter in it. */
export function withoutEnd(text: string, letter: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === letter) end--
  return text.slice(0, end)
}
