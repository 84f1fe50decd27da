import { shortId } from '../../contract/ids.ts'
import type { ArchivedView, MemberView, PostedView, PostsView, PostView, RoomView } from '../../contract/routes/team.ts'
import { nameFor } from '../../contract/person.ts'
import { quote } from '../../base/util/visible.ts'
import {
  counted,
  formatAge,
  formatMinute,
  formatTable,
  indented,
  joinLines,
  nameProjects,
  printable,
  shorten,
} from '../format.ts'
import type { Reader } from '../output.ts'

type View = Pick<Reader, 'isAgent' | 'columns'>
const toPerson: View = { isAgent: false }

const nameLimit = 60
const roomHeader = ['ROOM', 'PROJECT', 'UNREAD', 'NAMING YOU', 'POSTS', 'MEMBERS', 'LAST', 'ABOUT']
const memberHeader = ['HANDLE', 'KIND', 'STATE', 'WATCHES', 'READ UP TO', 'UNREAD']

export const roomTable = (rooms: RoomView[], now: number, columns?: number): string => {
  const nameProject = nameProjects(rooms.map(({ project }) => project))
  return rooms.length === 0
    ? 'No rooms. Make one: rein chat create planning'
    : formatTable(
        roomHeader,
        rooms.map((room) => [
          room.name,
          nameProject(room.project),
          count(room.unread),
          count(room.mentions),
          count(room.posts),
          String(room.members),
          room.lastAt === null ? '-' : formatAge(room.lastAt, now),
          [...(room.paused ? ['(check-ins paused)'] : []), shorten(room.about, nameLimit)].join(' '),
        ]),
        { columns, optional: ['PROJECT', 'MEMBERS'] },
      )
}

const count = (number: number): string => (number === 0 ? '-' : String(number))

interface Said {
  n: number
  at: number
  from: string
  text: string
}

/** A numbered post or decision; only its first line begins at the margin. */
export const saidText = (said: Said, now: number, reader: Reader): string =>
  `${saidBy(said, now, reader)}${reader.isAgent ? `\n${quote(said.text)}` : ` ${indented(said.text)}`}`

const saidBy = ({ n, at, from }: Said, now: number, reader: Reader): string =>
  `${reader.style.dim(`#${n} ${formatMinute(at, now)}`)} ${reader.style.bold(`${shorten(nameFor(reader, from), nameLimit)}:`)}`

export const postText = (post: PostView, now: number, reader: Reader): string =>
  post.withheld ? `${saidBy(post, now, reader)} ${withheld}` : saidText(post, now, reader)

export const withheld = '(External message, hidden from this agent.)'

export const postsText = ({ posts, left, archived }: PostsView, now: number, reader: Reader): string =>
  joinLines(
    archived > 0 && `(Archived, and not among these: ${counted(archived, 'unread message')}.)`,
    ...posts.map((post) => postText(post, now, reader)),
    posts.length === 0 && '(Nothing.)',
    left > 0 && `(${left} more.)`,
  )

/** The number of a sent message, and how the agents it mentions get it. */
export const sentText = ({ n, room, mentions, answers, unknown }: PostedView, reader: Reader): string =>
  [
    `#${n} in ${room}`,
    ...mentions
      .filter(({ kind }) => kind !== 'query')
      .map(({ handle, kind, directive, damped }) => {
        if (damped)
          return `  ${handle} has several mentions waiting already: this one stays unread like any other message.`
        if (directive === null) return `  ${handle} gets a notice of unread messages.`
        return `  ${handle} gets it${kind === 'urgent' ? ' at once' : ''}: see rein receipt ${shortId(directive)}`
      }),
    ...unknown.map((name) => reader.style.yellow(`  No agent here is called ${shorten(name, nameLimit)}.`)),
    ...answers.flatMap((answer) => [
      `  ${answer.handle} is ${answer.state.replaceAll('_', ' ')}${answer.screen.length === 0 ? '.' : '; the end of its screen:'}`,
      ...answer.screen.map((line) => (reader.isAgent ? quote(line) : `    ${indented(line)}`)),
    ]),
  ].join('\n')

export const memberTable = (members: MemberView[], reader: View = toPerson): string =>
  formatTable(
    memberHeader,
    members.map(({ handle, kind, state, watches, cursor, unread }) => [
      nameFor(reader, handle),
      kind,
      state?.replaceAll('_', ' ') ?? '-',
      watches ? 'yes' : 'no',
      cursor === 0 ? '-' : `#${cursor}`,
      count(unread),
    ]),
    reader,
  )

export const archivedText = ({ room, archived, upTo, file }: ArchivedView): string =>
  file === null
    ? `There is nothing to archive in ${room}.`
    : `${counted(archived, 'message')} of ${room}, up to #${upTo}, went to ${printable(file)}`

export const pausedText = ({ name, paused, pausedUntil }: RoomView, now: number): string => {
  if (!paused) return `Check-ins in ${name} are on.`
  const until = pausedUntil === null ? '' : ` until ${formatMinute(pausedUntil, now)}`
  return `Check-ins in ${name} are paused${until}.`
}
