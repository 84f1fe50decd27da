/** A mention that is being typed: from its `@` to the caret. */
interface TypedMention {
  start: number
  typed: string
}

/** As the daemon reads mentions: not in an address, a path or a longer word. */
const typedPattern = /(?<![\p{L}\p{N}@/\\])@([A-Za-z0-9_-]{0,64})$/u

export const mentionAt = (text: string, caret: number): TypedMention | null => {
  const found = typedPattern.exec(text.slice(0, caret))
  return found === null ? null : { start: found.index, typed: found[1] ?? '' }
}

const mostShown = 8

/** Names that begin so, then those that have it inside. None where nothing is left to complete. */
export const findNames = (names: readonly string[], typed: string): string[] => {
  const wanted = typed.toLowerCase()
  if (names.includes(wanted)) return names.filter((name) => name !== wanted && name.startsWith(wanted))
  const starting = names.filter((name) => name.startsWith(wanted))
  const inside = names.filter((name) => !name.startsWith(wanted) && name.includes(wanted))
  return [...starting, ...inside].slice(0, mostShown)
}

/** The place of the name that Enter takes; -1: none, because a whole name stands there and is meant. */
export const preselectName = (names: readonly string[], typed: string): number =>
  names.includes(typed.toLowerCase()) ? -1 : 0

export const completeMention = (
  text: string,
  caret: number,
  { start }: TypedMention,
  name: string,
): { text: string; caret: number } => {
  const after = text.slice(caret)
  const mention = `@${name}${after.startsWith(' ') ? '' : ' '}`
  return { text: text.slice(0, start) + mention + after, caret: start + name.length + 2 }
}
