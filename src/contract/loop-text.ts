import type { Loop } from './loop.ts'

const code = (text: string): string => `\`${text}\``

/** Describes the loop in one sentence. */
export const seenText = ({ kind, calls, count, result }: Loop): string => {
  const what = calls.map(code).join(', then ')
  const ended = result === '' ? '' : ` (${code(result)})`
  switch (kind) {
    case 'failing':
      return `${what} failed ${count} times in the same way${ended}, and no file has changed in between.`
    case 'repeat':
      return `${what} was done ${count} times in a row with the same result${ended}, and no file has changed.`
    case 'undo':
      return `The files were ${count} times again what they had been before: changes take each other back, last with ${what}.`
    case 'turns':
      return `The same prompt (${what}) led ${count} times to the same turn${ended}, and no file has changed.`
    default:
      return kind satisfies never
  }
}
