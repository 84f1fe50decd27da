import { useEffect } from 'preact/hooks'
import { call, openStream } from '../link/api.ts'
import { ProjectRooms } from './project-rooms.ts'
import { SentMentions } from './sent-mentions.ts'

const all = new ProjectRooms({
  listProjects: () => call('projects', {}),
  listRooms: (project) => call('rooms', { project }),
  follow: (project, onRooms) => openStream('followRooms', { project }, (change) => onRooms(change.rooms)),
})
export const { rooms } = all

const projectsEveryMs = 10_000

/** Keeps `rooms` fresh while a view shows them. */
export const useRooms = (onFailure: (cause: unknown) => void): void => {
  useEffect(() => {
    all.open()
    all.refresh().catch(onFailure)
    const timer = setInterval(() => {
      // What hinders it hinders the view, too, which says so.
      if (document.visibilityState === 'visible') all.refresh().catch(() => undefined)
    }, projectsEveryMs)
    return () => {
      clearInterval(timer)
      all.close()
    }
  }, [])
}

export const sentMentions = new SentMentions((id, onReceipt, onEnd) =>
  openStream('follow', { id, until: 'seen' }, onReceipt, { onEnd }),
)
