import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { projectName } from '../../contract/handle.ts'
import { nameFor, userMember } from '../../contract/person.ts'
import type { MemberView, PostView, RoomView as Room } from '../../contract/routes/team.ts'
import { stateWords } from '../../contract/state-words.ts'
import { call, may, openStream } from '../link/api.ts'
import { Ago } from '../parts/ago.tsx'
import { Markdown } from '../parts/markdown-view.tsx'
import { Empty, Page } from '../parts/page.tsx'
import { Receipt } from '../parts/receipt.tsx'
import { shown } from '../parts/text.ts'
import { attempt, tellFailure, tellSuccess } from '../parts/toast.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { useSeen } from '../parts/use-seen.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { PostTries } from '../store/post-tries.ts'
import { emptyRoom, readUpTo, type RoomBook, withCursor, withOlder, withPosts, withSeen } from '../store/room-book.ts'
import { sentMentions } from '../store/rooms.ts'
import { roomTarget } from '../store/target.ts'
import { drafts } from '../store/tell.ts'
import { Composer } from './composer.tsx'
import type { ViewProps } from './index.ts'

const olderPosts = 200
const membersEveryMs = 4_000

export const RoomView = ({ params: { project = '', room = '' } }: ViewProps) => {
  const info = useSignal<Room | null>(null)
  const isKnown = useSignal(false)
  const { book, markRead, loadOlder } = useRoom({ project, room, info, isKnown })
  const members = useAnswer(`${project}/${room}`, () => call('members', { project, room }), { everyMs: membersEveryMs })
  const own = members.value?.find(({ kind }) => kind === 'person')
  /** Where the person had read to when the room was opened. */
  const began = useRef<number | null>(null)
  // Emptied in any page of the browser: what was not sent by now is not tried again.
  useSignalEffect(() => {
    if (drafts.of(roomTarget(project, room)).value === '') postTries.settle(`${project}/${room}`)
  })
  useEffect(() => {
    if (own === undefined) return
    began.current ??= own.cursor
    book.value = withCursor(book.value, own.cursor)
    markRead()
  }, [own?.cursor])
  const seenEnd = useSeen((n) => {
    book.value = withSeen(book.value, n)
    markRead()
  })
  const { posts, cursor } = book.value
  const last = posts.at(-1)?.n ?? 0
  const unread = cursor === null ? 0 : Math.max(0, last - cursor)
  const readAll = async (): Promise<void> => {
    const moved = await attempt(() => call('moveCursor', { project, room, upTo: last }))
    if (moved !== undefined) book.value = withCursor(book.value, moved.cursor)
  }
  return (
    <Page
      title={room}
      note={`${projectName(project)}${info.value?.about ? ` · ${shown(info.value.about)}` : ''}`}
      up="/rooms"
      isFilling
      actions={
        unread > 0 && may('tell') ? (
          <button type="button" class="button" onClick={() => void readAll()}>
            Mark {unread} as read
          </button>
        ) : null
      }
    >
      <div class="room">
        <div class="room-posts">
          {!isKnown.value ? (
            <Waiting error={members.error} />
          ) : posts.length === 0 ? (
            <Empty title="Nothing was posted here yet." />
          ) : (
            <VirtualList
              items={posts}
              keyOf={({ id }) => id}
              label={`Messages in ${room}`}
              isSticky
              onNearStart={() => void loadOlder()}
              render={(post) => (
                <PostRow
                  post={post}
                  members={members.value ?? []}
                  isFirstNew={began.current !== null && post.n === began.current + 1}
                  end={seenEnd}
                />
              )}
            />
          )}
        </div>
        <Composer
          project={project}
          room={room}
          names={['all', ...(members.value ?? []).filter(({ kind }) => kind === 'agent').map(({ handle }) => handle)]}
          send={(text) => sendPost({ project, room, text })}
        />
      </div>
    </Page>
  )
}

interface RoomState {
  project: string
  room: string
  info: { value: Room | null }
  isKnown: { value: boolean }
}

