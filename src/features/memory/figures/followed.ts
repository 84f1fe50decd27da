import type { AdviceKind } from '../../../contract/command.ts'
import type { LineCache } from '../../../base/shell/line-cache.ts'
import { normalise } from '../../../base/shell/normalise.ts'

export interface ShownAdvice {
  kind: AdviceKind
  text: string
  /** The command that it was about. */
  about: string
}

/** Whether the next command is one that was named: to the letter, or with another file, branch or number in it. */
export const followed = (advice: ShownAdvice, next: string, lines: LineCache): 'exactly' | 'in kind' | null => {
  if (advice.kind === 'rewrite') return isRewritten(advice.about, next, lines) ? 'exactly' : null
  const named = namedIn(advice)
  if (named.some((command) => normalise(command) === normalise(next))) return 'exactly'
  const { template } = lines.read(next)
  const isInKind = template !== '' && named.some((command) => lines.read(command).template === template)
  return isInKind ? 'in kind' : null
}

/** What was rewritten is no choice of the agent: this tells that it was run so. */
const isRewritten = (about: string, next: string, lines: LineCache): boolean =>
  normalise(about) !== normalise(next) && lines.read(about).stub === lines.read(next).stub

/** Each command stands between backticks; a fix that names none is to run the same again. */
const namedIn = ({ kind, text, about }: ShownAdvice): string[] => {
  const named = [...text.replaceAll(warned, '').matchAll(quoted)].map(([, command = '']) => command)
  return named.length === 0 && kind === 'fix' ? [about] : named
}

const quoted = /`([^`\n]+)`/g
/** What a primer says of these is not to run them. */
const warned = /^- fails here: `[^`\n]+`/gm
