import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Receipt } from '../../contract/directive.ts'
import type { PostedView, RoomView } from '../../contract/routes/team.ts'
import { call, openStream } from '../link/api.ts'

/** The rooms of each project; null before the first answer. */
export const rooms = signal<ReadonlyMap<string, readonly RoomView[]> | null>(null)

/** Keeps `rooms` fresh while a view shows them. */
export const useRooms = (onFailure: (cause: unknown) => void): void => {
  useEffect(() => {
    let isWanted = true
    const stops: (() => void)[] = []
    const follow = (project: string): void => {
      const stop = openStream('followRooms', { project }, (change) => {
        rooms.value = new Map([...(rooms.value ?? []), [project, change.rooms]])
      })
      stops.push(stop)
    }
    const followAll = async (): Promise<void> => {
      const all = await call('projects', {})
      if (!isWanted) return
      rooms.value ??= new Map()
      for (const { project } of all) follow(project)
    }
    followAll().catch(onFailure)
    return () => {
      isWanted = false
      for (const stop of stops) stop()
    }
  }, [])
}

type Mentioned = PostedView['mentions'][number]
interface SentMention extends Mentioned {
  receipt: Receipt | null
}

/** The mentions of posts that were sent from here, by the id of the post, with how far each has come. */
export const sentMentions = signal<ReadonlyMap<string, readonly SentMention[]>>(new Map())

export const followMentions = ({ id: post, mentions }: PostedView): void => {
  if (mentions.length === 0) return
  const set = (change: (before: readonly SentMention[]) => readonly SentMention[]): void => {
    sentMentions.value = new Map([...sentMentions.value, [post, change(sentMentions.value.get(post) ?? [])]])
  }
  set(() => mentions.map((mention) => ({ ...mention, receipt: null })))
  for (const { directive } of mentions) {
    if (directive === null) continue
    openStream(
      'follow',
      { id: directive, until: 'seen' },
      (receipt) => set((all) => all.map((one) => (one.directive === directive ? { ...one, receipt } : one))),
      { onEnd: () => {} },
    )
  }
}