/** The posts of a room as they come, and how far they are read. */
const useRoom = ({ project, room, info, isKnown }: RoomState) => {
  const book = useSignal<RoomBook>(emptyRoom)
  const isMoving = useRef(false)
  const isLoading = useRef(false)
  useEffect(
    () =>
      openStream('followRooms', { project, room }, (change) => {
        info.value = change.rooms.find(({ name }) => name === room) ?? null
        isKnown.value = true
        book.value = withPosts(book.value, change.posts)
      }),
    [project, room],
  )
  useEffect(() => sentMentions.show(`${project}/${room}`), [project, room])
  /** One after the other: what was seen meanwhile is confirmed with the next. */
  const moveCursor = async (): Promise<void> => {
    const upTo = readUpTo(book.value, info.value?.first ?? 1)
    if (upTo === null || isMoving.current || !may('tell')) return
    isMoving.current = true
    try {
      const { cursor } = await call('moveCursor', { project, room, upTo })
      book.value = withCursor(book.value, cursor)
    } finally {
      isMoving.current = false
    }
    return moveCursor()
  }
  // What hinders it hinders the following, too, which says so; it is tried again with the next that is seen.
  const markRead = (): void => void moveCursor().catch(() => undefined)
  const loadOlder = async (): Promise<void> => {
    const first = book.value.posts[0]?.n ?? 1
    if (isLoading.current || first <= (info.value?.first ?? 1)) return
    isLoading.current = true
    const older = await attempt(() => call('posts', { project, room, before: first, last: olderPosts }))
    isLoading.current = false
    if (older !== undefined) book.value = withOlder(book.value, older.posts)
  }
  return { book, markRead, loadOlder }
}

const postTries = new PostTries({
  store: localStorage,
  newId: () => `post_${crypto.randomUUID()}`,
  digest: async (text) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  },
})

const sendPost = async ({ project, room, text }: { project: string; room: string; text: string }): Promise<boolean> => {
  const name = `${project}/${room}`
  const posted = await attempt(async () => call('post', { project, room, text, id: await postTries.idFor(name, text) }))
  if (posted === undefined) return false
  postTries.settle(name)
  sentMentions.add(name, posted)
  if (posted.unknown.length > 0) tellFailure(new Error(`No agent here is named ${posted.unknown.join(', ')}.`))
  for (const { handle, state } of posted.answers) tellSuccess(`${handle}: ${stateWords[state]}.`)
  return true
}

interface PostRowProps {
  post: PostView
  members: readonly MemberView[]
  isFirstNew: boolean
  end: (element: HTMLElement | null) => void
}

const PostRow = ({ post, members, isFirstNew, end }: PostRowProps) => {
  const { author, from, text, at, n, kind, mentions } = post
  const via = author.kind === 'user' ? author.via : undefined
  const isOwn = author.kind === 'user'
  return (
    <div class={`post post-${kind}${isOwn ? ' is-own' : ''}${mentions.includes(userMember) ? ' is-for-you' : ''}`}>
      {isFirstNew ? <div class="post-new">new</div> : null}
      <div class="post-head">
        <strong>{shown(nameFor({ isAgent: false }, from))}</strong>
        {via === undefined ? null : <span class="soft small"> via {shown(via.name)}</span>}{' '}
        <span class="faint small number">
          #{n} · <Ago at={at} /> ago
        </span>
      </div>
      <Markdown text={text} />
      {isOwn ? <Marks post={post} members={members} /> : null}
      <span data-seen={n} ref={end} class="post-end" />
    </div>
  )
}

/** How far each mention of a post has come, and which agents have read it. */
const Marks = ({ post: { id, n }, members }: { post: PostView; members: readonly MemberView[] }) => {
  const sent = sentMentions.byPost.value.get(id)?.mentions ?? []
  const readers = members.filter(({ kind, cursor }) => kind === 'agent' && cursor >= n).map(({ handle }) => handle)
  return (
    <div class="post-marks small soft">
      {sent.map(({ handle, receipt, damped, kind }) => (
        <div key={handle} class="row">
          <span>@{handle}</span>
          {damped ? <span>unread like any other: too many of these wait for it</span> : null}
          {receipt === null ? null : <Receipt receipt={receipt} />}
          {kind === 'query' ? <span>Rein has answered</span> : null}
        </div>
      ))}
      {readers.length === 0 ? null : <div>Read by {readers.join(', ')}</div>}
    </div>
  )
}
