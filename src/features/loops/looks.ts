import { flatten, LONGEST_READ, type SimpleCommand } from '../../base/shell/flatten.ts'

/** Programs that change no file, unless an option below says so. */
const looking = new Set(
  'awk basename cat cd cut date df diff dirname du echo env egrep fgrep fd file find git grep head hexdump id jq less ls md5sum nl od printenv printf ps pwd readlink realpath rg sed sha256sum sort stat tail test tr tree true type uname uniq wc whereis which whoami xxd yq'.split(
    ' ',
  ),
)
const gitLooking = new Set('blame describe diff grep log ls-files ls-tree rev-parse shortlog show status'.split(' '))
const changing: Record<string, RegExp> = {
  sed: /^(-[a-zA-Z]*i|--in-place)/,
  yq: /^(-[a-zA-Z]*i|--inplace)/,
  find: /^-(delete|exec|execdir|ok|fprint)/,
  fd: /^(-[xX]|--exec)/,
  sort: /^(-o|--output)/,
}
const waiting = new Set(['sleep', 'wait', 'watch', 'inotifywait'])

/** Whether a command line is known to change nothing: an unknown program, or the unread end of a long line, may change anything. */
export const justLooks = (line: string): boolean =>
  line.length <= LONGEST_READ &&
  commandsOf(line).every(({ words, redirects }) => {
    const [program = '', ...rest] = words.map(({ value }) => value)
    const isWriting = redirects.some(
      ({ operator, target }) => operator.includes('>') && !/^(?:\/dev\/null|[0-9-]*)$/.test(target?.value ?? ''),
    )
    if (isWriting || !looking.has(program)) return program === '' && !isWriting
    // With anything but variables it runs another program.
    if (program === 'env') return rest.every((word) => /^\w+=/.test(word))
    if (program === 'git') return gitLooking.has((rest[0] === '-C' ? rest[2] : rest[0]) ?? '')
    return !rest.some((word) => changing[program]?.test(word) === true)
  })

/** Whether it waits for time to pass, or for something else to happen. */
export const waits = (line: string): boolean =>
  commandsOf(line).some(
    ({ words }) => waiting.has(words[0]?.text ?? '') || words.some(({ text }) => text === '--watch'),
  )

const commandsOf = (line: string): SimpleCommand[] =>
  flatten(line).flatMap((piece) => ('command' in piece ? [piece.command] : []))
