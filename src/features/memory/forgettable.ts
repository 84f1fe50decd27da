/** The stored texts of a command, the likeliest to be searched for first. */
const keptParts = ['command', 'output', 'cwd', 'branch', 'edited'] as const
export type KeptPart = (typeof keptParts)[number]

export type KeptTexts = Readonly<Record<KeptPart, string | null>>

/** Finds the part that matches a pattern: one with `*` stands for the whole command, any other may be in every text. */
export const finderOf = (pattern: string): ((kept: KeptTexts) => KeptPart | null) => {
  if (pattern.includes('*')) {
    const source = pattern.replaceAll(/[\\^$.|+()[\]{}?]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*')
    const glob = new RegExp(`^${source}$`, 'is')
    return ({ command }) => (glob.test(command ?? '') ? 'command' : null)
  }
  const text = foldCase(pattern)
  return (kept) => keptParts.find((part) => foldCase(kept[part] ?? '').includes(text)) ?? null
}

const foldCase = (text: string): string => text.normalize().toLowerCase()
