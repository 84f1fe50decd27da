import { createHash } from 'node:crypto'

/** A note: a markdown file of `.rein/notes/`. */
export interface Note {
  /** Its file without `.md`. */
  name: string
  title: string
  /** All of the file. */
  text: string
}

/** The content of a note; `text` is free form, instead of the three fields. */
interface NoteParts {
  title: string
  problem?: string | undefined
  fix?: string | undefined
  verification?: string | undefined
  text?: string | undefined
}

export const longestTitle = 120
const longestSlug = 60

export const noteOf = (name: string, text: string): Note => {
  const title = /^# +(.+)$/m.exec(text)?.[1]?.trim()
  return { name, title: title === undefined || title === '' ? name : title, text }
}

/** The text under a heading that begins with this word, up to the next heading of its level; null if there is none. */
export const sectionOf = (text: string, word: string): string | null => {
  const [, mark = '', rest = ''] = new RegExp(`^(#{2,6}) +${word}\\b.*\\n([^]*)`, 'im').exec(text) ?? []
  if (mark === '') return null
  const end = rest.search(new RegExp(`^#{1,${mark.length}} `, 'm'))
  const body = (end < 0 ? rest : rest.slice(0, end)).trim()
  return body === '' ? null : body
}

export const noteText = ({ title, problem, fix, verification, text }: NoteParts): string => {
  const sections = [
    ['Problem', problem],
    ['Fix', fix],
    ['Verification', verification],
  ].flatMap(([name, body]) => (body === undefined || body.trim() === '' ? [] : [`## ${name}\n\n${body.trim()}`]))
  // The title is given beside it.
  const free = text === undefined ? [] : [text.trim().replace(/^# +.*\n+/, '')]
  return `${[`# ${title}`, ...free, ...sections].join('\n\n')}\n`
}

/** The name of a note's file, made of its title. */
export const slugOf = (title: string): string => {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-+|-+$/g, '')
  return words === '' ? `note-${createHash('sha256').update(title).digest('hex').slice(0, 8)}` : words
}
