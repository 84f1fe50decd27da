import { ReinError } from '../../../contract/errors.ts'
import type { Shell } from './script.ts'

/** Alt and a letter that few have a use for. */
export const usualKey = 'alt-n'

/** Those that mean something to a terminal before a shell gets them. */
const taken = /^ctrl-[cdijmqsz]$/

/** The bytes of a key, in the notation of each shell. */
export const keySequence = (shell: Shell, key: string): string => {
  const [, modifier, letter] = /^(alt|ctrl)-([a-z])$/.exec(key) ?? []
  if (key === 'shift-tab') return shell === 'fish' ? '\\e\\[Z' : "'\\e[Z'"
  if (letter === undefined || taken.test(key))
    throw new ReinError(
      'usage',
      `"${key}" is no key for this.`,
      'Give alt-a to alt-z, shift-tab, or ctrl and a free letter, like ctrl-g.',
    )
  if (shell === 'fish') return `${modifier === 'alt' ? '\\e' : '\\c'}${letter}`
  return `'${modifier === 'alt' ? '\\e' : '\\C-'}${letter}'`
}
