import { normalise } from '../../../base/shell/normalise.ts'
import { tokensOf } from './words.ts'

/** Programs whose first words say what they do, as far as the measure is concerned. */
const MANY_IN_ONE = new Set(
  (
    'git go npm npx pnpm yarn bun cargo docker kubectl gh make mise uv pip pip3 python python3 node brew apt apt-get pacman yay paru ' +
    'systemctl yadm dotnet task just bundle rails php composer entire bd terraform aws gcloud az helm flyctl wrangler turbo nx vitest ' +
    'jest deno poetry sudo rustup tmux opencode claude codex vercel xcodebuild swift mvn gradle ./gradlew flutter dart'
  ).split(' '),
)
const ONE_MORE = new Set('run exec compose pr issue stash remote mod tool worktree config branch'.split(' '))
const PLAIN = /^[A-Za-z][\w:.-]*$/
const LONGEST_PLAIN = 23
const LONGEST = 400
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const FLAG = /^(--?[A-Za-z][\w-]*)=/

/**
 * What two lines have in common that differ in paths, numbers and texts only. It is what predictions are measured by, so it
 * stays as it is, while the reader of lines that predicts them may get better.
 */
export function shapeOf(line: string): string {
  const all = tokensOf(
    normalise(line.replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*$/, ' <<HEREDOC'))
      .replace(/\s*\b\d?>&\s?\d/g, '')
      .replace(/\s*\b[12]?>\s?\/dev\/null/g, '')
      .replace(/\bgit -C ("[^"]*"|'[^']*'|\S+)/g, 'git'),
  )
  let start = 0
  while (all[start]?.text === 'cd' && ['&&', ';'].includes(all[start + 2]?.text ?? '')) start += 3
  const tokens = all.slice(start)
  const out: string[] = []
  let place = 0
  let program = ''
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.isOperator) {
      out.push(token.text)
      if (!/^[<>]/.test(token.text)) place = 0
      else if (tokens[index + 1]?.isOperator === false) {
        const target = tokens[++index]?.text ?? ''
        out.push(/^&?\d$|^\/dev\/null$/.test(target) ? target : '<PATH>')
      }
      continue
    }
    if (place === 0 && ASSIGNMENT.test(token.text)) out.push(slotOf(token.text, false) ?? '')
    else if (place === 0) {
      const { text } = token
      const shown = /^[/~]/.test(text) ? `<BIN>/${text.slice(text.lastIndexOf('/') + 1)}` : text
      out.push(shown)
      program = shown.slice(shown.lastIndexOf('/') + 1)
      place = 1
    } else {
      const own =
        slotOf(token.text, token.isQuoted) === undefined && isOwn(token.text, place, program, out.at(-1) ?? '')
      out.push(own ? token.text : (slotOf(token.text, token.isQuoted) ?? '<W>'))
      if (own && program === 'sudo') {
        program = token.text
        place = 0
      }
      place++
    }
  }
  // Without what only cuts the output, and with several paths or words in a row as one.
  return out
    .join(' ')
    .replace(/ 2 ?>& ?1/g, '')
    .replace(/ 2 > \/dev\/null/g, '')
    .replace(/ [12]? ?>&?1/g, '')
    .replace(/( \| (tail|head)( -n)?( -?<N>| -<N>| -n<N>)*)+$/, '')
    .replace(/(<PATH>)( <PATH>)+/g, '<PATH>+')
    .replace(/(<W>)( <W>)+/g, '<W>+')
    .slice(0, LONGEST)
}

const isOwn = (word: string, place: number, program: string, before: string): boolean =>
  place <= 2 &&
  MANY_IN_ONE.has(program) &&
  PLAIN.test(word) &&
  word.length <= LONGEST_PLAIN &&
  (place === 1 || ONE_MORE.has(before))

function slotOf(word: string, isQuoted: boolean): string | undefined {
  if (/^\$\(|^`/.test(word)) return '<SUB>'
  const flag = FLAG.exec(word)?.[1]
  if (isQuoted || /^["']/.test(word)) return flag === undefined ? '<STR>' : `${flag}=<STR>`
  if (flag !== undefined && word.length > flag.length + 1)
    return `${flag}=${slotOf(word.slice(flag.length + 1), false) ?? '<W>'}`
  if (/^-[A-Za-z]?\d+$/.test(word)) return word.replace(/\d+/, '<N>')
  if (word.startsWith('-')) return word
  if (ASSIGNMENT.test(word)) return `${word.split('=')[0]}=<V>`
  if (/^https?:\/\/|^git@/.test(word)) return '<URL>'
  if (word.startsWith('$')) return '<VAR>'
  if (/^[+-]?\d+([.,]\d+)*[a-zA-Z%]?$/.test(word)) return '<N>'
  if (/^[0-9a-f]{7,40}$/.test(word) && /\d/.test(word)) return '<HEX>'
  if (/^HEAD([~^].*)?$/.test(word)) return word.length > 4 ? 'HEAD~' : 'HEAD'
  return /[/~*]/.test(word) || /\.[A-Za-z0-9]{1,5}$/.test(word) || word === '.' || word === '..' ? '<PATH>' : undefined
}
