/** What is kept of a command in words, by what somebody would look for first. */
export const keptParts = ['command', 'output', 'cwd', 'branch', 'edited'] as const
export type KeptPart = (typeof keptParts)[number]

export type KeptTexts = Readonly<Record<KeptPart, string | null>>

/** In which part a pattern is found: one with `*` stands for the whole command, any other text may be in all that is kept. */
export const finderOf = (pattern: string): ((kept: KeptTexts) => KeptPart | null) => {
  if (pattern.includes('*')) {
    const glob = globOf(pattern)
    return ({ command }) => (glob.test(command ?? '') ? 'command' : null)
  }
  const text = folded(pattern)
  return (kept) => keptParts.find((part) => folded(kept[part] ?? '').includes(text)) ?? null
}

const folded = (text: string): string => text.normalize().toLowerCase()

const globOf = (pattern: string): RegExp => {
  const source = pattern.replaceAll(/[\\^$.|+()[\]{}?]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*')
  return new RegExp(`^${source}$`, 'is')
}
