const named: Readonly<Record<string, string>> = {
  Enter: '\r',
  Escape: '\u001b',
  Tab: '\t',
  BTab: '\u001b[Z',
  Space: ' ',
  BSpace: '\u007f',
}
const arrows: Readonly<Record<string, string>> = { Up: 'A', Down: 'B', Right: 'C', Left: 'D', End: 'F', Home: 'H' }

/** What a terminal sends for a key by its tmux name; programs can ask for another form of the arrows. */
export const keyBytes = (name: string, hasApplicationArrows: boolean): string => {
  const arrow = arrows[name]
  if (arrow !== undefined) return `\u001b${hasApplicationArrows ? 'O' : '['}${arrow}`
  const [, letter] = /^C-([a-z])$/.exec(name) ?? []
  const known =
    named[name] ??
    (/^[^\p{Cc}]$/u.test(name) ? name : letter === undefined ? null : String.fromCharCode(letter.charCodeAt(0) - 96))
  if (known === null) throw new Error(`There is no key ${name}.`)
  return known
}
